/**
 * What a layer of the HTTP surface sees of a request, and the one reading of its target.
 *
 * @module
 */

/** Headers of a request, asked for by their names in lower case; repeated ones are joined. */
export interface RequestHeaders {
  get(name: string): string | null;
  has(name: string): boolean;
}

/** One request. `path` feeds the token exemption and the router alike (daemon-and-setup.md 4.1). */
export interface HttpCall {
  readonly method: string;
  /** Path of the request target as sent: nothing decoded or folded, query and fragment cut off. */
  readonly path: string;
  readonly headers: RequestHeaders;
  readonly body: AsyncIterable<Uint8Array> | null;
}

/**
 * One answer. The runtime's own `Request`, `Headers` and `Response` check and copy what was checked
 * here already, and took a third of the time between the socket and a tool.
 */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** A layer's inside: answers a call. */
export type Handler = (call: HttpCall) => HttpAnswer | Promise<HttpAnswer>;

/** A layer's inside that also needs the body. */
export type BodyHandler = (call: HttpCall, body: Uint8Array) => HttpAnswer | Promise<HttpAnswer>;

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
