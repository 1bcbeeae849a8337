/**
 * A seam for tests: every step that changes the disk passes through {@linkcode writePoint}. A test
 * may install a hook that throws (a full disk), or ends the process (a crash), at the nth step. No
 * flag, variable or file reaches it; without a hook a step costs one comparison.
 */

/** What is about to happen. `write-rest` stands in the middle of a write when a hook is installed. */
export type WriteStep =
  | "create"
  | "write"
  | "write-rest"
  | "flush"
  | "rename"
  | "link"
  | "flush-directory"
  | "remove"
  | "make-directory"
  | "set-mode";

/** Called before each step; what it throws is what the system would have thrown. */
export type WritePointHook = (step: WriteStep, path: string) => void;

let hook: WritePointHook | null = null;

/** Installs a hook, or removes it with `null`. For tests only. */
export function setWritePointHook(installed: WritePointHook | null): void {
  hook = installed;
}

/** True while a hook is installed. */
export function hasWritePointHook(): boolean {
  return hook !== null;
}

/** Passes one step. */
export function writePoint(step: WriteStep, path: string): void {
  if (hook !== null) hook(step, path);
}
