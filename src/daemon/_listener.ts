import { errorKind, TheurianError } from "../platform/errors.ts";
import { portTaken } from "./decide_start.ts";
import { callOf, type Handler } from "./_http_call.ts";
import type { Log } from "./log.ts";
import { plainText } from "./_responses.ts";
import { framesOf } from "./_worker_jobs.ts";

/** An open port. */
export interface Listener {
  readonly port: number;
  /** Accepts no more, lets calls in flight finish for at most `limitMs`, then closes. */
  shutdown(limitMs: number): Promise<void>;
}

/**
 * Serves `handler` on 127.0.0.1 and nowhere else. Two listeners never share a port. Throws
 * `daemon-conflict` when it is taken (daemon-and-setup.md 3.1, 3.5).
 */
export function openListener(port: number, handler: Handler, log: Log): Listener {
  let server;
  try {
    server = Deno.serve({
      hostname: "127.0.0.1",
      port,
      onListen: () => {},
      onError: (error) => {
        log("error", "request-defect", `${errorKind(error)} ${framesOf(error)}`.trim());
        return plainText(500, "Internal error");
      },
    }, (request) => handler(callOf(request)));
  } catch (error) {
    if (error instanceof Deno.errors.AddrInUse) throw portTaken(port);
    if (error instanceof Deno.errors.PermissionDenied) throw portForbidden(port, error);
    throw error;
  }
  return {
    port: server.addr.port,
    shutdown: async (limitMs) => {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const limit = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, limitMs);
      });
      await Promise.race([server.shutdown(), limit]);
      clearTimeout(timer);
    },
  };
}

function portForbidden(port: number, cause: unknown): TheurianError {
  return new TheurianError(
    "daemon-conflict",
    `Cannot listen on port ${port}: the system keeps it for privileged programs`,
    { remedy: "Choose a port of 1024 or above with --port", details: { port }, cause },
  );
}
