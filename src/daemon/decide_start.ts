import { TheurianError } from "../platform/errors.ts";
import { IMPLEMENTATION } from "./health.ts";
import type { HealthAnswer, Probe } from "./probe.ts";

/** What a start is to do: serve, or leave the one that serves. */
export type StartDecision = "start" | "reuse";

/** What a start knows when it decides. */
export interface StartFacts {
  readonly lock: "acquired" | "held";
  readonly probe: Probe;
  readonly port: number;
  /** Absolute real path. */
  readonly dataDirectory: string;
  readonly lockPath: string;
  /** Real path of another path, or `null` where it leads nowhere. */
  readonly realPath: (path: string) => string | null;
}

/**
 * The table of daemon-and-setup.md 3.1. Throws `daemon-conflict` for the conflicts and for a lock
 * whose holder does not answer; never removes, ends or mends anything.
 */
export function decideStart(facts: StartFacts): StartDecision {
  const { lock, probe, port } = facts;
  if (probe.kind === "theurian") {
    refuseOther(probe.health, facts);
    return "reuse";
  }
  if (lock === "held") throw staleLock(facts);
  if (probe.kind === "free") return "start";
  throw portTaken(port);
}

/** Whether a health answer is of this implementation. */
export function isOurs(health: HealthAnswer): boolean {
  return health.implementation === IMPLEMENTATION;
}

/** Whether a health answer names this data directory; an absent name counts as the same. */
export function servesDirectory(
  health: HealthAnswer,
  dataDirectory: string,
  realPath: (path: string) => string | null,
): boolean {
  if (health.dataDir === "") return true;
  return (realPath(health.dataDir) ?? health.dataDir) === dataDirectory;
}

/** Throws unless the answer is of our implementation and for our data directory. */
export function refuseOther(
  health: HealthAnswer,
  facts: Pick<StartFacts, "port" | "dataDirectory" | "realPath">,
): void {
  const { port } = facts;
  if (!isOurs(health)) {
    throw new TheurianError(
      "daemon-conflict",
      `Cannot use port ${port}: another implementation's Theurian daemon ` +
        `(version ${health.version ?? "unknown"}) answers there`,
      { remedy: `Stop that daemon, or choose another port with --port`, details: { port } },
    );
  }
  if (!servesDirectory(health, facts.dataDirectory, facts.realPath)) {
    throw new TheurianError(
      "daemon-conflict",
      `Cannot use port ${port}: a Theurian daemon for the data directory ${health.dataDir} ` +
        "answers there",
      {
        remedy: "Set THEURIAN_DATA_DIR to that directory, or choose another port with --port",
        details: { port },
      },
    );
  }
}

/** Refuses a port that something else than a Theurian holds. */
export function portTaken(port: number): TheurianError {
  return new TheurianError(
    "daemon-conflict",
    `Cannot listen on port ${port}: a foreign process holds it`,
    {
      remedy: `See who holds it (Linux: ss -ltnp, macOS: lsof -iTCP:${port}), stop that, ` +
        "or choose another port with --port",
      details: { port },
    },
  );
}

function staleLock({ lockPath, port }: StartFacts): TheurianError {
  return new TheurianError(
    "daemon-conflict",
    `Cannot start: another process holds the lock ${lockPath}, yet no Theurian daemon ` +
      `answers on 127.0.0.1:${port}; nothing is removed automatically`,
    {
      remedy: "See whether a daemon serves another port with `theurian daemon status --port N`, " +
        "stop it, or end the process that holds the lock, then start again",
      details: { port },
    },
  );
}
