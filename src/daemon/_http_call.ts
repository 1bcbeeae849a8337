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
  readonly body: ReadableStream<Uint8Array> | null;
}

/** A layer's inside: answers a call. */
export type Handler = (call: HttpCall) => Response | Promise<Response>;

/** A layer's inside that also needs the body. */
export type BodyHandler = (call: HttpCall, body: Uint8Array) => Response | Promise<Response>;

/**
 * Path of the target behind the listener's request URL. The runtime glues scheme, `Host` and target
 * together without folding, so the path is cut out by text: parsing it would resolve `..` and would
 * throw on a `Host` that is no host name.
 */
export function targetPath(url: string, host: string | null): string {
  const target = originFormTarget(url, host) ??
    url.replace(/^[a-zA-Z][a-zA-Z0-9+.-]*:\/\/[^/?#]*/, "");
  const end = target.search(/[?#]/);
  return end < 0 ? target : target.slice(0, end);
}

function originFormTarget(url: string, host: string | null): string | null {
  if (host === null) return null;
  const prefix = `http://${host}`;
  if (!url.startsWith(prefix)) return null;
  const rest = url.slice(prefix.length);
  return rest === "" || rest.startsWith("/") ? rest : null;
}

/** The call behind the listener's request. */
export function callOf(request: Request): HttpCall {
  const { method, headers, url } = request;
  return { method, path: targetPath(url, headers.get("host")), headers, body: request.body };
}
