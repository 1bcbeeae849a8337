import { join } from "node:path";
import { containedPath, createFile, describePath, ensureDirectory } from "../platform/files/mod.ts";
import { KNOWLEDGE_DIRECTORY, type ProjectPaths } from "./project_paths.ts";

const DIRECTORIES = [
  "knowledge/architecture",
  "knowledge/domain",
  "knowledge/operations",
  "knowledge/security",
  "knowledge/testing",
  "migrations",
  "specifications",
  "evaluations",
  "proposals",
  "proposals-local",
  "schema",
  "state",
  "cache",
  "runtime",
  "generated",
];

/** Directories that Git would not keep empty, though every clone needs them. */
const KEPT = ["migrations", "specifications", "proposals"];

/**
 * Creates what is missing of the project's layout and answers it project-relative, in creation order
 * (corpus-and-migrations.md section 5). Nothing that exists is touched. Throws `directory-expected`
 * where something else stands at a directory's path, `path-escape` for a link out of the root.
 */
export function createLayout(paths: ProjectPaths): string[] {
  const created: string[] = [];
  const labels = DIRECTORIES.map((name) => `${KNOWLEDGE_DIRECTORY}/${name}`);
  for (const label of labels) containedPath(paths.root, label, { label });
  for (const label of labels) {
    if (ensureDirectory(join(paths.root, label), { label })) created.push(label);
  }
  for (const name of KEPT) {
    const label = `${KNOWLEDGE_DIRECTORY}/${name}/.gitkeep`;
    const path = join(paths.root, label);
    if (describePath(path, { label }) !== null) continue;
    createFile(path, "", { mode: 0o644, label });
    created.push(label);
  }
  return created;
}
