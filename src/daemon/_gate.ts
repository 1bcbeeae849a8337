/** Admission to one heavy tool (daemon-and-setup.md section 10, retrieval.md section 10). */
export interface GateLimits {
  /** Permits counted at once. */
  readonly permits: number;
  /** Longest wait for a permit, in milliseconds. */
  readonly waitMs: number;
  /** A hold older than this, in milliseconds, no longer counts. */
  readonly holdMs: number;
  /** Holds that may be uncounted and unreturned at once. */
  readonly forgettable: number;
}

/** The contract's limits: at most eight calls of one tool are ever at work. */
export const GATE_LIMITS: GateLimits = { permits: 4, waitMs: 1000, holdMs: 30_000, forgettable: 4 };

/** A place at work; `release` counts once, also after the hold was forgotten. */
export interface Permit {
  release(): void;
}

interface Hold {
  readonly since: number;
  forgotten: boolean;
}

/** Permits of one tool. Time is passed in; timers only bound the wait. */
export class Gate {
  readonly #limits: GateLimits;
  readonly #now: () => number;
  readonly #holds = new Set<Hold>();
  readonly #waiting: ((permit: Permit | null) => void)[] = [];

  constructor(limits: GateLimits = GATE_LIMITS, now: () => number = () => performance.now()) {
    this.#limits = limits;
    this.#now = now;
  }

  /** Calls at work, forgotten ones included. */
  get outstanding(): number {
    return this.#holds.size;
  }

  /** A permit at once, or `null`; those who already wait come first. */
  tryAcquire(): Permit | null {
    return this.#waiting.length > 0 ? null : this.#take();
  }

  /** A permit within the wait, or `null`. */
  acquire(): Promise<Permit | null> {
    const permit = this.tryAcquire();
    if (permit !== null) return Promise.resolve(permit);
    return new Promise((resolve) => {
      const settle = (granted: Permit | null) => {
        clearTimeout(giveUp);
        clearTimeout(reclaim);
        resolve(granted);
      };
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(settle), 1);
        settle(null);
      };
      this.#waiting.push(settle);
      const giveUp = setTimeout(leave, this.#limits.waitMs);
      const reclaim = this.#wakeAtNextExpiry();
    });
  }

  #wakeAtNextExpiry(): ReturnType<typeof setTimeout> | undefined {
    const ages = [...this.#holds].filter((hold) => !hold.forgotten).map((hold) => hold.since);
    if (ages.length === 0) return undefined;
    const wait = Math.min(...ages) + this.#limits.holdMs - this.#now();
    return wait > this.#limits.waitMs
      ? undefined
      : setTimeout(() => this.#serveWaiting(), wait + 1);
  }

  #take(): Permit | null {
    this.#forgetOverdue();
    const counted = [...this.#holds].filter((hold) => !hold.forgotten).length;
    if (counted >= this.#limits.permits) return null;
    const hold: Hold = { since: this.#now(), forgotten: false };
    this.#holds.add(hold);
    return {
      release: () => {
        if (this.#holds.delete(hold)) this.#serveWaiting();
      },
    };
  }

  #forgetOverdue(): void {
    let forgotten = [...this.#holds].filter((hold) => hold.forgotten).length;
    for (const hold of this.#holds) {
      if (forgotten >= this.#limits.forgettable) return;
      if (hold.forgotten || this.#now() - hold.since <= this.#limits.holdMs) continue;
      hold.forgotten = true;
      forgotten++;
    }
  }

  #serveWaiting(): void {
    while (this.#waiting.length > 0) {
      const permit = this.#take();
      if (permit === null) return;
      this.#waiting.shift()!(permit);
    }
  }
}
