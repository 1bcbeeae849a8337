import { isFault, TheurianError } from "../platform/errors.ts";
import {
  containedPath,
  describePath,
  type DirectoryEntry,
  listDirectory,
  realPath,
} from "../platform/files/mod.ts";
import { join } from "node:path";
import { escapeControls } from "../platform/text.ts";
import type { ProjectPaths } from "../projects/mod.ts";
import { type LoadFault, ruleFault } from "./migration_fault.ts";

/** Most files in the migrations directory (corpus-and-migrations.md section 8). */
const FILE_LIMIT = 10_000;

/** Where migrations lie, relative to the project. */
export const MIGRATIONS_PATH = ".theurian/migrations";

/** Path of a migration file as people and Git know it. */
export function migrationPath(name: string): string {
  return `${MIGRATIONS_PATH}/${name}`;
}

/**
 * Names of the migration files in byte order; an entry that must not be dropped in silence stands as
 * a fault in its place. Throws when the directory is a link that leads nowhere or out of the project, cannot be listed,
 * or holds too many files.
 */
export function listMigrationFiles(paths: ProjectPaths): readonly (string | LoadFault)[] {
  if (!isDirectory(paths)) return [];
  const files: (string | LoadFault)[] = [];
  for (const entry of list(paths)) {
    if (!entry.name.endsWith(".yaml")) continue;
    const verdict = judge(paths, entry);
    if (verdict === "load") files.push(entry.name);
    else if (verdict !== "ignore") files.push(verdict);
  }
  if (files.length > FILE_LIMIT) {
    throw new TheurianError(
      "migration-set-invalid",
      `Cannot load ${MIGRATIONS_PATH}: it holds more than ${FILE_LIMIT} migrations`,
      { remedy: "Merge old migrations into fewer files, then run: theurian migrate validate" },
    );
  }
  return files;
}

function isDirectory(paths: ProjectPaths): boolean {
  const label = { label: MIGRATIONS_PATH };
  const facts = describePath(paths.migrations, label);
  if (facts === null) return false;
  if (facts.kind !== "link") return facts.kind === "directory";
  containedPath(paths.root, MIGRATIONS_PATH, label);
  const target = realPath(paths.migrations);
  if (target === null) {
    throw new TheurianError(
      "migration-set-invalid",
      `Cannot load ${MIGRATIONS_PATH}: it is a symbolic link that leads nowhere`,
      { remedy: `Put a directory in its place; see what it names with: ls -l ${MIGRATIONS_PATH}` },
    );
  }
  return describePath(target, label)?.kind === "directory";
}

function list(paths: ProjectPaths): readonly DirectoryEntry[] {
  try {
    return listDirectory(realPath(paths.migrations) ?? paths.migrations, {
      label: MIGRATIONS_PATH,
    });
  } catch (error) {
    if (!isFault(error)) throw error;
    throw new TheurianError("migration-set-invalid", error.message, {
      remedy: error.remedy,
      cause: error,
    });
  }
}

function judge(paths: ProjectPaths, entry: DirectoryEntry): "load" | "ignore" | LoadFault {
  if (entry.kind === "file") return "load";
  if (entry.kind === "directory") return "ignore";
  const path = escapeControls(migrationPath(entry.name));
  if (entry.kind === "other") return irregular(path);
  const target = realPath(join(paths.migrations, entry.name));
  if (target === null) {
    return ruleFault(path, "<root>", "it is a symbolic link that leads nowhere or in a circle");
  }
  // A link that leaves the project is refused by the read, before its target's shape is told.
  const kind = describePath(target, { label: path })?.kind;
  if (kind === "directory") return "ignore";
  return kind === "file" ? "load" : irregular(path);
}

/** A pipe, socket or device is refused by its shape, without being opened (decision 42). */
function irregular(path: string): LoadFault {
  return ruleFault(path, "<root>", "it is not a regular file", {
    fault: "file-irregular",
    remedy: `Remove ${path}, or put a regular file in its place`,
  });
}
