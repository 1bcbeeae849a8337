/**
 * A whole bundle in memory: every file by its path, and the digest that tells two bundles apart
 * (okf.md section 3).
 *
 * @module
 */

import { sha256Hex } from "../platform/hash.ts";
import { compareCodePoints } from "../platform/text.ts";
import { conceptPlace, inDirectory, MANIFEST } from "./bundle_paths.ts";
import type { BundleConcept } from "./population.ts";
import { EXPORT_VERSION, renderConcept, sidecarName } from "./render_concept.ts";
import { renderIndexes } from "./render_index.ts";

/** A rendered bundle. */
export interface RenderedBundle {
  /** Bytes by POSIX path relative to the bundle, the manifest included. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly concepts: number;
  readonly sidecars: number;
  readonly indexes: number;
  /** SHA-256 over every file but the manifest, bare hex. */
  readonly digest: string;
}

/** Renders the concepts; `generatedBy` is an actor without white space, such as `theurian/1.2.3`. */
export function renderBundle(
  concepts: readonly BundleConcept[],
  generatedBy: string,
): RenderedBundle {
  const encoder = new TextEncoder();
  const files = new Map<string, Uint8Array>();
  let sidecars = 0;
  for (const concept of concepts) {
    const { directory, stem } = conceptPlace(concept.item.itemId);
    files.set(
      inDirectory(directory, `${stem}.md`),
      encoder.encode(renderConcept(concept, generatedBy)),
    );
    const sidecar = sidecarName(concept);
    if (sidecar === null) continue;
    sidecars++;
    files.set(inDirectory(directory, sidecar), encoder.encode(concept.revision.body));
  }
  const indexes = renderIndexes(concepts);
  for (const [path, text] of indexes) files.set(path, encoder.encode(text));
  refuseStrayPaths(files);
  const digest = bundleDigest(files);
  files.set(MANIFEST, encoder.encode(manifestText(digest)));
  return { files, concepts: concepts.length, sidecars, indexes: indexes.size, digest };
}

/** The digest of a bundle's files; its manifest takes no part (okf.md 3.8). */
export function bundleDigest(files: ReadonlyMap<string, Uint8Array>): string {
  return digestOfHashes(new Map([...files].map(([path, bytes]) => [path, sha256Hex(bytes)])));
}

/** The digest from the SHA-256 of each file by its path. */
export function digestOfHashes(hashes: ReadonlyMap<string, string>): string {
  const lines = [...hashes].filter(([path]) => path !== MANIFEST)
    .sort(([a], [b]) => compareCodePoints(a, b))
    .map(([path, hash]) => `${path}\n${hash}\n`);
  return sha256Hex(lines.join(""));
}

function manifestText(digest: string): string {
  return `---
type: Theurian Bundle
theurian_export_version: ${EXPORT_VERSION}
theurian_bundle_digest: ${digest}
---

# Theurian Bundle

These files are a copy of approved knowledge as it stood when they were exported. They are no
record of truth and nothing to cite: the knowledge itself is reviewed and kept elsewhere.

What is withdrawn, corrected or found to be secret later does not reach this copy. Compare
\`theurian_bundle_digest\` with that of a fresh export before relying on it.
`;
}

/** Ids can spell no way out; a path that leads out is a defect and never reaches a disk. */
function refuseStrayPaths(files: ReadonlyMap<string, unknown>): void {
  for (const path of files.keys()) {
    if (path.startsWith("/") || path.split("/").some((part) => part === ".." || part === "")) {
      throw new TypeError("A bundle member lies outside the bundle");
    }
  }
}
