import { type Clock, systemClock } from "../platform/clock.ts";
import { errorKind, TheurianError } from "../platform/errors.ts";
import { portTaken } from "./decide_start.ts";
import type { Handler } from "./_http_call.ts";
import { type ConnectionLimits, type ConnectionParts, HttpConnection } from "./_http_connection.ts";
import type { Log } from "./log.ts";

/** An open port. */
export interface Listener {
  readonly port: number;
  /** Accepts no more, lets calls in flight finish for at most `limitMs`, then closes. */
  shutdown(limitMs: number): Promise<void>;
}

/** What all clients together and each of them may take up. */
export interface ListenerLimits extends ConnectionLimits {
  /** Connections at once. */
  readonly connections: number;
  /** How often slow clients are looked for, in milliseconds. */
  readonly sweepMs: number;
}

/** Far beyond what clients need; below what a process may open by default. */
export const LISTENER_LIMITS: ListenerLimits = {
  connections: 256,
  sweepMs: 1000,
  idleMs: 120_000,
  headMs: 10_000,
  bodyMs: 60_000,
  headBytes: 32 * 1024,
};

/** Descriptors kept for what serves: threads, and the databases that each of them opens. */
const KEPT_DESCRIPTORS = 160;
/** Connections that a process with few descriptors offers all the same. */
const FEWEST_CONNECTIONS = 16;

/** The limits for a process of which `spare` descriptors are counted, up to {@linkcode COUNTED}. */
export function limitsFor(spare: number): ListenerLimits {
  const left = Math.max(FEWEST_CONNECTIONS, spare - KEPT_DESCRIPTORS);
  return { ...LISTENER_LIMITS, connections: Math.min(LISTENER_LIMITS.connections, left) };
}

/** More spare descriptors than these change nothing. */
export const COUNTED = LISTENER_LIMITS.connections + KEPT_DESCRIPTORS;

/** What a listener is made of. */
export interface ListenerParts {
  /** 0 for any free port. */
  readonly port: number;
  readonly handler: Handler;
  readonly log: Log;
  readonly clock?: Clock;
  readonly limits?: ListenerLimits;
}

/**
 * Serves on 127.0.0.1 and nowhere else. Two listeners never share a port. Throws `daemon-conflict`
 * when it is taken (daemon-and-setup.md 3.1, 3.5).
 *
 * The runtime's own server sets no limit on the number of connections or on their patience, and ends
 * for good when the process may open no further one: anybody on the machine could end the daemon.
 */
export function openListener(parts: ListenerParts): Listener {
  const { limits = LISTENER_LIMITS, clock = systemClock } = parts;
  const listener = listenOn(parts.port);
  const connections = new Set<HttpConnection>();
  let closed = false;
  const each: ConnectionParts = { ...parts, limits, clock };
  const serve = async (socket: Deno.TcpConn) => {
    if (connections.size >= limits.connections && !makeRoom(connections)) return socket.close();
    const connection = new HttpConnection(socket, each);
    connections.add(connection);
    await connection.serve();
    connections.delete(connection);
  };
  const accepting = acceptAll(listener, serve, () => makeRoom(connections), parts.log);
  const sweeper = setInterval(() => {
    for (const connection of connections) connection.closeIfOverdue();
  }, limits.sweepMs);
  Deno.unrefTimer(sweeper);
  return {
    port: listener.addr.port,
    shutdown: async (limitMs) => {
      if (!closed) listener.close();
      closed = true;
      await accepting;
      for (const connection of connections) connection.finish();
      const deadline = performance.now() + limitMs;
      while (connections.size > 0 && performance.now() < deadline) await pause(5);
      clearInterval(sweeper);
      for (const connection of connections) connection.close();
    },
  };
}

function listenOn(port: number): Deno.TcpListener {
  try {
    return Deno.listen({ hostname: "127.0.0.1", port });
  } catch (error) {
    if (error instanceof Deno.errors.AddrInUse) throw portTaken(port);
    if (error instanceof Deno.errors.PermissionDenied) throw portForbidden(port, error);
    throw error;
  }
}

/** Accepts until the listener closes. A process out of descriptors makes room and tries again. */
async function acceptAll(
  listener: Deno.TcpListener,
  serve: (socket: Deno.TcpConn) => void,
  freeOne: () => void,
  log: Log,
): Promise<void> {
  let toldAt = -Infinity;
  for (;;) {
    try {
      serve(await listener.accept());
    } catch (error) {
      const isClosed = error instanceof Deno.errors.BadResource ||
        error instanceof Deno.errors.Interrupted;
      if (isClosed) return;
      // Told once a minute: a flood of connections must not become a flood of lines.
      if (performance.now() - toldAt > 60_000) {
        log("warn", "accept-failed", errorKind(error));
        toldAt = performance.now();
      }
      freeOne();
      await pause(10);
    }
  }
}

/**
 * Closes the connection that deserves its place least: never one whose client is known and waits;
 * first those that never showed the token, the oldest of them, then the one that was idle longest.
 */
function makeRoom(connections: Set<HttpConnection>): boolean {
  let least: HttpConnection | null = null;
  for (const connection of connections) {
    if (connection.serving) continue;
    if (least === null || connection.knownSince < least.knownSince) least = connection;
  }
  if (least === null) return false;
  connections.delete(least);
  least.close();
  return true;
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

function portForbidden(port: number, cause: unknown): TheurianError {
  return new TheurianError(
    "daemon-conflict",
    `Cannot listen on port ${port}: the system keeps it for privileged programs`,
    { remedy: "Choose a port of 1024 or above with --port", details: { port }, cause },
  );
}
