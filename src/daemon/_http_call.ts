/**
 * What a layer of the HTTP surface sees of a request, and the one reading of its target.
 *
 * @module
 */

/** One request. `path` feeds the token exemption and the router alike (daemon-and-setup.md 4.1). */
export interface HttpCall {
  readonly method: string;
  /** Path of the request target as sent: nothing decoded or folded, query and fragment cut off. */
  readonly path: string;
  readonly headers: Headers;
  readonly body: AsyncIterable<Uint8Array> | null;
}

/** A layer's inside: answers a call. */
export type Handler = (call: HttpCall) => Response | Promise<Response>;

/** A layer's inside that also needs the body. */
export type BodyHandler = (call: HttpCall, body: Uint8Array) => Response | Promise<Response>;

/**
 * Path of a request target. It is cut out by text: parsing it as an address would resolve `..`. Of
 * the absolute form only the path counts; who is asked says the `Host` header.
 */
export function targetPath(target: string): string {
  const local = target.startsWith("/")
    ? target
    : target.replace(/^[a-zA-Z][a-zA-Z0-9+.-]*:\/\/[^/?#]*/, "");
  const end = local.search(/[?#]/);
  return end < 0 ? local : local.slice(0, end);
}
