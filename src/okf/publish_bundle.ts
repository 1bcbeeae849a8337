import { dirname, join } from "node:path";
import { isFault, TheurianError } from "../platform/errors.ts";
import { createTree, removeTree, renamePath, setMode } from "../platform/files/mod.ts";
import { notEmpty, prepareTarget, refused } from "./bundle_target.ts";

/**
 * Lands a whole bundle at once: the tree is made beside the target and moved onto it, so that a
 * target never holds a part of one, and of two exports one wins (okf.md section 4). Throws
 * `bundle-target`; what was made beside the target is always gone afterwards.
 */
export function publishBundle(target: string, files: ReadonlyMap<string, Uint8Array>): void {
  const mode = prepareTarget(target);
  const staging = join(dirname(target), stagingName());
  let moved = false;
  try {
    createTree(staging, files, { label: "the bundle" });
    if (mode !== null) setMode(staging, mode, { label: "the bundle" });
    renamePath(staging, target, { label: "the target" });
    moved = true;
  } catch (cause) {
    throw targetRefusal(target, cause);
  } finally {
    // 64 random bits: nobody else's directory has this name.
    if (!moved) removeTree(staging);
  }
}

/** No item id starts with an underscore, so nothing of a bundle can be taken for it. */
function stagingName(): string {
  const random = crypto.getRandomValues(new Uint8Array(8));
  return `_okf-export-${Array.from(random, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

function targetRefusal(target: string, cause: unknown): unknown {
  if (!isFault(cause)) return cause;
  switch (cause.details?.["errno"]) {
    case "ENOTEMPTY":
    case "EEXIST":
      return notEmpty(target);
    case "ENOTDIR":
      return refused("a link or a file stands there now", target, cause);
    default:
      return new TheurianError("bundle-target", cause.message, { remedy: cause.remedy, cause });
  }
}
