/**
 * Threads that run tools, started on demand and replaced when they die.
 *
 * @module
 */

import type { Job, Outcome, SentJob, WorkerContext } from "./_worker_protocol.ts";

/** A pool's shape. */
export interface PoolLimits {
  /** Threads at work at once, overdue ones not counted. */
  readonly threads: number;
  /** After this many milliseconds at one job a thread is overdue and another may take its place. */
  readonly overdueMs: number;
  /** Overdue threads that may exist at once. */
  readonly overdueThreads: number;
  /** A thread that idled this long, in milliseconds, is ended. */
  readonly idleMs: number;
  /** The same for a thread beside others: a burst is over sooner than a session. */
  readonly spareIdleMs: number;
}

interface Thread {
  readonly worker: Worker;
  busyWith: string | null;
  overdue: boolean;
  outdated: boolean;
  /** When the thread has been at it for too long, and what follows; see `#expect`. */
  dueAt: number;
  onDue: () => void;
  settle: ((outcome: Outcome) => void) | null;
  /** The context that it was given last; a copy of it takes longer than most questions. */
  context: WorkerContext | null;
}

interface Waiting {
  readonly job: Job;
  readonly settle: (outcome: Outcome) => void;
}

/** A set of threads of one kind. A class for the threads' lifetime. */
export class WorkerPool {
  readonly #spawn: () => Worker;
  readonly #limits: PoolLimits;
  readonly #threads = new Set<Thread>();
  readonly #waiting: Waiting[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #wakesAt = Infinity;
  #closed = false;

  constructor(spawn: () => Worker, limits: PoolLimits) {
    this.#spawn = spawn;
    this.#limits = limits;
  }

  /** Threads alive now. */
  get size(): number {
    return this.#threads.size;
  }

  /** Starts a first thread, so that the next job need not wait for one. */
  warm(): void {
    if (this.#threads.size === 0 && !this.#closed) this.#rest(this.#start());
  }

  /** Does a job on a free thread; never rejects. */
  run(job: Job): Promise<Outcome> {
    return new Promise((settle) => {
      const thread = this.#closed ? null : this.#freeThread(job.tool);
      if (thread !== null) this.#give(thread, { job, settle });
      else if (this.#closed) settle(lost("pool-closed"));
      else this.#waiting.push({ job, settle });
    });
  }

  /** Ends every thread as soon as it is free, so that the next job runs on a new one. */
  renew(): void {
    for (const thread of this.#threads) {
      thread.outdated = true;
      if (thread.busyWith === null) this.#end(thread, "outdated");
    }
  }

  /** Ends every thread; unfinished jobs answer as defects. */
  close(): void {
    this.#closed = true;
    for (const thread of this.#threads) this.#end(thread, "pool-closed");
    for (const { settle } of this.#waiting.splice(0)) settle(lost("pool-closed"));
  }

  /**
   * An idle thread, else a new one while the pool may grow. A tool none of whose calls runs may
   * always have one, so that a crowd at one tool never shuts out another.
   */
  #freeThread(tool: string): Thread | null {
    const idle = this.#threads.values().find((thread) => thread.busyWith === null);
    if (idle !== undefined) return idle;
    const counted = [...this.#threads].filter((thread) => !thread.overdue);
    const mayGrow = counted.length < this.#limits.threads ||
      !counted.some((thread) => thread.busyWith === tool);
    return mayGrow ? this.#start() : null;
  }

  #start(): Thread {
    const worker = this.#spawn();
    const thread: Thread = {
      worker,
      busyWith: null,
      overdue: false,
      outdated: false,
      dueAt: Infinity,
      onDue: () => {},
      settle: null,
      context: null,
    };
    worker.onmessage = ({ data: outcome }: MessageEvent<Outcome>) => {
      const { settle } = thread;
      thread.settle = null;
      if (outcome.kind === "defect" && outcome.fatal) this.#end(thread, "worker-died");
      else this.#rest(thread);
      settle?.(outcome);
      this.#serveWaiting();
    };
    worker.onerror = (event) => {
      event.preventDefault();
      this.#end(thread, "worker-died");
      this.#serveWaiting();
    };
    this.#threads.add(thread);
    return thread;
  }

  #give(thread: Thread, { job, settle }: Waiting): void {
    thread.busyWith = job.tool;
    thread.settle = settle;
    this.#expect(thread, this.#limits.overdueMs, () => this.#markOverdue(thread));
    const { context, ...rest } = job;
    const sent: SentJob = thread.context === context ? rest : job;
    thread.context = context;
    thread.worker.postMessage(sent);
  }

  #rest(thread: Thread): void {
    thread.busyWith = null;
    thread.overdue = false;
    if (thread.outdated) return this.#end(thread, "outdated");
    const { idleMs, spareIdleMs } = this.#limits;
    const isSpare = this.#threads.size > 1;
    const tire = isSpare ? () => this.#tireSpare(thread) : () => this.#end(thread, "idle");
    this.#expect(thread, isSpare ? spareIdleMs : idleMs, tire);
  }

  /**
   * Has something happen to a thread after a while, in place of what was to happen to it. One timer
   * serves the pool and is set only for what comes first: two timers a job were a third of its cost.
   */
  #expect(thread: Thread, milliseconds: number, onDue: () => void): void {
    thread.dueAt = performance.now() + milliseconds;
    thread.onDue = onDue;
    if (thread.dueAt < this.#wakesAt) this.#wakeAt(thread.dueAt);
  }

  #wakeAt(moment: number): void {
    clearTimeout(this.#timer);
    this.#wakesAt = moment;
    if (moment === Infinity) return;
    this.#timer = setTimeout(() => this.#serveDue(), Math.max(0, moment - performance.now()));
    Deno.unrefTimer(this.#timer);
  }

  #serveDue(): void {
    const now = performance.now();
    for (const thread of this.#threads) {
      if (thread.dueAt > now) continue;
      thread.dueAt = Infinity;
      thread.onDue();
    }
    this.#wakeAt(Math.min(...[...this.#threads].map((thread) => thread.dueAt)));
  }

  /** The last one of a burst stays as long as a lone thread does. */
  #tireSpare(thread: Thread): void {
    if (this.#threads.size > 1) this.#end(thread, "idle");
    else this.#rest(thread);
  }

  #markOverdue(thread: Thread): void {
    const overdue = [...this.#threads].filter((other) => other.overdue).length;
    if (overdue >= this.#limits.overdueThreads) return;
    thread.overdue = true;
    this.#serveWaiting();
  }

  #end(thread: Thread, what: string): void {
    this.#threads.delete(thread);
    if (this.#threads.size === 0) this.#wakeAt(Infinity);
    thread.worker.terminate();
    thread.settle?.(lost(what));
    thread.settle = null;
  }

  #serveWaiting(): void {
    for (let at = 0; at < this.#waiting.length;) {
      const thread = this.#freeThread(this.#waiting[at]!.job.tool);
      if (thread === null) at++;
      else this.#give(thread, this.#waiting.splice(at, 1)[0]!);
    }
  }
}

function lost(what: string): Outcome {
  return { kind: "defect", what, frames: "" };
}
