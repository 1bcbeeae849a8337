/** What a thread's tools may do beyond computing and reading. */
export interface WorkerGrant {
  /** Directories it may write below; none for a thread that only reads. */
  readonly write: readonly string[];
}

/**
 * Starts a thread for tools that holds less than the process: it reads, writes where `grant` says,
 * and has no network, programs, environment or foreign code (daemon-and-setup.md section 11).
 */
export function startToolWorker(url: URL, grant: WorkerGrant): Worker {
  return new Worker(url, {
    type: "module",
    deno: {
      permissions: {
        read: "inherit",
        write: grant.write.length === 0 ? false : [...grant.write],
        net: false,
        run: false,
        env: false,
        sys: false,
        ffi: false,
        import: false,
      },
    },
  });
}

/** Address of the shipped tools' thread, as source or in the bundle that the executable holds. */
export function toolWorkerUrl(here: string = import.meta.url): URL {
  return here.endsWith("/src/daemon/_start_tool_worker.ts")
    ? new URL("./worker.ts", here)
    : new URL("./src/daemon/worker.js", Deno.mainModule);
}
