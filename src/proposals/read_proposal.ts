/**
 * Reads a proposal's migration and bodies once, into memory, and works out where they would land
 * (proposals.md 6.1, steps 5 to 11).
 *
 * @module
 */

import { join, relative, sep } from "node:path";
import { isFault, TheurianError } from "../platform/errors.ts";
import { containedPath, describePath, realPath } from "../platform/files/mod.ts";
import { sha256Hex } from "../platform/hash.ts";
import { parseYaml } from "../platform/yaml/mod.ts";
import type { IncomingBody, MigrationSet } from "../knowledge/mod.ts";
import type { ProjectPaths } from "../projects/mod.ts";
import { asUnusable, readPlain } from "./_read_plain.ts";
import { MAX_OPERATIONS } from "./draft_document.ts";
import { unusable } from "./find_proposal.ts";
import { MIGRATION_FILE_NAME, PROPOSED_KNOWLEDGE } from "./layout.ts";
import type { ProposalEntry } from "./pending.ts";
import { screenedName } from "./_screened.ts";

/** A body and both of its places. */
export interface ProposedBody extends IncomingBody {
  /** Absolute path in the proposal. */
  readonly source: string;
  /** Absolute path where it lands. */
  readonly destination: string;
  /** The same, POSIX, relative to the project. */
  readonly landsAt: string;
  /** True when a file stands there now. */
  readonly replaces: boolean;
}

/** A proposal in memory. */
export interface ReadProposal {
  readonly entry: ProposalEntry;
  readonly migrationFile: string;
  readonly bytes: Uint8Array;
  readonly document: Readonly<Record<string, unknown>>;
  /** Distinct bodies, in the order in which operations name them. */
  readonly bodies: readonly ProposedBody[];
  /** By `contentFile`, as written. */
  readonly byContentFile: ReadonlyMap<string, ProposedBody>;
}

/** Reads and resolves. Throws `proposal-unusable` (1) and `proposal-accepted` (4); moves nothing. */
export function readProposal(
  paths: ProjectPaths,
  entry: ProposalEntry,
  landed: MigrationSet,
): ReadProposal {
  const [migrationFile, ...more] = entry.migrationFiles;
  if (more.length > 0) {
    throw unusable(
      "it holds more than one migration file",
      "Keep the one that is meant at its top level.",
    );
  }
  const bytes = readPlain(entry.path, [migrationFile!], "the proposal's migration");
  if (bytes === null) throw unusable("its migration file is gone", "Draft the change again.");
  const document = parsedDocument(bytes);
  refuseLanded(paths, migrationFile!, document, landed);
  const operations = Array.isArray(document.operations) ? document.operations : [];
  if (operations.length > MAX_OPERATIONS) {
    throw unusable(
      `it has more than ${MAX_OPERATIONS} operations`,
      "Split it into several proposals.",
    );
  }
  const byContentFile = readBodies(paths, entry, operations);
  refusePinned(operations, byContentFile, landed);
  const bodies = [...new Map([...byContentFile.values()].map((b) => [b.destination, b])).values()];
  return { entry, migrationFile: migrationFile!, bytes, document, bodies, byContentFile };
}

function parsedDocument(bytes: Uint8Array): Readonly<Record<string, unknown>> {
  try {
    const { value } = parseYaml(bytes, "the proposal's migration");
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      return value as Record<string, unknown>;
    }
  } catch (error) {
    if (!isFault(error)) throw error;
    throw asUnusable(error, "the proposal's migration");
  }
  throw unusable("its migration is not a mapping", "Draft the change again.");
}

/** Steps 7 and 8: the name and the id must be free, and must be the same id. */
function refuseLanded(
  paths: ProjectPaths,
  migrationFile: string,
  document: Readonly<Record<string, unknown>>,
  landed: MigrationSet,
): void {
  const taken = describePath(join(paths.migrations, migrationFile)) !== null;
  const known = typeof document.id === "string" && landed.byId.has(document.id);
  if (taken || known) {
    throw new TheurianError(
      "proposal-accepted",
      taken
        ? "Cannot accept the proposal: a migration with its file name is in place"
        : "Cannot accept the proposal: a migration with its id is in place",
      {
        remedy: "Look at `theurian migrate status` and `git log -- .theurian/migrations`; " +
          "if this change is in place, delete the proposal's directory.",
      },
    );
  }
  if (MIGRATION_FILE_NAME.exec(migrationFile)![1] !== document.id) {
    throw unusable(
      "its migration's file name and inner id differ",
      "Restore the file's drafted name, or draft the change again.",
    );
  }
}

/** Step 10: every named body, whatever the operation. */
function readBodies(
  paths: ProjectPaths,
  entry: ProposalEntry,
  operations: readonly unknown[],
): ReadonlyMap<string, ProposedBody> {
  const bodies = new Map<string, ProposedBody>();
  const byDestination = new Map<string, ProposedBody>();
  for (const [index, operation] of operations.entries()) {
    const contentFile = (operation as { contentFile?: unknown } | null)?.contentFile;
    if (typeof contentFile !== "string" || contentFile === "" || bodies.has(contentFile)) continue;
    const destination = destinationOf(paths, contentFile, index);
    const known = byDestination.get(destination) ??
      readBody(paths, entry, destination, `the body that operation ${index} names`);
    byDestination.set(destination, known);
    bodies.set(contentFile, known);
  }
  return bodies;
}

function destinationOf(paths: ProjectPaths, contentFile: string, index: number): string {
  const outside = (cause?: unknown) =>
    unusable(
      `operation ${index} names a body outside .theurian/knowledge`,
      "Draft the change again; a drafted body lands below .theurian/knowledge.",
      cause,
    );
  const knowledge = realPath(paths.knowledge) ?? paths.knowledge;
  if (contentFile.startsWith("/") || /^[A-Za-z]:[\\/]/.test(contentFile)) throw outside();
  let resolved: string;
  try {
    resolved = containedPath(paths.root, `.theurian/migrations/${contentFile}`);
  } catch (error) {
    if (!isFault(error)) throw error;
    throw outside(error);
  }
  if (!resolved.startsWith(knowledge + sep)) throw outside();
  return resolved;
}

function readBody(
  paths: ProjectPaths,
  entry: ProposalEntry,
  destination: string,
  what: string,
): ProposedBody {
  const knowledge = realPath(paths.knowledge) ?? paths.knowledge;
  const tail = relative(knowledge, destination).split(sep);
  // The layout with a `knowledge/` level first, then the one without it.
  for (const parts of [[PROPOSED_KNOWLEDGE, ...tail], tail]) {
    const bytes = readPlain(entry.path, parts, what);
    if (bytes === null) continue;
    const standing = describePath(destination);
    return {
      bytes,
      source: join(entry.path, ...parts),
      destination,
      landsAt: [".theurian", "knowledge", ...tail].join("/"),
      replaces: standing !== null,
      identity: standing === null
        ? `lands at ${destination}`
        : `${standing.device}:${standing.inode}`,
    };
  }
  throw unusable(`${what} is not in it`, "Restore the file with git, or draft the change again.");
}

/** Step 11: the body of a landed revision may not be replaced by other text or another revision. */
function refusePinned(
  operations: readonly unknown[],
  bodies: ReadonlyMap<string, ProposedBody>,
  landed: MigrationSet,
): void {
  const claims = new Map(landed.bodyClaims.map((claim) => [claim.identity, claim]));
  for (const operation of operations as readonly Record<string, unknown>[]) {
    const body = bodies.get(operation?.contentFile as string);
    const claim = body === undefined ? undefined : claims.get(body.identity);
    if (body === undefined || claim === undefined) continue;
    const same = claim.itemId === operation.itemId && claim.revisionId === operation.revisionId &&
      claim.contentSha256 === sha256Hex(body.bytes);
    if (!same) {
      throw unusable(
        `${
          screenedName(body.landsAt)
        } holds the body of revision ${claim.revisionId}, which never changes`,
        "Draft the change again; a new revision gets a file of its own.",
      );
    }
  }
}
