/**
 * Puts the bearer token on every request, for runners that can send none. `Host` and `Origin` go
 * through as they are, save for the proxy's own address, which becomes the daemon's: what a rebinding
 * test sends arrives.
 *
 * @module
 */

import { createServer, request as forward } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A proxy on a free port of 127.0.0.1. */
export interface TokenProxy extends AsyncDisposable {
  readonly url: string;
}

/** Starts a proxy before a daemon's port. */
export async function startTokenProxy(port: number, token: string): Promise<TokenProxy> {
  const server = createServer((incoming, answer) => pass(server, incoming, answer, port, token));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${portOf(server)}/mcp`,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

function pass(
  server: Server,
  incoming: IncomingMessage,
  answer: ServerResponse,
  port: number,
  token: string,
): void {
  const own = `:${portOf(server)}`;
  const headers: Record<string, string | string[] | undefined> = { ...incoming.headers };
  for (const name of ["host", "origin"]) {
    const value = headers[name];
    if (typeof value === "string" && value.endsWith(own)) {
      headers[name] = value.slice(0, -own.length) + `:${port}`;
    }
  }
  headers["authorization"] = `Bearer ${token}`;
  headers["connection"] = "close";
  const { method = "GET", url = "/" } = incoming;
  // No agent: a connection that is kept would outlive the test.
  const options = { host: "127.0.0.1", port, method, path: url, headers, agent: false } as const;
  const out = forward(options, (back) => {
    answer.writeHead(back.statusCode ?? 502, back.headers);
    back.pipe(answer);
    answer.on("close", () => out.destroy());
  });
  out.on("error", () => answer.destroy());
  incoming.pipe(out);
}
