/**
 * The rows of a build and what is reported about them.
 *
 * @module
 */

import { isFault, TheurianError } from "../platform/errors.ts";
import type { Connection } from "../platform/sqlite/mod.ts";
import type { Project } from "../projects/mod.ts";
import type { MigrationSet, StateReader } from "../knowledge/mod.ts";
import { writeBuildingFile } from "./_building_file.ts";
import type { OpenBuild } from "./_built_files.ts";
import { chooseBase } from "./_choose_base.ts";
import { fillBuild } from "./_fill_build.ts";
import { admittedItems, type ChangePlan, planChanges } from "./_plan_changes.ts";
import { touchedSince } from "./_touched_items.ts";
import type { DecidedFacts } from "./_write_build_facts.ts";
import { isSameFlavour } from "./build_facts.ts";
import { MAX_FINDINGS, noteSecretLines } from "./secret_lines.ts";

/** Where a build's rows come from. */
export interface BuildSource {
  readonly reader: StateReader;
  /** The migrations on disk. */
  readonly set: MigrationSet;
}

/** How a build is written. */
export interface ContentOptions {
  readonly dataDirectory: string;
  /** False writes every document anew. */
  readonly reuse?: boolean;
  readonly step?: (what: string, done?: number, total?: number) => void;
}

/** What a finished file holds, as the report tells it. */
export interface BuildContent {
  readonly chunks: number;
  readonly embeddings: number;
  readonly nodes: number;
  readonly secretFindings: readonly string[];
}

/** Beyond this share of changed documents, starting over is cheaper and leaves a tidier file. */
const MOST_CHANGED = 0.25;
/** Row numbers without a passage that a base may have, besides as many as it has passages. */
const MOST_UNUSED_ROWS = 256;

/**
 * Fills the build file at `buildingPath`, on top of an earlier build where that is cheaper. Throws
 * `build-failed` (exit 1), also for an empty index while the state offers items, and leaves no file.
 */
export function writeContent(
  project: Project,
  { reader, set }: BuildSource,
  facts: DecidedFacts,
  buildingPath: string,
  options: ContentOptions,
): BuildContent {
  const filter = admittedItems(facts.indexesUnapproved, facts.sensitivities);
  options.step?.("Comparing");
  const { plan, basePath } = planOnBase(project, { reader, set }, facts, options);
  try {
    return writeBuildingFile(buildingPath, basePath, (connection) => {
      fillBuild(connection, reader, plan, {
        parts: {
          vectors: facts.embeddingModel !== "",
          forest: facts.raptor,
          secrets: facts.scanned,
        },
        facts,
        progress: (done, total) => options.step?.("Indexing", done, total),
      });
      const content = describeContent(connection, reader, facts);
      if (content.chunks === 0) requireNothingOffered(reader, filter);
      return content;
    });
  } catch (error) {
    throw asBuildFailure(error);
  }
}

function planOnBase(
  project: Project,
  { reader, set }: BuildSource,
  facts: DecidedFacts,
  { dataDirectory, reuse = true }: ContentOptions,
): { readonly plan: ChangePlan; readonly basePath: string | null } {
  const filter = admittedItems(facts.indexesUnapproved, facts.sensitivities);
  const base = reuse ? chooseBase(project, dataDirectory, facts) : null;
  try {
    if (base !== null && !isSparse(base)) {
      const touched = isSameFlavour(base.facts, facts)
        ? touchedSince(base.facts, reader.history(), set)
        : null;
      const plan = planChanges(base.connection, reader, filter, touched ?? undefined);
      const changed = plan.removed.length + plan.added.length;
      if (changed <= MOST_CHANGED * base.facts.documentCount) return { plan, basePath: base.path };
    }
  } catch (error) {
    if (!isFault(error, "database-unreadable", "internal")) throw error;
  } finally {
    base?.connection.close();
  }
  return { plan: planChanges(null, reader, filter), basePath: null };
}

/**
 * Rows are numbered on behind those that are gone, while searches keep room for every number. A base of
 * which most numbers are unused is written anew.
 */
function isSparse({ connection, facts }: OpenBuild): boolean {
  const { last } = connection.get<{ last: number }>(
    "SELECT coalesce(max(id), 0) AS last FROM chunks",
  )!;
  return last > 2 * facts.chunkCount + MOST_UNUSED_ROWS;
}

function describeContent(
  connection: Connection,
  reader: StateReader,
  facts: DecidedFacts,
): BuildContent {
  const { chunks, nodes } = connection.get<{ chunks: number; nodes: number }>(
    "SELECT chunk_count AS chunks, node_count AS nodes FROM build",
  )!;
  return {
    chunks,
    embeddings: facts.embeddingModel === "" ? 0 : chunks,
    nodes,
    secretFindings: facts.scanned ? reportLines(connection, reader, facts) : [],
  };
}

function reportLines(connection: Connection, reader: StateReader, facts: DecidedFacts): string[] {
  const lines = connection.all<{ line: string }>(
    "SELECT l.line FROM secret_lines l JOIN documents d ON d.id = l.document " +
      "ORDER BY d.item_id, l.position LIMIT ?",
    MAX_FINDINGS,
  ).map((row) => row.line);
  if (lines.length >= MAX_FINDINGS) return lines;
  const { statuses, sensitivities } = admittedItems(facts.indexesUnapproved, facts.sensitivities);
  const isVisible = (itemId: string) => {
    const item = reader.item(itemId);
    return item !== null && statuses.some((status) => status === item.status) &&
      sensitivities.includes(item.sensitivity);
  };
  const isIndexed = (itemId: string) =>
    connection.get("SELECT 1 FROM documents WHERE item_id = ?", itemId) !== undefined;
  const notes = noteSecretLines(
    reader.relations(),
    isIndexed,
    isVisible,
    MAX_FINDINGS - lines.length,
  );
  return [...lines, ...notes];
}

/**
 * An empty index is right only where the state offers nothing (index-build.md 2.2). Counts on its
 * own, without the walk that selected the documents.
 */
function requireNothingOffered(
  reader: StateReader,
  filter: ReturnType<typeof admittedItems>,
): void {
  let offered = 0;
  for (const item of reader.items(filter)) if (item.currentRevisionId !== null) offered++;
  if (offered === 0) return;
  throw new TheurianError(
    "build-failed",
    `Cannot build the index: no item of project ${reader.projectId} was found, while the applied ` +
      `state holds ${offered} of project ${reader.builtFor}`,
    {
      remedy: "Register the repository under one id, then delete .theurian/state/ and run: " +
        "theurian migrate apply, then: theurian index build",
      details: { indexed: reader.projectId, offering: reader.builtFor, offered },
    },
  );
}

/** What goes wrong with the file or the state while building is a failed build, exit 1. */
function asBuildFailure(error: unknown): unknown {
  if (!isFault(error) || error.fault === "build-failed") return error;
  const isFileRefusal = error.fault.startsWith("file-") && error.exit === 4;
  return new TheurianError(isFileRefusal ? error.fault : "build-failed", error.message, {
    remedy: error.remedy,
    exit: isFileRefusal ? 4 : 1,
    cause: error,
  });
}
