/**
 * A loaded set together with one more migration that is not in its folder yet: what an acceptance
 * rehearses (proposals.md 6.4).
 *
 * @module
 */

import { decodeUtf8 } from "../platform/files/mod.ts";
import { sha256Hex } from "../platform/hash.ts";
import { parseYaml } from "../platform/yaml/mod.ts";
import { assembleSet } from "./_assemble_set.ts";
import { bodyLocation } from "./_loaded_bodies.ts";
import type { Migration } from "./migration.ts";
import { type LoadFault, ruleFault } from "./migration_fault.ts";
import { type MigrationOutline, outlineOf } from "./migration_outline.ts";
import type { BodyFiles, LoadedMigration, MigrationSet } from "./migration_set.ts";
import { parseMigration } from "./parse_migration.ts";

/** A body that the incoming migration names. */
export interface IncomingBody {
  readonly bytes: Uint8Array;
  /** `device:inode` of the file it would replace, else any text that no file has. */
  readonly identity: string;
}

/** A migration that is to join. */
export interface IncomingMigration {
  /** Where its file would lie, relative to the project. */
  readonly path: string;
  readonly bytes: Uint8Array;
  /** By `contentFile`, as written. */
  readonly bodies: ReadonlyMap<string, IncomingBody>;
}

/**
 * The set as it would be with the migration in place. Throws what loading such a folder throws:
 * `yaml-invalid`, `schema-violation`, `migration-invalid`, `migration-set-invalid`.
 */
export function joinMigration(landed: MigrationSet, incoming: IncomingMigration): MigrationSet {
  const document = parseYaml(incoming.bytes, incoming.path);
  const { migration, faults } = parseMigration(document.value);
  if (migration === null) {
    const { location, rule } = faults[0]!;
    throw ruleFault(incoming.path, location, rule, { fault: "schema-violation" }).error;
  }
  const outline = outlineOf(migration);
  const loaded: LoadedMigration = {
    migration,
    outline,
    bodyFiles: bodyFilesOf(migration, outline, incoming),
    checksum: sha256Hex(incoming.bytes),
    path: incoming.path,
    blobId: null,
    bytes: () => incoming.bytes,
  };
  const joined = assembleSet(
    { loaded: [...landed.migrations, loaded], bodies: landed.bodies },
    [],
  );
  if (joined.set === null) throw joined.faults[0]!.error;
  return joined.set;
}

/** The files that stand for the bodies; one that is new has no identity that a file can have. */
function bodyFilesOf(
  migration: Migration,
  { bodies }: MigrationOutline,
  incoming: IncomingMigration,
): BodyFiles {
  const devices: number[] = [];
  const inodes: number[] = [];
  for (const [index, contentFile] of bodies.files.entries()) {
    const body = incoming.bodies.get(contentFile);
    const location = bodyLocation(migration, index);
    const fault = bodyFault(incoming.path, location, body, bodies.hashes[index]!);
    if (fault !== null) throw fault.error;
    const [, device, inode] = /^(\d+):(\d+)$/.exec(body!.identity) ?? ["", -1, -1 - index];
    devices.push(Number(device));
    inodes.push(Number(inode));
  }
  return { devices, inodes };
}

function bodyFault(
  path: string,
  location: string,
  body: IncomingBody | undefined,
  pinned: string,
): LoadFault | null {
  if (body === undefined) return ruleFault(path, location, "names a body that is not there");
  const actual = sha256Hex(body.bytes);
  if (actual !== pinned) {
    return ruleFault(
      path,
      location,
      `the body has the SHA-256 ${actual.slice(0, 12)}…, but the revision is pinned to ${
        pinned.slice(0, 12)
      }…`,
    );
  }
  return decodeUtf8(body.bytes) === null
    ? ruleFault(path, location, "the body is not valid UTF-8")
    : null;
}
