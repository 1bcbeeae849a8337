import { TheurianError } from "../errors.ts";
import { decodeUtf8 } from "../files/mod.ts";

/**
 * Text of a column selected as `CAST(x AS BLOB)`: the runtime ends a text value at its first NUL,
 * a blob keeps all of it (index-build.md 3.3). Throws `database-unreadable` when the cell is no
 * UTF-8 or no blob.
 */
export function blobText(blob: Uint8Array): string {
  const text = blob instanceof Uint8Array ? decodeUtf8(blob) : null;
  if (text !== null) return text;
  throw new TheurianError(
    "database-unreadable",
    "Cannot read a stored text: it is not valid UTF-8",
    { remedy: "Build the database again; it can always be rebuilt" },
  );
}
