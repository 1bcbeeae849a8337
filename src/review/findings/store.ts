/**
 * The findings store: written whole by `theurian findings build`, read by `review.findings`
 * (review.md 3 and 4). Rows stand in serving order, so a page is read from its first row on.
 *
 * @module
 */

import type { Connection } from "../../platform/sqlite/mod.ts";
import { likePattern } from "../like_pattern.ts";
import { DamagedStore } from "../damaged_store.ts";
import type { History } from "./history.ts";
import { PARSER_STAMP, REVIEWERS, SEVERITIES } from "./trailer.ts";

/** Marks stores of this layout; another value counts as not built here. */
export const FINDINGS_STAMP = "theurian-findings/1";

const SCHEMA = `
CREATE TABLE findings_metadata (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  stamp TEXT NOT NULL,
  parser_stamp TEXT NOT NULL,
  seal TEXT NOT NULL,
  built_at TEXT NOT NULL
) STRICT;
CREATE TABLE findings (
  rank INTEGER PRIMARY KEY,
  commit_sha TEXT NOT NULL,
  position INTEGER NOT NULL,
  reviewer TEXT NOT NULL,
  severity TEXT NOT NULL,
  committed_at TEXT NOT NULL,
  finding_text TEXT NOT NULL
) STRICT;
CREATE TABLE rejected_trailers (
  commit_sha TEXT NOT NULL,
  position INTEGER NOT NULL,
  raw_line TEXT NOT NULL,
  reason TEXT NOT NULL,
  PRIMARY KEY (commit_sha, position)
) STRICT, WITHOUT ROWID;
`;

/** Made after the rows. */
const INDEXES = `
CREATE UNIQUE INDEX findings_by_commit ON findings (commit_sha, position);
CREATE INDEX findings_by_kind ON findings (reviewer, severity, rank);
CREATE INDEX findings_by_severity ON findings (severity, rank);
`;

/** Fills a new store. `seal` is known to the data directory too. */
export function writeFindings(
  connection: Connection,
  history: History,
  seal: string,
  builtAt: string,
): void {
  connection.exec(SCHEMA);
  connection.transaction(() => {
    connection.run(
      "INSERT INTO findings_metadata (id, stamp, parser_stamp, seal, built_at) " +
        "VALUES (1, ?, ?, ?, ?)",
      FINDINGS_STAMP,
      PARSER_STAMP,
      seal,
      builtAt,
    );
    for (const finding of inServingOrder(history)) {
      connection.run(
        "INSERT INTO findings (commit_sha, position, reviewer, severity, committed_at, " +
          "finding_text) VALUES (?, ?, ?, ?, ?, ?)",
        finding.commitSha,
        finding.position,
        finding.reviewer,
        finding.severity,
        finding.committedAt,
        finding.text,
      );
    }
    for (const { commitSha, position, rawLine, reason } of history.rejections) {
      connection.run(
        "INSERT INTO rejected_trailers (commit_sha, position, raw_line, reason) " +
          "VALUES (?, ?, ?, ?)",
        commitSha,
        position,
        rawLine,
        reason,
      );
    }
    connection.exec(INDEXES);
  });
}

/** Newest first; within one instant by commit, then by position, both ascending. */
function inServingOrder(history: History): History["findings"] {
  const groups = Map.groupBy(history.findings, (finding) => finding.committedAt);
  return [...groups.values()].reverse().flat();
}

/** What a call asks for; `null` leaves a filter out. */
export interface FindingFilter {
  readonly reviewer: string | null;
  readonly severity: string | null;
  readonly commitSha: string | null;
  /** Literal text, ASCII letters fold. */
  readonly q: string | null;
  readonly limit: number;
}

/** One served row. */
export interface ServedFinding {
  readonly commitSha: string;
  readonly position: number;
  readonly reviewer: string;
  readonly severity: string;
  /** Its first 2,001 characters. */
  readonly text: string;
  readonly committedAt: string;
}

/** Characters of a finding's text that are served. */
export const FINDING_TEXT_LIMIT = 2_000;

/** Seal of a store of this layout and grammar; `null` for any other. */
export function findingsSeal(connection: Connection): string | null {
  const row = connection.get<{ stamp: unknown; parser_stamp: unknown; seal: unknown }>(
    "SELECT stamp, parser_stamp, seal FROM findings_metadata WHERE id = 1",
  );
  const isCurrent = row?.stamp === FINDINGS_STAMP && row.parser_stamp === PARSER_STAMP;
  return isCurrent && typeof row.seal === "string" ? row.seal : null;
}

/** Rows in serving order, one beyond the limit when there is one. Throws {@linkcode DamagedStore}. */
export function selectFindings(connection: Connection, filter: FindingFilter): ServedFinding[] {
  const conditions: string[] = [];
  const values: string[] = [];
  const where = (condition: string, value: string | null) => {
    if (value === null) return;
    conditions.push(condition);
    values.push(value);
  };
  where("reviewer = ?", filter.reviewer);
  where("severity = ?", filter.severity);
  where("commit_sha = ?", filter.commitSha);
  where("finding_text LIKE ? ESCAPE '\\'", filter.q === null ? null : likePattern(filter.q));
  const rows = connection.all<Record<string, unknown>>(
    "SELECT commit_sha, position, reviewer, severity, committed_at, " +
      `substr(finding_text, 1, ${FINDING_TEXT_LIMIT + 1}) AS text FROM findings ` +
      (conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")} `) +
      "ORDER BY rank LIMIT ?",
    ...values,
    filter.limit + 1,
  );
  return rows.map(checkedRow);
}

const COMMIT_SHA = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
const COMMITTED_AT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}\+00:00$/;

function checkedRow(row: Record<string, unknown>): ServedFinding {
  const { commit_sha: commitSha, position, reviewer, severity, committed_at: committedAt, text } =
    row;
  const sound = typeof commitSha === "string" && COMMIT_SHA.test(commitSha) &&
    Number.isSafeInteger(position) && (position as number) >= 0 &&
    REVIEWERS.some((word) => word === reviewer) && SEVERITIES.some((word) => word === severity) &&
    typeof committedAt === "string" && COMMITTED_AT.test(committedAt) &&
    typeof text === "string" && text !== "";
  if (!sound) throw new DamagedStore("A row of the findings store is damaged");
  return {
    commitSha,
    position: position as number,
    reviewer: reviewer as string,
    severity: severity as string,
    committedAt,
    text,
  };
}
