import type { Handler } from "./_http_call.ts";
import { plainText } from "./_responses.ts";

/** Whether a `Host` header names this daemon; byte-exact (daemon-and-setup.md 4.3). */
export function isOwnHost(host: string | null, port: number): boolean {
  return host === `127.0.0.1:${port}` || host === `localhost:${port}` || host === `[::1]:${port}`;
}

/** Whether an `Origin` header is absent, empty or one of this daemon's own. */
export function isOwnOrigin(origin: string | null, port: number): boolean {
  return origin === null || origin === "" ||
    (origin.startsWith("http://") && isOwnHost(origin.slice("http://".length), port));
}

/**
 * Refuses another host name (421) and another page's origin (403): a page whose own name resolves
 * to 127.0.0.1 can reach the port, yet cannot choose these two headers.
 */
export function guardHost(port: () => number, inside: Handler): Handler {
  return (call) => {
    if (!isOwnHost(call.headers.get("host"), port())) return plainText(421, "Invalid Host header");
    if (!isOwnOrigin(call.headers.get("origin"), port())) {
      return plainText(403, "Invalid Origin header");
    }
    return inside(call);
  };
}
