import { basename } from "node:path";
import { type FaultCode, TheurianError } from "../errors.ts";
import { shellQuote } from "../shell_quote.ts";

interface Fault {
  readonly fault: FaultCode;
  readonly reason: string;
  readonly remedy: (path: string) => string;
}

const look = (path: string) =>
  `Check its owner and mode with: ls -ld ${shellQuote(path)}, mend what it shows, then try again`;
const rebuild = (path: string) =>
  `Move ${shellQuote(path)} away, then build it again; it can always be rebuilt`;

const BUSY: Fault = {
  fault: "database-busy",
  reason: "another process holds it",
  remedy: () => "Wait until the other theurian command has ended, then try again",
};
const UNREADABLE: Fault = {
  fault: "database-unreadable",
  reason: "its content is damaged or is not of this version",
  remedy: rebuild,
};
const CANNOT_OPEN: Fault = {
  fault: "database-unreadable",
  reason: "the operating system does not let it be opened",
  remedy: look,
};
const READ_ONLY: Fault = {
  fault: "database-not-writable",
  reason: "it cannot be written",
  remedy: look,
};
const FULL: Fault = {
  fault: "database-not-writable",
  reason: "the disk is full",
  remedy: () => "Free disk space (see: df -h), then run the command again",
};
const DISK: Fault = {
  fault: "database-unreadable",
  reason: "the disk reports an error",
  remedy: look,
};
const REFUSED: Fault = {
  fault: "internal",
  reason: "a rule of the database refuses a row",
  remedy: () => "Report this with the command you ran: theurian doctor --report",
};

/** Primary result codes of SQLite; what is not listed counts as unreadable. */
const BY_CODE: Readonly<Record<number, Fault>> = {
  5: BUSY,
  6: BUSY,
  8: READ_ONLY,
  10: DISK,
  13: FULL,
  14: CANNOT_OPEN,
  19: REFUSED,
};

/** Scripts give no code; these are the engine's own fixed texts. */
const BY_TEXT: readonly (readonly [RegExp, number])[] = [
  [/^database (table |schema )?is locked/, 5],
  [/^attempt to write a readonly database/, 8],
  [/^disk I\/O error/, 10],
  [/^database or disk is full/, 13],
  [/^unable to open database file/, 14],
  [/ constraint failed/, 19],
];

/** Turns an error of the engine into a refusal that holds no SQL and no stored value. */
export function databaseRefusal(action: string, path: string, error: unknown): unknown {
  if (!isEngineError(error)) return error;
  const code = resultCode(error);
  const known = BY_CODE[code] ?? UNREADABLE;
  return new TheurianError(
    known.fault,
    `Cannot ${action} ${basename(path) || path}: ${known.reason}`,
    { remedy: known.remedy(path), details: { sqlite: code }, cause: error },
  );
}

interface EngineError extends Error {
  readonly code: string;
  readonly errcode?: number;
}

// A number beyond 2^53 in a cell counts as a damaged cell; callers that store larger ones select
// them as text.
function isEngineError(error: unknown): error is EngineError {
  const code = error instanceof Error ? (error as { code?: unknown }).code : null;
  return code === "ERR_SQLITE_ERROR" || code === "ERR_OUT_OF_RANGE";
}

function resultCode(error: EngineError): number {
  if (error.errcode !== undefined) return error.errcode & 0xff;
  return BY_TEXT.find(([text]) => text.test(error.message))?.[1] ?? 1;
}
