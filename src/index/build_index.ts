/**
 * `index build`: from the applied state to a published index (index-build.md 2.1).
 *
 * @module
 */

import type { Clock } from "../platform/clock.ts";
import { utcText } from "../platform/clock.ts";
import { type ExitCode, isFault, TheurianError } from "../platform/errors.ts";
import type { Connection } from "../platform/sqlite/mod.ts";
import type { UlidSource } from "../platform/ulid.ts";
import { type Project, readConfiguration, type SecretPolicy } from "../projects/mod.ts";
import {
  loadMigrationSet,
  type MigrationSet,
  openActiveState,
  openSourceCache,
  readServingProfile,
  type Sensitivity,
  type StateReader,
  verifyHistory,
} from "../knowledge/mod.ts";
import { chooseBase } from "./_choose_base.ts";
import { writeBuildingFile } from "./_building_file.ts";
import { fillBuild } from "./_fill_build.ts";
import { admittedItems, type ChangePlan, planChanges } from "./_plan_changes.ts";
import { publishBuild, type PublishedBuild } from "./_publish_build.ts";
import type { DecidedFacts } from "./_write_build_facts.ts";
import { holdsWithdrawnText } from "./_withdrawn_text.ts";
import { markOf, touchedSince } from "./_touched_items.ts";
import { isSameFlavour } from "./build_facts.ts";
import { EMBEDDING_MODEL } from "./embed_text.ts";
import { BUILDING_SUFFIX, indexFilePath, requireContainedFiles } from "./index_files.ts";
import { readIndexPointer } from "./index_pointer.ts";
import { requireWritableScanRecord } from "./scan_record.ts";
import { MAX_FINDINGS, noteSecretLines, SECRET_REMEDY } from "./secret_lines.ts";

/** What a build is asked for. */
export interface BuildOptions {
  readonly dataDirectory: string;
  readonly clock: Clock;
  readonly ulids: UlidSource;
  readonly includeUnapproved: boolean;
  readonly embeddings: boolean;
  readonly raptor: boolean;
  /** False writes every document anew; the rows are the same either way. */
  readonly reuse?: boolean;
  /** Longest wait for the write lock, in milliseconds. */
  readonly lockWaitMs?: number;
  /** Told what is done, and how far it is. */
  readonly step?: (what: string, done?: number, total?: number) => void;
}

/** The document of `index build`; the last three keys only where they apply. */
export interface BuildReport {
  readonly indexBuildId: string;
  readonly stateHash: string;
  readonly indexPath: string;
  readonly chunks: number;
  readonly embeddings: number;
  readonly embeddingModel: string;
  readonly indexesUnapproved: boolean;
  readonly raptor: boolean;
  readonly nodes: number;
  readonly secretScanPolicy: SecretPolicy;
  readonly secretFindings: readonly string[];
  readonly published: true;
  readonly remedy?: string;
  readonly provenanceWarning?: string;
  readonly recordWarning?: string;
}

/** What was published and how the command ends: 6 is a published index with findings. */
export interface BuildOutcome {
  readonly report: BuildReport;
  readonly exit: ExitCode;
}

/**
 * Builds and publishes. Unchanged documents are taken over from an earlier build made here; the rows
 * are those of a build from scratch. Throws the faults of loading (exit 4), `state-*`,
 * `serving-profile-invalid`, `configuration-invalid`, `build-failed` (exit 1), `file-*` (exit 4).
 */
export async function buildIndex(project: Project, options: BuildOptions): Promise<BuildOutcome> {
  const { dataDirectory, step = () => {} } = options;
  requireContainedFiles(project.paths);
  step("Reading migrations");
  const set = loadMigrationSet(project.paths, {
    cache: openSourceCache(project.paths, dataDirectory),
  });
  using reader = readingState(() => {
    verifyHistory(project, dataDirectory, set);
    return openActiveState(project, dataDirectory).reader;
  });
  const { sensitivities } = readServingProfile(dataDirectory);
  const { secretScan } = readConfiguration(project.paths);
  requireWritableScanRecord(project.paths);
  const pointer = readIndexPointer(project.paths);
  const facts = decideFacts(reader, options, sensitivities, secretScan);
  const buildingPath = indexFilePath(project.paths, facts.buildId)! + BUILDING_SUFFIX;
  const content = writeContent(project, reader, set, facts, buildingPath, options);
  step("Waiting for the write lock");
  const publishedBefore = pointer.kind === "pointer" ? pointer.pointer.indexBuildId : null;
  const published = await publishBuild(project, { buildingPath, facts, publishedBefore }, {
    dataDirectory,
    ulids: options.ulids,
    holdsWithdrawn: (build) => holdsWithdrawnText(build, reader, set),
    record: { policy: secretScan, findings: content.secretFindings.length },
    requireActiveState: true,
    ...(options.lockWaitMs === undefined ? {} : { lockWaitMs: options.lockWaitMs }),
  });
  return outcomeOf(facts, secretScan, content, published!);
}

/** Whatever keeps the state from being read ends this command with 1; an edited migration with 4. */
function readingState<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!isFault(error) || error.fault === "checksum-mismatch") throw error;
    throw new TheurianError(error.fault, error.message, {
      remedy: error.remedy,
      exit: 1,
      cause: error,
    });
  }
}

function decideFacts(
  reader: StateReader,
  options: BuildOptions,
  sensitivities: readonly Sensitivity[],
  policy: SecretPolicy,
): DecidedFacts {
  return {
    buildId: options.ulids(),
    stateHash: reader.stateHash,
    projectId: reader.projectId,
    builtAt: utcText(options.clock.now()),
    indexesUnapproved: options.includeUnapproved,
    sensitivities,
    embeddingModel: options.embeddings ? EMBEDDING_MODEL : "",
    raptor: options.raptor,
    scanned: policy !== "off",
    history: markOf(reader.history()),
    purged: [],
  };
}

interface Content {
  readonly chunks: number;
  readonly embeddings: number;
  readonly nodes: number;
  readonly secretFindings: readonly string[];
}

/** Beyond this share of changed documents, starting over is cheaper and leaves a tidier file. */
const MOST_CHANGED = 0.25;

function writeContent(
  project: Project,
  reader: StateReader,
  set: MigrationSet,
  facts: DecidedFacts,
  buildingPath: string,
  options: BuildOptions,
): Content {
  const filter = admittedItems(facts.indexesUnapproved, facts.sensitivities);
  options.step?.("Comparing");
  const { plan, basePath } = planOnBase(project, reader, set, facts, options);
  try {
    return writeBuildingFile(buildingPath, basePath, (connection) => {
      fillBuild(connection, basePath === null, reader, plan, {
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
  reader: StateReader,
  set: MigrationSet,
  facts: DecidedFacts,
  { dataDirectory, reuse = true }: BuildOptions,
): { readonly plan: ChangePlan; readonly basePath: string | null } {
  const filter = admittedItems(facts.indexesUnapproved, facts.sensitivities);
  const base = reuse ? chooseBase(project, dataDirectory, facts) : null;
  try {
    if (base !== null) {
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

function describeContent(
  connection: Connection,
  reader: StateReader,
  facts: DecidedFacts,
): Content {
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

function outcomeOf(
  facts: DecidedFacts,
  policy: SecretPolicy,
  content: Content,
  published: PublishedBuild,
): BuildOutcome {
  const { provenanceWarning, recordWarning } = published;
  const found = content.secretFindings.length > 0;
  return {
    report: {
      indexBuildId: published.buildId,
      stateHash: facts.stateHash,
      indexPath: published.path,
      chunks: content.chunks,
      embeddings: content.embeddings,
      embeddingModel: facts.embeddingModel,
      indexesUnapproved: facts.indexesUnapproved,
      raptor: facts.raptor,
      nodes: content.nodes,
      secretScanPolicy: policy,
      secretFindings: content.secretFindings,
      published: true,
      ...(found ? { remedy: SECRET_REMEDY } : {}),
      ...(provenanceWarning === null ? {} : { provenanceWarning }),
      ...(recordWarning === null ? {} : { recordWarning }),
    },
    exit: found && policy === "block" ? 6 : 0,
  };
}
