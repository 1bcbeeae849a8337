/**
 * A service definition on disk, and steps that end at the first failure.
 *
 * @module
 */

import { dirname } from "node:path";
import { errorKind } from "../../platform/errors.ts";
import {
  ensureDirectory,
  removeEmptyDirectory,
  removeFile,
  replaceFile,
} from "../../platform/files/mod.ts";
import type { OutsideResult } from "./outside_command.ts";

/** Runs steps until one fails. */
export async function inTurn(
  steps: readonly (() => OutsideResult | Promise<OutsideResult>)[],
): Promise<OutsideResult> {
  let last: OutsideResult = { code: 0, output: "" };
  for (const step of steps) {
    last = await step();
    if (last.code !== 0) return last;
  }
  return last;
}

/** Lands a definition by rename; the temporary's name is fixed, so a leftover is seen. */
export function writeDefinition(path: string, definition: string): OutsideResult {
  try {
    ensureDirectory(dirname(path), { mode: 0o755 });
    replaceFile(path, definition, { mode: 0o644, temporary: `${path}.tmp` });
    return { code: 0, output: "" };
  } catch (error) {
    return { code: 126, output: error instanceof Error ? error.message : errorKind(error) };
  }
}

/** Removes a definition, and then the directories it lay in, the inmost first, while they are empty. */
export function removeDefinition(path: string, directories: readonly string[] = []): OutsideResult {
  try {
    removeFile(path);
    directories.every((directory) => removeEmptyDirectory(directory));
    return { code: 0, output: "" };
  } catch (error) {
    return { code: 126, output: error instanceof Error ? error.message : errorKind(error) };
  }
}
