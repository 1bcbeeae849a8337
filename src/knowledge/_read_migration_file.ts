import { isAbsolute, relative, sep } from "node:path";
import { isFault } from "../platform/errors.ts";
import { decodeUtf8 } from "../platform/files/mod.ts";
import { sha256Hex } from "../platform/hash.ts";
import { escapeControls } from "../platform/text.ts";
import { parseYaml, type YamlDocument } from "../platform/yaml/mod.ts";
import type { SourceReader } from "./_source_reader.ts";
import { migrationPath } from "./_list_migration_files.ts";
import type { Migration, UpsertRevision } from "./migration.ts";
import { doorFault, type LoadFault, ruleFault } from "./migration_fault.ts";
import type { BodyClaim, LoadedMigration } from "./migration_set.ts";
import { parseMigration } from "./parse_migration.ts";
import type { SchemaFault } from "./schema_faults.ts";

/** Where the bytes of bodies go while a set is loaded. */
export interface BodyStore {
  /** By hash. */
  readonly bodies: Map<string, Uint8Array>;
  readonly keep: boolean;
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
export function readMigrationFile(
  reader: SourceReader,
  name: string,
  store: BodyStore,
): MigrationFile {
  const path = migrationPath(name);
  const label = escapeControls(path);
  try {
    const { bytes } = reader.read(name, label);
    const document = parseYaml(bytes, label);
    const { migration, faults } = parseMigration(document.value);
    if (migration === null) {
      return { loaded: null, faults: documentFaults(label, document, faults) };
    }
    const claims = readBodies(reader, label, migration, store);
    if (claims.faults.length > 0) return { loaded: null, faults: claims.faults };
    const loaded = { migration, checksum: sha256Hex(bytes), path, bytes };
    return { loaded, claims: claims.claims, faults: [] };
  } catch (error) {
    if (!isFault(error)) throw error;
    return { loaded: null, faults: [doorFault(label, "<root>", error)] };
  }
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
  reader: SourceReader,
  path: string,
  migration: Migration,
  store: BodyStore,
): { readonly claims: readonly BodyClaim[]; readonly faults: readonly LoadFault[] } {
  const claims: BodyClaim[] = [];
  const faults: LoadFault[] = [];
  migration.operations.forEach((operation, operationIndex) => {
    if (operation.op !== "upsertRevision") return;
    const location = `operations/${operationIndex}/contentFile`;
    const body = readBody(reader, path, location, operation, store);
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
  reader: SourceReader,
  path: string,
  location: string,
  { contentFile, contentSha256 }: UpsertRevision,
  store: BodyStore,
): string | LoadFault {
  const label = `the body that ${path} names at ${location}`;
  try {
    const file = reader.read(contentFile, label);
    const actual = sha256Hex(file.bytes);
    if (actual !== contentSha256) {
      return ruleFault(
        path,
        location,
        `${shownPath(reader.root, file.path)} has the SHA-256 ${actual.slice(0, 12)}…, but the ` +
          `revision is pinned to ${contentSha256.slice(0, 12)}…`,
        {
          remedy:
            `Restore the body with git, or add a new revision for the new text; a body never ` +
            `changes under its revision`,
        },
      );
    }
    if (decodeUtf8(file.bytes) === null) {
      return ruleFault(path, location, `${shownPath(reader.root, file.path)} is not valid UTF-8`);
    }
    if (store.keep) store.bodies.set(contentSha256, file.bytes);
    return file.identity;
  } catch (error) {
    if (!isFault(error)) throw error;
    if (!isFault(error, "file-missing", "file-unreadable")) return doorFault(path, location, error);
    // A body inside the project may be named; one that leads out of it is not.
    const rule = error.message.replace(label, `"${escapeControls(contentFile)}"`);
    return ruleFault(path, location, rule, { fault: error.fault });
  }
}

/** A path of the project, escaped; the resolved file is always inside the root. */
function shownPath(root: string, path: string): string {
  const below = relative(root, path);
  const shown = isAbsolute(below) ? path : below.split(sep).join("/");
  return escapeControls(shown);
}
