import { isAbsolute, relative, sep } from "node:path";
import { isFault } from "../platform/errors.ts";
import { decodeUtf8, type SourceFile } from "../platform/files/mod.ts";
import { gitBlobId } from "../platform/git.ts";
import { sha256Hex } from "../platform/hash.ts";
import { escapeControls } from "../platform/text.ts";
import { parseYaml, type YamlDocument } from "../platform/yaml/mod.ts";
import { bodyLabel, bodyLocation, type LoadedBodies, rereadFile } from "./_loaded_bodies.ts";
import type { SourceReader } from "./_source_reader.ts";
import { LazyMigration } from "./_lazy_migration.ts";
import type { KnownMigration, SourceCache } from "./source_cache.ts";
import { migrationPath } from "./_list_migration_files.ts";
import type { Migration } from "./migration.ts";
import { outlineOf } from "./migration_outline.ts";
import { doorFault, type LoadFault, ruleFault } from "./migration_fault.ts";
import type { BodyFiles, LoadedMigration } from "./migration_set.ts";
import { parseMigration } from "./parse_migration.ts";
import type { SchemaFault } from "./schema_faults.ts";

/** What reading the files of one set shares. */
export interface Sources {
  readonly reader: SourceReader;
  readonly cache: SourceCache;
  /** Keeps the bytes of every file that is read. */
  readonly toApply: boolean;
  readonly bodies: LoadedBodies;
}

/** One file's migration, or its faults. */
export type MigrationFile =
  | { readonly loaded: LoadedMigration; readonly faults: readonly [] }
  | { readonly loaded: null; readonly faults: readonly LoadFault[] };

/** Reads and checks one migration file and the bodies it names. Throws only what is not a refusal. */
export function readMigrationFile(sources: Sources, name: string): MigrationFile {
  const path = migrationPath(name);
  const label = escapeControls(path);
  try {
    const document = readDocument(sources, name, label);
    if (document.migration === null) return { loaded: null, faults: document.faults };
    const { bodyFiles, faults } = readBodies(sources, name, label, document);
    if (faults.length > 0) return { loaded: null, faults };
    return { loaded: { ...document, path, bodyFiles }, faults: [] };
  } catch (error) {
    if (!isFault(error)) throw error;
    return { loaded: null, faults: [doorFault(label, "<root>", error)] };
  }
}

type KnownDocument = Omit<LoadedMigration, "path" | "bodyFiles">;
type Document =
  | KnownDocument
  | { readonly migration: null; readonly faults: readonly LoadFault[] };

/** The file is read unless it is known, and parsed unless its bytes are known. */
function readDocument(sources: Sources, name: string, label: string): Document {
  const { reader, cache, toApply } = sources;
  const signature = reader.locate(name)?.signature ?? null;
  const known = cache.migrationAt(name, signature);
  if (known !== null) return knownDocument(sources, name, label, known);
  const { bytes } = reader.read(name, label);
  const checksum = sha256Hex(bytes);
  const same = cache.migrationOf(checksum, name, signature);
  if (same !== null) return knownDocument(sources, name, label, same);
  const { migration, faults } = parseDocument(bytes, label);
  if (migration === null) return { migration, faults };
  const outline = outlineOf(migration);
  const blobId = toApply ? gitBlobId(bytes, "") : null;
  cache.noteMigration(name, signature, { checksum, blobId, outline }, migration);
  return {
    migration,
    outline,
    checksum,
    blobId,
    bytes: toApply ? () => bytes : () => rereadFile(reader, name, label, checksum),
  };
}

/** A known migration is taken from the cache, or parsed, when an operation of it is asked for. */
function knownDocument(
  { reader, cache }: Sources,
  name: string,
  label: string,
  { outline, checksum, blobId, whole }: KnownMigration,
): KnownDocument {
  const bytes = () => rereadFile(reader, name, label, checksum);
  const migration = new LazyMigration(outline, () => {
    const kept = whole();
    if (kept !== null) return kept;
    const parsed = parseDocument(bytes(), label);
    if (parsed.migration === null) throw parsed.faults[0]!.error;
    cache.noteWhole(name, parsed.migration);
    return parsed.migration;
  });
  return { migration, outline, checksum, blobId, bytes };
}

type Parsed =
  | { readonly migration: Migration; readonly faults: readonly [] }
  | { readonly migration: null; readonly faults: readonly LoadFault[] };

function parseDocument(bytes: Uint8Array, label: string): Parsed {
  const document = parseYaml(bytes, label);
  const { migration, faults } = parseMigration(document.value);
  if (migration !== null) return { migration, faults: [] };
  return { migration, faults: documentFaults(label, document, faults) };
}

function documentFaults(
  path: string,
  document: YamlDocument,
  faults: readonly SchemaFault[],
): readonly LoadFault[] {
  return faults.map((fault) => {
    const line = document.position(fault.path)?.line;
    const rule = line === undefined ? fault.rule : `${fault.rule} (line ${line})`;
    return ruleFault(path, fault.location, rule, { fault: "schema-violation" });
  });
}

function readBodies(
  sources: Sources,
  name: string,
  path: string,
  document: KnownDocument,
): { readonly bodyFiles: BodyFiles; readonly faults: readonly LoadFault[] } {
  const { cache, reader, toApply } = sources;
  const { bodies } = document.outline;
  const devices: number[] = [];
  const inodes: number[] = [];
  const faults: LoadFault[] = [];
  for (const [index, contentFile] of bodies.files.entries()) {
    const signature = reader.locate(contentFile)?.signature ?? null;
    if (signature !== null && cache.isKnownBody(name, index, signature)) {
      devices.push(signature.device);
      inodes.push(signature.inode);
      continue;
    }
    const identity = readBody(sources, path, document, index);
    if (typeof identity !== "string") {
      faults.push(identity);
      continue;
    }
    cache.noteBody(name, index, signature);
    const [device, inode] = identity.split(":").map(Number);
    devices.push(device!);
    inodes.push(inode!);
  }
  if (toApply) sources.bodies.later(path, document.migration, bodies);
  return { bodyFiles: { devices, inodes }, faults };
}

/** Identity of a body file that is not known, or why it cannot stand for the revision (10.1). */
function readBody(
  { reader, toApply, bodies }: Sources,
  path: string,
  { migration, outline }: KnownDocument,
  index: number,
): string | LoadFault {
  const contentFile = outline.bodies.files[index]!;
  const contentSha256 = outline.bodies.hashes[index]!;
  const location = bodyLocation(migration, index);
  const label = bodyLabel(path, location);
  try {
    const file = reader.read(contentFile, label);
    const fault = pinFault(reader, file, path, location, contentSha256);
    if (fault !== null) return fault;
    if (toApply) bodies.now(contentSha256, file.bytes);
    return file.identity;
  } catch (error) {
    if (!isFault(error)) throw error;
    if (!isFault(error, "file-missing", "file-unreadable")) return doorFault(path, location, error);
    // A body inside the project may be named; one that leads out of it is not.
    const rule = error.message.replace(label, `"${escapeControls(contentFile)}"`);
    return ruleFault(path, location, rule, { fault: error.fault });
  }
}

function pinFault(
  reader: SourceReader,
  file: SourceFile,
  path: string,
  location: string,
  pinned: string,
): LoadFault | null {
  const actual = sha256Hex(file.bytes);
  const shown = shownPath(reader.root, file.path);
  if (actual !== pinned) {
    return ruleFault(
      path,
      location,
      `${shown} has the SHA-256 ${actual.slice(0, 12)}…, but the revision is pinned to ` +
        `${pinned.slice(0, 12)}…`,
      {
        remedy: "Restore the body with git, or add a new revision for the new text; a body never " +
          "changes under its revision",
      },
    );
  }
  if (decodeUtf8(file.bytes) !== null) return null;
  return ruleFault(path, location, `${shown} is not valid UTF-8`);
}

/** A path of the project, escaped; the resolved file is always inside the root. */
function shownPath(root: string, path: string): string {
  const below = relative(root, path);
  const shown = isAbsolute(below) ? path : below.split(sep).join("/");
  return escapeControls(shown);
}
