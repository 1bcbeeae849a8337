import { createHash } from "node:crypto";
import { goldenRows, type TreeNode } from "./golden_review.ts";

/** One row of `tampered.jsonl`. */
export interface TamperedRow extends TreeNode {
  readonly id: string;
  readonly nodes?: readonly TreeNode[];
  readonly expect: "accept" | "reject" | "ignored";
  readonly step?: number | "projection";
  readonly rule?: string;
  readonly field?: string;
  readonly row?: Readonly<Record<string, unknown>> & {
    readonly participants: readonly string[];
    readonly texts: readonly (readonly [string, unknown])[];
  };
}

export function tamperedRows(): TamperedRow[] {
  return goldenRows<TamperedRow>("tampered.jsonl");
}

/** Bytes of a case that is one file, or `null` for a tree of nodes. */
export function tamperedBytes(row: TamperedRow): Uint8Array | null {
  if (row.nodes !== undefined) return null;
  if (row.hex !== undefined) {
    return Uint8Array.from(row.hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
  }
  const text = row.parts === undefined
    ? row.text!
    : row.parts.map(([part, count]) => part.repeat(count)).join("");
  return new TextEncoder().encode(text);
}

/** How an expected row of the fixtures spells a value: long texts by digest, big integers as text. */
export function asExpected(value: unknown): unknown {
  if (typeof value === "bigint") {
    return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : { integer: value.toString() };
  }
  if (typeof value !== "string") return value;
  const length = [...value].length;
  return length > 320
    ? { length, sha256: createHash("sha256").update(value).digest("hex") }
    : value;
}
