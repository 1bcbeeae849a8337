/**
 * Reading a page of records from the review store, in serving order (review.md 8).
 *
 * @module
 */

import type { Connection } from "../../platform/sqlite/mod.ts";
import { DamagedStore } from "../damaged_store.ts";
import { EVIDENCE_KINDS, THREAD_STATES } from "../evidence/model.ts";
import { likePattern } from "../like_pattern.ts";
import { candidateRanks } from "./candidates.ts";
import type { RecordFilter } from "./filter.ts";
import { CHANNELS, REVIEW_STAMP } from "./store_schema.ts";

/** Characters of a fragment that are served. */
export const EXCERPT_LIMIT = 280;

/** One record as it is served, its excerpt one character longer than is shown at most. */
export interface FoundRecord {
  readonly path: string;
  readonly recordKey: string;
  readonly kind: string;
  readonly provider: string;
  readonly repository: string;
  readonly pullRequest: bigint | null;
  readonly threadState: string | null;
  readonly filePath: string | null;
  readonly sourceUri: string;
  readonly authorId: string;
  readonly authorName: string;
  readonly runId: string;
  readonly seenAt: string;
  readonly excerpt: string;
  readonly channel: string;
}

/** Seal of a store of this layout and evidence format; `null` for any other. */
export function reviewSeal(connection: Connection): string | null {
  const row = connection.get<{ stamp: unknown; seal: unknown }>(
    "SELECT stamp, seal FROM review_metadata WHERE id = 1",
  );
  return row?.stamp === REVIEW_STAMP && typeof row.seal === "string" ? row.seal : null;
}

const COLUMNS = "path, record_key, kind, provider, repository, " +
  "CAST(pull_request AS TEXT) AS pull_request, thread_state, file_path, source_uri, author_id, " +
  "author_name, run_id, seen_at, first_text, last_text";

/** Holds the text in one fragment, whole. */
const HOLDS_TEXT = "EXISTS (SELECT 1 FROM review_texts WHERE id BETWEEN first_text AND last_text " +
  "AND content LIKE ? ESCAPE '\\')";

type Row = Record<string, unknown>;
type Bound = string | bigint | number;

/** Records in serving order, one beyond the limit when there is one. Throws {@linkcode DamagedStore}. */
export function selectRecords(connection: Connection, filter: RecordFilter): FoundRecord[] {
  const pattern = filter.q === null ? null : likePattern(filter.q);
  const candidates = filter.q !== null && !isSelective(filter)
    ? candidateRanks(connection, filter.q)
    : null;
  const rows = candidates === null
    ? rowsInOrder(connection, filter, pattern)
    : rowsAmong(connection, filter, pattern!, candidates);
  return rows.map((row) => foundRecord(connection, row, pattern));
}

/** Filters that leave few records: their index is read instead of the pieces of the text. */
function isSelective(filter: RecordFilter): boolean {
  return filter.pullRequest !== null || filter.author !== null || filter.filePath !== null;
}

function conditionsOf(filter: RecordFilter): { conditions: string[]; values: Bound[] } {
  const conditions: string[] = [];
  const values: Bound[] = [];
  const where = (condition: string, value: Bound | null) => {
    if (value === null) return;
    conditions.push(condition);
    values.push(value);
  };
  where("repository = ?", filter.repository);
  where("pull_request = ?", filter.pullRequest);
  where("thread_state = ?", filter.threadState);
  where("file_path = ?", filter.filePath);
  where(
    "rank IN (SELECT rank FROM review_participants WHERE external_id = ?)",
    filter.author,
  );
  return { conditions, values };
}

function rowsInOrder(connection: Connection, filter: RecordFilter, pattern: string | null): Row[] {
  const { conditions, values } = conditionsOf(filter);
  if (pattern !== null) {
    conditions.push(HOLDS_TEXT);
    values.push(pattern);
  }
  const where = conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")} `;
  return connection.all<Row>(
    `SELECT ${COLUMNS} FROM review_records ${where}ORDER BY rank LIMIT ?`,
    ...values,
    filter.limit + 1,
  );
}

/** Candidates that one statement verifies. */
const BATCH = 512;

/** Verifies candidates, batch after batch in serving order, until the page is full. */
function rowsAmong(
  connection: Connection,
  filter: RecordFilter,
  pattern: string,
  candidates: Uint32Array,
): Row[] {
  const { conditions, values } = conditionsOf(filter);
  const sql = `SELECT ${COLUMNS} FROM review_records ` +
    "WHERE rank IN (SELECT value FROM json_each(?)) AND " +
    `${[...conditions, HOLDS_TEXT].join(" AND ")} ORDER BY rank LIMIT ?`;
  const rows: Row[] = [];
  for (let start = 0; start < candidates.length && rows.length <= filter.limit; start += BATCH) {
    const batch = `[${candidates.subarray(start, start + BATCH).join(",")}]`;
    const rest = filter.limit + 1 - rows.length;
    rows.push(...connection.all<Row>(sql, batch, ...values, pattern, rest));
  }
  return rows;
}

function foundRecord(connection: Connection, row: Row, pattern: string | null): FoundRecord {
  const { excerpt, channel } = excerptOf(connection, row, pattern);
  return {
    path: text(row, "path"),
    recordKey: text(row, "record_key"),
    kind: word(row, "kind", EVIDENCE_KINDS),
    provider: text(row, "provider"),
    repository: text(row, "repository"),
    pullRequest: row["pull_request"] === null ? null : number(text(row, "pull_request")),
    threadState: row["thread_state"] === null ? null : word(row, "thread_state", THREAD_STATES),
    filePath: row["file_path"] === null ? null : text(row, "file_path"),
    sourceUri: text(row, "source_uri"),
    authorId: text(row, "author_id"),
    authorName: text(row, "author_name"),
    runId: text(row, "run_id"),
    seenAt: text(row, "seen_at"),
    excerpt,
    channel,
  };
}

/** The first fragment, or the first that holds the text; cut from its own beginning. */
function excerptOf(
  connection: Connection,
  row: Row,
  pattern: string | null,
): { excerpt: string; channel: string } {
  const first = row["first_text"];
  const last = row["last_text"];
  if (!Number.isSafeInteger(first) || !Number.isSafeInteger(last)) throw damaged();
  const select = `SELECT channel, substr(content, 1, ${EXCERPT_LIMIT + 1}) AS excerpt ` +
    "FROM review_texts WHERE id BETWEEN ? AND ? ";
  const found = pattern === null
    ? connection.get<Row>(`${select}ORDER BY id LIMIT 1`, first as number, last as number)
    : connection.get<Row>(
      `${select}AND content LIKE ? ESCAPE '\\' ORDER BY id LIMIT 1`,
      first as number,
      last as number,
      pattern,
    );
  if (found === undefined) throw damaged();
  return { excerpt: text(found, "excerpt"), channel: word(found, "channel", CHANNELS) };
}

function text(row: Row, column: string): string {
  const value = row[column];
  if (typeof value !== "string") throw damaged();
  return value;
}

function word(row: Row, column: string, words: readonly string[]): string {
  const value = text(row, column);
  if (!words.includes(value)) throw damaged();
  return value;
}

function number(digits: string): bigint {
  if (!/^[1-9]\d{0,18}$/.test(digits)) throw damaged();
  return BigInt(digits);
}

function damaged(): DamagedStore {
  return new DamagedStore("A row of the review store is damaged");
}
