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
      return isWithheld(error) ? refusedAccess(REFUSED, LOOK, error) : damaged(DAMAGED, error);
    case "internal":
      return damaged(DAMAGED, error);
    case "database-irregular":
      return damaged("it is not a regular file", error);
    case "database-busy":
      return refusedAccess("another process holds it", error.remedy, error);
    case "database-not-writable":
      return refusedAccess(REFUSED, LOOK, error);
    default:
      return error;
  }
}

const DAMAGED = "its content is damaged";
const REFUSED = "the operating system refuses access to it";
const LOOK = "Check the owner and mode of .theurian/state/ with: ls -la .theurian/state";

/** A file that may not be opened, or a disk that fails: building it again would mend neither. */
function isWithheld({ details }: TheurianError): boolean {
  return details?.["sqlite"] === 14 || details?.["sqlite"] === 10;
}

function refusedAccess(why: string, remedy: string, cause: unknown): TheurianError {
  return new TheurianError("state-unreadable", `Cannot read the state database: ${why}`, {
    remedy,
    cause,
  });
}
