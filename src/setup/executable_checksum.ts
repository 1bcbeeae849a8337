import { createHash } from "node:crypto";
import { dirname, join } from "node:path";
import { decodeUtf8, openRandomAccess, readRegularFileIfPresent } from "../platform/files/mod.ts";

/** Largest checksum file that is read, in bytes. */
const CHECKSUM_FILE_BYTES = 4096;

/** How much of the executable is read at once, in bytes. */
const CHUNK_BYTES = 4 << 20;

/** What the checksum beside an executable says of it. */
export type ChecksumVerdict =
  /** No installer left one. */
  | { readonly kind: "unrecorded" }
  /** The file is there and holds no checksum. */
  | { readonly kind: "malformed" }
  | { readonly kind: "same"; readonly digest: string }
  | { readonly kind: "other"; readonly digest: string; readonly recorded: string };

/** Where an installer leaves the checksum that a release gives its executable. */
export function checksumPath(executable: string): string {
  return join(dirname(executable), "theurian.sha256");
}

/**
 * Compares an executable with the checksum that its archive carried and that the installer left
 * beside it: one line, 64 hex digits, two spaces, a name. Reads and nothing else; it tells a damaged
 * or half-replaced file, not one whose owner was attacked, who could write both. Throws as
 * `readRegularFile` does.
 */
export function verifyExecutable(executable: string): ChecksumVerdict {
  const bytes = readRegularFileIfPresent(checksumPath(executable), {
    maxBytes: CHECKSUM_FILE_BYTES,
  });
  if (bytes === null) return { kind: "unrecorded" };
  const recorded = /^([0-9a-f]{64}) [ *]\S+\r?\n?$/.exec(decodeUtf8(bytes) ?? "")?.[1];
  if (recorded === undefined) return { kind: "malformed" };
  const digest = digestOf(executable);
  return digest === recorded ? { kind: "same", digest } : { kind: "other", digest, recorded };
}

function digestOf(path: string): string {
  using file = openRandomAccess(path);
  const hash = createHash("sha256");
  for (let at = 0; file !== null && at < file.size;) {
    const chunk = file.read(at, CHUNK_BYTES);
    if (chunk.length === 0) break;
    hash.update(chunk);
    at += chunk.length;
  }
  return hash.digest("hex");
}
