/**
 * `index build`: from the applied state to a published index (index-build.md 2.1).
 *
 * @module
 */

import type { Clock } from "../platform/clock.ts";
import { utcText } from "../platform/clock.ts";
import { type ExitCode, isFault, TheurianError } from "../platform/errors.ts";
import type { UlidSource } from "../platform/ulid.ts";
import { type Project, readConfiguration, type SecretPolicy } from "../projects/mod.ts";
import {
  loadMigrationSet,
  openActiveState,
  openSourceCache,
  readServingProfile,
  type Sensitivity,
  type StateReader,
  verifyHistory,
} from "../knowledge/mod.ts";
import { publishBuild, type PublishedBuild } from "./_publish_build.ts";
import { type BuildContent, writeContent } from "./_write_content.ts";
import type { DecidedFacts } from "./_write_build_facts.ts";
import { holdsWithdrawnText } from "./_withdrawn_text.ts";
import { markOf } from "./_touched_items.ts";
import { EMBEDDING_MODEL } from "./embed_text.ts";
import { BUILDING_SUFFIX, indexFilePath, requireContainedFiles } from "./index_files.ts";
import { readIndexPointer } from "./index_pointer.ts";
import { requireWritableScanRecord } from "./scan_record.ts";
import { SECRET_REMEDY } from "./secret_lines.ts";

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

/** The document of `index build`; the keys behind `published` only where they apply. */
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
  /** Migrations on disk that the indexed state does not hold yet. */
  readonly warning?: string;
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
  const content = writeContent(project, { reader, set }, facts, buildingPath, options);
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
  const isBehind = set.stateHash !== facts.stateHash;
  return outcomeOf(facts, secretScan, content, published!, isBehind);
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

const NOT_APPLIED = "Migrations here are not applied yet, and not in this index. Run: theurian " +
  "migrate apply, then: theurian index build";

function outcomeOf(
  facts: DecidedFacts,
  policy: SecretPolicy,
  content: BuildContent,
  published: PublishedBuild,
  isBehind: boolean,
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
      ...(isBehind ? { warning: NOT_APPLIED } : {}),
      ...(provenanceWarning === null ? {} : { provenanceWarning }),
      ...(recordWarning === null ? {} : { recordWarning }),
    },
    exit: found && policy === "block" ? 6 : 0,
  };
}
