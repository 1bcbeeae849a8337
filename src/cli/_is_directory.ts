import { describePath, realPath } from "../platform/files/mod.ts";

/** True for a directory, also one that a link leads to. */
export function isDirectory(path: string): boolean {
  const real = realPath(path);
  return real !== null && describePath(real)?.kind === "directory";
}
