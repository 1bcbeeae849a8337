/**
 * The recorded cases as data: what is read from `cases.jsonl`, and the values they may hold.
 *
 * @module
 */

/** JSON as parsed. */
export type Json = null | boolean | number | string | readonly Json[] | JsonMap;
export interface JsonMap {
  readonly [key: string]: Json;
}

/** A change made to a working copy before a case of state `applied+tamper` runs. */
export interface Tamper {
  readonly edit?: readonly [file: string, from: string, to: string];
  readonly write?: readonly [file: string, text: string];
  readonly rename?: readonly [from: string, to: string];
  readonly delete?: string;
}

/** Everything an input may name; which keys are there depends on the kind. */
export interface CaseInput {
  readonly argv?: readonly (string | { readonly $from: string; readonly key: string })[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly migration?: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly symlinks?: Readonly<Record<string, string>>;
  readonly tamper?: Tamper;
  readonly tool?: string;
  readonly arguments?: JsonMap | null;
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Json;
}

/** One line of the file. */
export interface Case {
  readonly name: string;
  readonly kind: "cli" | "mcp" | "http";
  readonly state: string;
  readonly input: CaseInput;
  readonly expected: JsonMap;
  readonly after?: readonly string[];
  readonly run?: string;
}

/** Folder of the recorded corpus, `$CORPUS` in the cases. */
export const CORPUS = decodeURIComponent(
  new URL("../fixtures/journey/corpus", import.meta.url).pathname,
);

const CASES_FILE = new URL("../fixtures/journey/cases.jsonl", import.meta.url);

type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown;
const rawJson = (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON;
const parse = JSON.parse as (text: string, reviver: Reviver) => unknown;

/** Numbers that a double cannot hold are kept as written, so that they reach the wire unchanged. */
function keepNumberText(_key: string, value: unknown, context: { source?: string }): unknown {
  if (typeof value !== "number" || context.source === undefined) return value;
  return String(value) === context.source ? value : rawJson(context.source);
}

/** All recorded cases in file order. */
export function loadCases(): readonly Case[] {
  const lines = Deno.readTextFileSync(CASES_FILE).split("\n").filter((line) => line !== "");
  return lines.map((line) => {
    const recorded = JSON.parse(line) as Case;
    const { input } = parse(line, keepNumberText) as Case;
    return { ...recorded, input };
  });
}

/** The part of a name before its first slash. */
export function prefixOf(name: string): string {
  return name.split("/", 1)[0] ?? name;
}
