/**
 * Filling a review store: texts and pieces while the records are read, the rest in serving order at
 * the end. What is kept in memory grows with the number of records, not with their texts.
 *
 * @module
 */

import { compareCodePoints } from "../../platform/text.ts";
import type { Connection } from "../../platform/sqlite/mod.ts";
import { GramWriter } from "./gram_writer.ts";
import type { ProjectedRecord } from "./project_record.ts";
import { KIND_ORDER, NO_RANK, REVIEW_STAMP, STORE_INDEXES, STORE_SCHEMA } from "./store_schema.ts";

/** A record whose texts are in the store. */
export interface StagedRecord extends Omit<ProjectedRecord, "texts"> {
  readonly ordinal: number;
  readonly firstText: number;
  readonly lastText: number;
}

/** Writes one store. */
export class ReviewStoreWriter {
  readonly #connection: Connection;
  readonly #grams: GramWriter;
  #records = 0;
  #texts = 0;

  constructor(connection: Connection) {
    this.#connection = connection;
    connection.exec(STORE_SCHEMA);
    this.#grams = new GramWriter((bucket, segment, postings) => {
      connection.run(
        "INSERT INTO review_grams (bucket, segment, postings) VALUES (?, ?, ?)",
        bucket,
        segment,
        postings,
      );
    });
  }

  /** Adds a record's texts. Call inside a transaction. */
  stage(projected: ProjectedRecord): StagedRecord {
    const { texts, ...columns } = projected;
    const ordinal = this.#records++;
    const firstText = this.#texts;
    for (let start = 0; start < texts.length; start += TEXT_INSERTS.length) {
      const end = Math.min(start + TEXT_INSERTS.length, texts.length);
      const values: (string | number)[] = [];
      for (let i = start; i < end; i++) {
        values.push(this.#texts++, texts[i]!.channel, texts[i]!.content);
      }
      this.#connection.run(TEXT_INSERTS[end - start - 1]!, ...values);
    }
    this.#grams.add(ordinal, texts);
    return { ...columns, ordinal, firstText, lastText: this.#texts - 1 };
  }

  /** Ends staging; call inside the last staging transaction. */
  endStaging(): void {
    this.#grams.flush();
  }

  /** Writes the records that are served under a seal the data directory knows, and removes the texts of those that are not. */
  finish(
    served: readonly StagedRecord[],
    dropped: readonly StagedRecord[],
    seal: string,
    builtAt: string,
  ): void {
    const ordered = [...served].sort(inServingOrder);
    const ranks = new Uint32Array(this.#records).fill(NO_RANK);
    this.#connection.transaction(() => {
      for (const { firstText, lastText } of dropped) {
        this.#connection.run(
          "DELETE FROM review_texts WHERE id BETWEEN ? AND ?",
          firstText,
          lastText,
        );
      }
      ordered.forEach((record, rank) => {
        ranks[record.ordinal] = rank;
        this.#writeRecord(record, rank);
      });
      this.#writeParticipants(ordered);
      this.#connection.run(
        "INSERT INTO review_metadata (id, stamp, seal, built_at, ranks) VALUES (1, ?, ?, ?, ?)",
        REVIEW_STAMP,
        seal,
        builtAt,
        new Uint8Array(ranks.buffer),
      );
      this.#connection.exec(STORE_INDEXES);
    });
  }

  #writeRecord(record: StagedRecord, rank: number): void {
    this.#connection.run(
      "INSERT INTO review_records VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      rank,
      record.path,
      record.recordKey,
      record.kind,
      record.provider,
      record.repository,
      record.pullRequest,
      record.threadState,
      record.filePath,
      record.sourceUri,
      record.author.externalId,
      record.author.displayName,
      record.lastSeenRunId,
      record.lastSeenAt,
      record.firstText,
      record.lastText,
    );
  }

  /** In key order, so that the table grows at its end. */
  #writeParticipants(ordered: readonly StagedRecord[]): void {
    const ranks = new Map<string, number[]>();
    ordered.forEach(({ participants }, rank) => {
      for (const id of participants) {
        const list = ranks.get(id);
        if (list === undefined) ranks.set(id, [rank]);
        else list.push(rank);
      }
    });
    for (const id of [...ranks.keys()].sort(compareCodePoints)) {
      const of = ranks.get(id)!;
      for (let start = 0; start < of.length; start += PARTICIPANT_INSERTS.length) {
        const batch = of.slice(start, start + PARTICIPANT_INSERTS.length);
        const values = batch.flatMap((rank) => [id, rank]);
        this.#connection.run(PARTICIPANT_INSERTS[batch.length - 1]!, ...values);
      }
    }
  }
}

/** Statements that insert 1, 2, … rows at once: a call costs more than a row. */
const TEXT_INSERTS = insertStatements("review_texts (id, channel, content)", 3, 8);
const PARTICIPANT_INSERTS = insertStatements("review_participants (external_id, rank)", 2, 32);

function insertStatements(table: string, columns: number, most: number): string[] {
  const row = `(${Array(columns).fill("?").join(", ")})`;
  return Array.from(
    { length: most },
    (_, index) => `INSERT INTO ${table} VALUES ${Array(index + 1).fill(row).join(", ")}`,
  );
}

/** Repository, pull request (none first), kind, path; all ascending, texts in byte order. */
function inServingOrder(a: StagedRecord, b: StagedRecord): number {
  return compareCodePoints(a.repository, b.repository) ||
    compareNumbers(a.pullRequest, b.pullRequest) ||
    KIND_ORDER[a.kind] - KIND_ORDER[b.kind] ||
    compareCodePoints(a.path, b.path);
}

function compareNumbers(a: bigint | null, b: bigint | null): number {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? -1 : 1;
  return a < b ? -1 : 1;
}
