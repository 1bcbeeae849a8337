import { ensureDirectory } from "../platform/files/mod.ts";
import { TheurianError } from "../platform/errors.ts";

/** Makes the data directory, private to its owner (corpus-and-migrations.md 7.1). */
export function ensureDataDirectory(dataDirectory: string): void {
  try {
    ensureDirectory(dataDirectory, { mode: 0o700, label: "the data directory" });
  } catch (cause) {
    if (!(cause instanceof TheurianError)) throw cause;
    throw new TheurianError("data-directory-unusable", cause.message, {
      remedy: `${cause.remedy}, or set THEURIAN_DATA_DIR to a directory of your own`,
      cause,
    });
  }
}
