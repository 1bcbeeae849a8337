import { isFault, TheurianError } from "../platform/errors.ts";
import { damaged } from "./_stored_facts.ts";

/** Turns what the door to SQLite refuses into the state's own refusal (retrieval.md 9.2). */
export function guarded<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw stateRefusal(error);
  }
}

/** The state's refusal for a fault of the database; everything else is passed on. */
export function stateRefusal(error: unknown): unknown {
  if (!isFault(error)) return error;
  switch (error.fault) {
    case "database-unreadable":
    case "internal":
      return damaged("its content is damaged", error);
    case "database-irregular":
      return damaged("it is not a regular file", error);
    case "database-busy":
      return refusedAccess("another process holds it", error.remedy, error);
    case "database-not-writable":
      return refusedAccess(
        "the operating system refuses access to it",
        "Check the owner and mode of .theurian/state/ with: ls -la .theurian/state",
        error,
      );
    default:
      return error;
  }
}

function refusedAccess(why: string, remedy: string, cause: unknown): TheurianError {
  return new TheurianError("state-unreadable", `Cannot read the state database: ${why}`, {
    remedy,
    cause,
  });
}
