/**
 * Whether a bundle still is what its manifest says (okf.md 3.8; section 6). The digest is no
 * signature: it tells a copy that was changed or cut, not one that was made up.
 *
 * @module
 */

import { join } from "node:path";
import { cutFrontMatter } from "../ingest/mod.ts";
import { isFault } from "../platform/errors.ts";
import { decodeUtf8, listDirectory, readRegularFile } from "../platform/files/mod.ts";
import { sha256Hex } from "../platform/hash.ts";
import { parseBundleYaml } from "../platform/yaml/mod.ts";
import { readBundleFile } from "./bundle_files.ts";
import { inDirectory, MANIFEST } from "./bundle_paths.ts";
import { digestOfHashes } from "./render_bundle.ts";

/** Largest member that is read: a concept holds a body of 8 MiB and what is said about it. */
const MEMBER_BYTES = 33_554_432;

/**
 * Compares the files below `root` with the digest of the manifest; `null` where there is no manifest
 * that names one. A link, a pipe or an unreadable file is no member of an exported bundle.
 */
export function bundleDigestMatches(root: string): boolean | null {
  const declared = declaredDigest(root);
  if (declared === null) return null;
  const hashes = memberHashes(root);
  return hashes !== null && digestOfHashes(hashes) === declared;
}

function declaredDigest(root: string): string | null {
  const bytes = readBundleFile(root, "", MANIFEST);
  const text = "reason" in bytes ? null : decodeUtf8(bytes);
  const block = text === null ? undefined : cutFrontMatter(text)?.block;
  if (block === undefined) return null;
  try {
    const front = parseBundleYaml(new TextEncoder().encode(block), "the manifest");
    const digest = (front as Readonly<Record<string, unknown>> | null)?.["theurian_bundle_digest"];
    return typeof digest === "string" && /^[0-9a-f]{64}$/.test(digest) ? digest : null;
  } catch (error) {
    if (isFault(error)) return null;
    throw error;
  }
}

/** SHA-256 of each file by path, or `null` when the tree holds what no export writes. */
function memberHashes(root: string): ReadonlyMap<string, string> | null {
  const hashes = new Map<string, string>();
  const pending = [""];
  try {
    for (let directory = pending.pop(); directory !== undefined; directory = pending.pop()) {
      for (const { name, kind } of listDirectory(join(root, directory))) {
        const path = inDirectory(directory, name);
        if (kind === "directory") pending.push(path);
        else if (kind !== "file") return null;
        else {
          const bytes = readRegularFile(join(root, path), { maxBytes: MEMBER_BYTES });
          hashes.set(path, sha256Hex(bytes));
        }
      }
    }
  } catch (error) {
    if (isFault(error)) return null;
    throw error;
  }
  return hashes;
}
