import { join } from "node:path";
import { describePath, listDirectory, realPath } from "../platform/files/mod.ts";

/**
 * Project-relative paths of the files below a directory, ordered component by component. Names that
 * start with a dot are left out, directory links are not followed, links to files and special files
 * are listed: reading them decides (corpus-and-migrations.md section 17).
 */
export function* sourceFiles(root: string, directory: string): Generator<string> {
  for (const { name, kind } of listDirectory(join(root, directory), { label: directory })) {
    const path = `${directory}/${name}`;
    if (kind === "directory") yield* sourceFiles(root, path);
    else if (!name.startsWith(".") && !leadsToDirectory(join(root, path), kind)) yield path;
  }
}

function leadsToDirectory(path: string, kind: string): boolean {
  if (kind !== "link") return false;
  const target = realPath(path);
  return target !== null && describePath(target)?.kind === "directory";
}
