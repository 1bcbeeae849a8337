import { sep } from "node:path";
import { isFault, TheurianError } from "../platform/errors.ts";

/** Where a call looked: absolute places of this machine that no caller needs to read about. */
export interface Places {
  readonly dataDirectory: string;
  /** Root of the project that the call resolved, once it did. */
  readonly root?: string;
}

/**
 * A fault as a caller over MCP may read it. Below the project's root and the data directory files
 * are named from there; an escape is answered by one constant that names no path at all
 * (daemon-and-setup.md 8.5, retrieval.md 9.1). Other faults come back as they are.
 */
export function wireRefusal(error: TheurianError, places: Places): TheurianError {
  if (isFault(error, "path-escape") && error.details?.["route"] !== undefined) return pathEscape();
  const message = withoutPlaces(error.message, places);
  const remedy = withoutPlaces(error.remedy, places);
  if (message === error.message && remedy === error.remedy) return error;
  return new TheurianError(error.fault, message, {
    remedy,
    ...(error.details === null ? {} : { details: error.details }),
    ...(error.wireCode === null ? {} : { wireCode: error.wireCode }),
    ...(error.retryAfterSeconds === null ? {} : { retryAfterSeconds: error.retryAfterSeconds }),
    exit: error.exit,
  });
}

/** Naming the path, or where it leads, would tell a planter what was found. */
function pathEscape(): TheurianError {
  return new TheurianError(
    "path-escape",
    "Cannot serve this project: one of its paths leads out of the working tree",
    {
      remedy:
        "Remove the link that leads out (list links with `find .theurian -type l`; no trailing " +
        "slash when you remove one), then run `theurian migrate apply` and rebuild what you use " +
        "with `theurian index build`, `theurian findings build` and `theurian review build`",
    },
  );
}

function withoutPlaces(text: string, { dataDirectory, root }: Places): string {
  const named: [string, string][] = [[dataDirectory, `<data directory>${sep}`]];
  if (root !== undefined) named.push([root, ""]);
  // The longer one first: either may lie inside the other.
  named.sort(([a], [b]) => b.length - a.length);
  return named.reduce(
    (rest, [place, name]) =>
      spellings(place).reduce((left, one) => left.replaceAll(`${one}${sep}`, name), rest),
    text,
  );
}

/** As it is, and as it stands between a shell's quotes. */
function spellings(place: string): readonly string[] {
  return place === sep ? [] : [place, place.replaceAll("'", `'\\''`)];
}
