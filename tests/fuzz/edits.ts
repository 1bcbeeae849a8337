/**
 * Damage done to something that was right: a tree with a few nodes replaced, dropped or doubled, a
 * text with a few pieces cut, copied or put in.
 *
 * @module
 */

import fc from "fast-check";
import { CANARY } from "./fuzz.ts";

/** A value of JSON. */
export type Json = null | boolean | number | string | readonly Json[] | {
  readonly [key: string]: Json;
};

interface Edit {
  readonly at: number;
  readonly how: "replace" | "drop" | "double" | "rename" | "empty";
  readonly by: Json;
}

const KEYS = ["__proto__", "constructor", "then", "toJSON", "", " ", "\u0000", "a.b", "é", "x"];

/** Texts that are hard on a reader. Each carries the canary where it is long enough to be one. */
export const oddText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    "",
    " ",
    "\n",
    "\u0000",
    "~",
    "null",
    "0x10",
    "1e400",
    "-0",
    "2026-01-01",
    "../..",
    "/",
    "a/../b",
    "%",
    "_",
  ),
  fc.constantFrom(
    "\ud800",
    "\udc00",
    "\ufeff",
    "\u202e",
    "\u0085",
    "\u2028",
    "\u001b[2J",
    "ﬁ",
    "İ",
    "e\u0301",
  ),
  fc.string({ unit: "binary", maxLength: 12 }).map((text) => CANARY + text),
  fc.string({ unit: "grapheme", maxLength: 12 }).map((text) => text + CANARY),
  fc.nat(3000).map((length) => `${CANARY}${"x".repeat(length)}`),
);

/** Values of every kind. */
export const oddValue: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    oddText,
    fc.constantFrom<Json>(null, true, false, 0, -1, 1, 0.5, 1e21, 2 ** 53, -(2 ** 53) - 2, 1e308),
    fc.integer(),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.oneof(fc.constantFrom(...KEYS), fc.string({ maxLength: 4 })), tie("value"), {
      maxKeys: 3,
    }),
  ),
})).value;

const edit: fc.Arbitrary<Edit> = fc.record({
  at: fc.nat(1_000_000),
  how: fc.constantFrom("replace", "replace", "drop", "double", "rename", "empty"),
  by: oddValue,
});

/** A tree with up to `most` edits; none of them in about a quarter of the cases. */
export function damaged(trees: fc.Arbitrary<Json>, most = 3): fc.Arbitrary<Json> {
  const edits = fc.oneof(fc.constant<Edit[]>([]), fc.array(edit, { maxLength: most }));
  return fc.tuple(trees, edits, edits).map(([tree, some, more]) =>
    [...some, ...more].slice(0, most).reduce(applyEdit, tree)
  );
}

function applyEdit(tree: Json, edit: Edit): Json {
  const count = countNodes(tree);
  return editAt(tree, { left: edit.at % count }, edit) ?? null;
}

function countNodes(tree: Json): number {
  if (typeof tree !== "object" || tree === null) return 1;
  return 1 + Object.values(tree).reduce<number>((sum, child) => sum + countNodes(child), 0);
}

/** `undefined` drops the node. */
function editAt(tree: Json, cursor: { left: number }, edit: Edit): Json | undefined {
  if (cursor.left-- === 0) return changed(tree, edit);
  if (typeof tree !== "object" || tree === null) return tree;
  if (Array.isArray(tree)) {
    return tree.flatMap((child) => {
      const mine = cursor.left === 0;
      const next = cursor.left < 0 ? child : editAt(child, cursor, edit);
      if (next === undefined) return [];
      return mine && edit.how === "double" ? [next, next] : [next];
    });
  }
  const pairs = Object.entries(tree).flatMap(([key, child]): [string, Json][] => {
    const mine = cursor.left === 0;
    const next = cursor.left < 0 ? child : editAt(child, cursor, edit);
    if (next === undefined) return [];
    if (!mine || edit.how !== "rename") return [[key, next]];
    // A refusal may name a key: it never carries the canary.
    return [[KEYS[edit.at % KEYS.length]!, next]];
  });
  // Keys such as `__proto__` must become keys.
  return Object.fromEntries(pairs);
}

function changed(node: Json, { how, by }: Edit): Json | undefined {
  if (how === "replace") return by;
  if (how === "drop") return undefined;
  if (how !== "empty") return node;
  if (Array.isArray(node)) return [];
  if (typeof node === "string") return "";
  return typeof node === "object" && node !== null ? {} : null;
}

/** The tree with every text well formed, for writers that refuse the rest. */
export function wellFormed(tree: Json): Json {
  if (typeof tree === "string") return tree.toWellFormed();
  if (typeof tree !== "object" || tree === null) return tree;
  if (Array.isArray(tree)) return tree.map(wellFormed);
  return Object.fromEntries(
    Object.entries(tree).map(([key, child]) => [key.toWellFormed(), wellFormed(child)]),
  );
}

interface TextEdit {
  readonly at: number;
  readonly length: number;
  readonly piece: string;
  readonly copies: boolean;
}

/** A text with up to `most` cuts, copies and pieces put in. */
export function damagedText(
  texts: fc.Arbitrary<string>,
  pieces: readonly string[],
  most = 4,
): fc.Arbitrary<string> {
  const one: fc.Arbitrary<TextEdit> = fc.record({
    at: fc.nat(1_000_000),
    length: fc.oneof(fc.constant(0), fc.nat(8), fc.nat(200)),
    piece: fc.oneof(
      fc.constantFrom("", ...pieces),
      fc.tuple(fc.constantFrom(...pieces), fc.nat(400)).map(([piece, n]) => piece.repeat(n)),
      // What is put into a text may become a key, which a refusal may name.
      oddText.map((text) => text.replace(CANARY, "")),
    ),
    copies: fc.boolean(),
  });
  return fc.tuple(texts, fc.array(one, { maxLength: most })).map(([text, edits]) =>
    edits.reduce((whole, { at, length, piece, copies }) => {
      const from = at % (whole.length + 1);
      const rest = copies ? from : from + length;
      return whole.slice(0, from) + piece + whole.slice(from, copies ? from + length : from) +
        whole.slice(rest);
    }, text)
  );
}
