import { isAbsolute, relative, sep } from "node:path";
import { isFault } from "../platform/errors.ts";
import { decodeUtf8, type SourceFile } from "../platform/files/mod.ts";
import { gitBlobId } from "../platform/git.ts";
import { sha256Hex } from "../platform/hash.ts";
import { escapeControls } from "../platform/text.ts";
import { parseYaml, type YamlDocument } from "../platform/yaml/mod.ts";
import { type LoadedBodies, rereadFile } from "./_loaded_bodies.ts";
import type { SourceReader } from "./_source_reader.ts";
import type { SourceCache } from "./source_cache.ts";
import { migrationPath } from "./_list_migration_files.ts";
import type { Migration, UpsertRevision } from "./migration.ts";
import { doorFault, type LoadFault, ruleFault } from "./migration_fault.ts";
import type { BodyClaim, LoadedMigration } from "./migration_set.ts";
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

/** One file's migration with its claims on bodies, or its faults. */
export type MigrationFile =
  | {
    readonly loaded: LoadedMigration;
    readonly claims: readonly BodyClaim[];
    readonly faults: readonly [];
  }
  | { readonly loaded: null; readonly faults: readonly LoadFault[] };

/** Reads and checks one migration file and the bodies it names. Throws only what is not a refusal. */
export function readMigrationFile(sources: Sources, name: string): MigrationFile {
  const path = migrationPath(name);
  const label = escapeControls(path);
  try {
    const document = readDocument(sources, name, label);
    if (document.migration === null) return { loaded: null, faults: document.faults };
    const { migration, checksum, blobId, bytes } = document;
    const { claims, faults } = readBodies(sources, label, migration);
    if (faults.length > 0) return { loaded: null, faults };
    return { loaded: { migration, checksum, path, blobId, bytes }, claims, faults: [] };
  } catch (error) {
    if (!isFault(error)) throw error;
    return { loaded: null, faults: [doorFault(label, "<root>", error)] };
  }
}

type Document =
  | (Pick<LoadedMigration, "migration" | "checksum" | "blobId"> & { bytes(): Uint8Array })
  | { readonly migration: null; readonly faults: readonly LoadFault[] };

/** The file is read unless it is known, and parsed unless its bytes are known. */
function readDocument({ reader, cache, toApply }: Sources, name: string, label: string): Document {
  const signature = reader.locate(name)?.signature ?? null;
  const known = cache.migrationAt(name, signature);
  if (known !== null) {
    return { ...known, bytes: () => rereadFile(reader, name, label, known.checksum) };
  }
  const { bytes } = reader.read(name, label);
  const checksum = sha256Hex(bytes);
  let migration = cache.migrationOf(checksum);
  if (migration === null) {
    const document = parseYaml(bytes, label);
    const parsed = parseMigration(document.value);
    if (parsed.migration === null) {
      return { migration: null, faults: documentFaults(label, document, parsed.faults) };
    }
    migration = parsed.migration;
  }
  const blobId = toApply ? gitBlobId(bytes, "") : null;
  cache.noteMigration(name, signature, { checksum, blobId, migration });
  return {
    migration,
    checksum,
    blobId,
    bytes: toApply ? () => bytes : () => rereadFile(reader, name, label, checksum),
  };
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
  path: string,
  migration: Migration,
): { readonly claims: readonly BodyClaim[]; readonly faults: readonly LoadFault[] } {
  const claims: BodyClaim[] = [];
  const faults: LoadFault[] = [];
  migration.operations.forEach((operation, operationIndex) => {
    if (operation.op !== "upsertRevision") return;
    const location = `operations/${operationIndex}/contentFile`;
    const body = readBody(sources, path, location, operation);
    if (typeof body !== "string") {
      faults.push(body);
      return;
    }
    const { itemId, revisionId, contentFile, contentSha256 } = operation;
    claims.push({
      migrationId: migration.id,
      operationIndex,
      itemId,
      revisionId,
      contentFile,
      contentSha256,
      identity: body,
    });
  });
  return { claims, faults };
}

/** Identity of the body file, or why it cannot stand for the revision (section 10.1). */
function readBody(
  { reader, cache, toApply, bodies }: Sources,
  path: string,
  location: string,
  { contentFile, contentSha256 }: UpsertRevision,
): string | LoadFault {
  const label = `the body that ${path} names at ${location}`;
  try {
    const located = reader.locate(contentFile);
    if (located !== null && cache.bodyAt(located.path, located.signature) === contentSha256) {
      if (toApply) bodies.later(contentSha256, contentFile, label);
      return located.signature.identity;
    }
    const file = reader.read(contentFile, label);
    const fault = pinFault(reader, file, path, location, contentSha256);
    if (fault !== null) return fault;
    if (located !== null) cache.noteBody(located.path, located.signature, contentSha256);
    if (toApply) bodies.now(contentSha256, file.bytes);
    return file.identity;
  } catch (error) {
    if (!isFault(error)) throw error;
    if (!isFault(error, "file-missing", "file-unreadable")) return doorFault(path, location, error);
    // A body inside the project may be named; one that leads out of it is not.
    const rule = error.message.replace(label, `"${escapeControls(contentFile)}"`);
    // What the system refuses is no fault of the text.
    const withheld = error.fault === "file-unreadable" && error.details?.["errno"] !== undefined;
    const remedy = withheld ? { remedy: error.remedy } : {};
    return ruleFault(path, location, rule, { fault: error.fault, ...remedy });
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
