import { join } from "node:path";
import { readRegistry } from "../projects/mod.ts";
import type { Lanes } from "./_run_tool.ts";
import { startToolWorker } from "./_start_tool_worker.ts";
import { type PoolLimits, WorkerPool } from "./_worker_pool.ts";
import type { Job } from "./_worker_protocol.ts";

const OVERDUE = {
  overdueMs: 30_000,
  overdueThreads: 8,
  idleMs: 5 * 60_000,
  spareIdleMs: 20_000,
};
const READ: PoolLimits = { ...OVERDUE, threads: 1 };
const GATED: PoolLimits = { ...OVERDUE, threads: 4 };
const DRAFT: PoolLimits = { ...OVERDUE, threads: 1 };

/** Milliseconds that the reader is started behind the first searcher. */
const READER_LATER_MS = 300;

/** Threads for the shipped lanes, and their end. */
export interface ToolThreads extends Disposable {
  readonly lanes: Lanes;
  /** Starts the threads a client will need first. */
  warm(): void;
}

/**
 * One reader, up to four searchers, one writer; none runs before its first job. Only the writer may
 * write, and only where the registered projects keep proposals: it is started anew when the
 * registry names other projects (daemon-and-setup.md sections 10 and 11).
 */
export function toolThreads(url: URL, dataDirectory: string): ToolThreads {
  let writable: readonly string[] = [];
  const reader = () => startToolWorker(url, { write: [] });
  const read = new WorkerPool(reader, READ);
  const gated = new WorkerPool(reader, GATED);
  const draft = new WorkerPool(() => startToolWorker(url, { write: writable }), DRAFT);
  const runDraft = (job: Job) => {
    const now = proposalDirectories(dataDirectory);
    if (now.join("\n") !== writable.join("\n")) {
      writable = now;
      draft.renew();
    }
    return draft.run(job);
  };
  return {
    lanes: { read, gated, draft: { run: runDraft } },
    warm: () => {
      gated.warm();
      // Starting both at once would hold up the first search, which comes before the first read.
      Deno.unrefTimer(setTimeout(() => read.warm(), READER_LATER_MS));
    },
    [Symbol.dispose]: () => {
      for (const pool of [read, gated, draft]) pool.close();
    },
  };
}

/** Where a draft may write, over all registered projects; none while the registry is unreadable. */
function proposalDirectories(dataDirectory: string): readonly string[] {
  let roots: readonly string[];
  try {
    roots = [...readRegistry(dataDirectory).entries.values()].map((entry) => entry.root);
  } catch {
    return []; // The tool itself refuses, with the reason.
  }
  return roots.flatMap((root) =>
    ["proposals", "proposals-local", "runtime"].map((name) => join(root, ".theurian", name))
  );
}
