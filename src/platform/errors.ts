/**
 * The one error type of the product. A fault is a value with a code from a closed set; the command
 * line and the MCP edge are the only places that render it.
 *
 * @module
 */

/** Process exit codes (cli-and-plugins.md, section 2). */
export type ExitCode = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 130 | 143;

/** Codes that a client may read from `_meta["dev.theurian/error"].code` (mcp-tools.md, Errors). */
export type WireCode =
  | "PROJECT_NOT_REGISTERED"
  | "NOT_AUTHORIZED"
  | "SNAPSHOT_NOT_FOUND"
  | "INDEX_BUILDING"
  | "REVISION_CONFLICT"
  | "MIGRATION_CHECKSUM_MISMATCH"
  | "INVALID_INPUT";

/**
 * Exit code of each fault. A row may be overridden where a command's own table says otherwise; the
 * default is what most commands answer.
 */
const EXIT_OF_FAULT = {
  "usage": 2,
  "invalid-input": 2,
  "internal": 1,
  "interrupted": 130,

  "file-missing": 4,
  "file-unreadable": 4,
  "file-not-writable": 4,
  "file-exists": 4,
  "file-irregular": 1,
  "file-link": 4,
  "file-too-large": 1,
  "directory-expected": 1,
  "path-escape": 4,
  "path-too-deep": 4,
  "lock-timeout": 4,
  "lock-refused": 4,
  "process-failed": 1,
  "process-timeout": 1,
  "process-output": 1,

  "database-missing": 1,
  "database-irregular": 4,
  "database-busy": 4,
  "database-unreadable": 4,
  "database-not-writable": 4,

  "not-a-repository": 1,
  "project-unknown": 1,
  "project-conflict": 1,
  "registry-unreadable": 1,
  "registry-ambiguous": 1,
  "configuration-invalid": 1,
  "gitignore-refused": 1,

  "yaml-invalid": 4,
  "yaml-too-large": 1,
  "schema-violation": 4,
  "schema-set-invalid": 1,
  "migration-invalid": 4,
  "migration-set-invalid": 4,
  "migration-refused": 4,
  "migration-uncommitted": 4,
  "checksum-mismatch": 4,
  "revision-conflict": 4,
  "state-pointer-corrupt": 1,
  "state-unreadable": 4,
  "state-unbuilt": 1,
  "state-untrusted": 1,

  "index-unusable": 1,
  "index-pointer-corrupt": 1,
  "build-failed": 1,

  "proposal-unusable": 1,
  "proposal-accepted": 4,
  "proposals-full": 1,
  "secret-found": 1,
  "capacity": 1,
  "review-unusable": 1,
  "bundle-invalid": 2,
  "bundle-target": 1,

  "data-directory-unusable": 1,
  "token-unusable": 1,
  "serving-profile-invalid": 1,
  "daemon-conflict": 1,
  "service-unavailable": 1,
  "not-authorized": 1,
  "item-not-found": 1,
  "document-failed": 4,
} as const satisfies Record<string, ExitCode>;

/** Closed set of fault codes. */
export type FaultCode = keyof typeof EXIT_OF_FAULT;

/** Typed facts about a fault; values are ours (paths, lines, counts), never a caller's text. */
export type FaultDetails = Readonly<Record<string, string | number | boolean | null>>;

/** What a {@linkcode TheurianError} carries besides its message. */
export interface FaultOptions {
  /** What the reader can type or do, first step first. Never empty. */
  readonly remedy: string;
  /** Structured facts for the wire's `details`. */
  readonly details?: FaultDetails;
  /** Code published over MCP; absent means `null` there. */
  readonly wireCode?: WireCode;
  /** Seconds after which the same call may succeed. */
  readonly retryAfterSeconds?: number;
  /** Exit code, where a command's table differs from the fault's default. */
  readonly exit?: ExitCode;
  /** The error that caused this one; logged by type, never rendered. */
  readonly cause?: unknown;
}

/**
 * A refusal or failure in the product's own words. `message` starts with a capital, says what could
 * not be done and why, ends without a full stop, and never holds a caller's value.
 */
export class TheurianError extends Error {
  override readonly name = "TheurianError";
  readonly fault: FaultCode;
  readonly remedy: string;
  readonly details: FaultDetails | null;
  readonly wireCode: WireCode | null;
  readonly retryAfterSeconds: number | null;
  readonly exit: ExitCode;

  constructor(fault: FaultCode, message: string, options: FaultOptions) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.fault = fault;
    this.remedy = options.remedy;
    this.details = options.details ?? null;
    this.wireCode = options.wireCode ?? null;
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
    this.exit = options.exit ?? EXIT_OF_FAULT[fault];
  }
}

/** True when `error` is a {@linkcode TheurianError}, optionally with one of the given fault codes. */
export function isFault(error: unknown, ...faults: FaultCode[]): error is TheurianError {
  return error instanceof TheurianError &&
    (faults.length === 0 || faults.includes(error.fault));
}

/**
 * Short name of what was thrown: our fault code, an errno such as `ENOSPC`, or the error's class.
 * Safe to publish: holds no path and no message.
 */
export function errorKind(error: unknown): string {
  if (error instanceof TheurianError) return error.fault;
  if (error instanceof Error) {
    const code = (error as { code?: unknown }).code;
    return typeof code === "string" && /^[A-Z][A-Z0-9_]*$/.test(code) ? code : error.name;
  }
  return typeof error;
}
