/**
 * Answering `review.findings` from the store (review.md 4).
 *
 * @module
 */

import { isFault, TheurianError } from "../../platform/errors.ts";
import type { JsonObject } from "../../platform/json.ts";
import { openForReading } from "../../platform/sqlite/mod.ts";
import type { Project } from "../../projects/mod.ts";
import { shortened } from "../shortened.ts";
import {
  FINDINGS_STORE,
  isStoreRecorded,
  isStoreSealed,
  type ServedStore,
  storePath,
} from "../publish_store.ts";
import { DamagedStore } from "../damaged_store.ts";
import {
  FINDING_TEXT_LIMIT,
  type FindingFilter,
  findingsSeal,
  selectFindings,
  type ServedFinding,
} from "./store.ts";

/**
 * One text for every fault of the store. Telling them apart would tell whoever planted a store that
 * the plant was seen.
 */
export function findingsUnavailable(): TheurianError {
  return new TheurianError(
    "review-unusable",
    "Cannot serve review findings: no usable findings store was built here",
    { remedy: "Run `theurian findings build` in the project, then call again" },
  );
}

/**
 * Path of the store that may be served. Throws the unavailable refusal when it was not built here,
 * `path-escape` when it leads out of the project.
 */
export function servableFindings(project: Project, dataDirectory: string): string {
  if (!isStoreRecorded(dataDirectory, project.root, "findings")) throw findingsUnavailable();
  try {
    return storePath(project.paths, FINDINGS_STORE);
  } catch (error) {
    if (!isFault(error, "path-escape")) throw error;
    throw new TheurianError(
      "path-escape",
      "Cannot serve this project: one of its paths leads out of the working tree",
      {
        remedy:
          "Remove what leads out of `.theurian/state` (list links with `find .theurian/state " +
          "-type l`; no trailing slash when you remove one), then run `theurian migrate apply` " +
          "and rebuild with `theurian index build`, `theurian findings build` and " +
          "`theurian review build`",
        cause: error,
      },
    );
  }
}

/** Answers a checked call. */
export function answerFindings(store: ServedStore, filter: FindingFilter): JsonObject {
  const rows = readRows(store, filter);
  const findings = rows.slice(0, filter.limit).map(findingRow);
  return { count: findings.length, truncated: rows.length > filter.limit, findings };
}

function readRows(store: ServedStore, filter: FindingFilter): ServedFinding[] {
  const { path, root, dataDirectory } = store;
  try {
    using connection = openForReading(path);
    const seal = findingsSeal(connection);
    if (seal === null || !isStoreSealed(dataDirectory, root, "findings", seal)) {
      throw findingsUnavailable();
    }
    return selectFindings(connection, filter);
  } catch (error) {
    if (error instanceof DamagedStore || isFault(error)) throw findingsUnavailable();
    throw error;
  }
}

function findingRow(row: ServedFinding): JsonObject {
  return {
    commitSha: row.commitSha,
    position: row.position,
    reviewer: row.reviewer,
    severity: row.severity,
    findingText: shortened(row.text, FINDING_TEXT_LIMIT),
    provider: "git",
    sourceUri: row.commitSha,
    committedAt: row.committedAt,
    pullRequest: null,
    family: null,
    specialist: null,
    contentClassification: "untrusted-knowledge",
    mayContainInstructions: true,
    executable: false,
  };
}
