/**
 * The check that every call passes before any tool code runs (daemon-and-setup.md section 8).
 *
 * @module
 */

import { withApproximateIntegers } from "../platform/exact_json.ts";
import type { JsonObject, JsonValue } from "../platform/json.ts";
import { compareCodePoints, cut } from "../platform/text.ts";
import { escaped, escapedFragment, FRAGMENT_LIMIT } from "./escape_fragment.ts";
import { ARGUMENT_BOUNDS, type ArgumentExcess, argumentExcess } from "./measure_arguments.ts";
import { refusal } from "./results.ts";
import type { ToolSchemas } from "./schemas.ts";

/** What a compiled check leaves behind. */
export interface SchemaViolation {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** A compiled schema: says whether a value fits and leaves its violations behind. */
export interface CompiledCheck {
  (value: unknown): boolean;
  errors?: readonly SchemaViolation[] | null;
}

const REFUSAL_LIMIT = 800;

const EXCESS_WORDS: Readonly<Record<ArgumentExcess, string>> = {
  depth: `they nest deeper than ${ARGUMENT_BOUNDS.depth} levels`,
  values: `they hold more than ${ARGUMENT_BOUNDS.values} keys and values`,
  characters: `they are longer than ${ARGUMENT_BOUNDS.characters} characters`,
};

/**
 * The refusal of a call that must not reach its tool, or `null`. Reports one violation, the deepest,
 * and never repeats a value.
 */
export function validateCall(
  schemas: ToolSchemas,
  name: string,
  input: JsonObject,
): JsonObject | null {
  if (!schemas.inputs.has(name)) {
    return refused(
      name,
      "this build publishes no such tool; nothing was read or changed. " +
        "tools/list names the tools there are",
    );
  }
  const excess = argumentExcess(input);
  if (excess !== null) {
    return refused(name, `its arguments are too large, ${EXCESS_WORDS[excess]}`);
  }
  const check = schemas.checks[name];
  if (check === undefined) {
    return refused(name, "its schema is unusable in this build. Reinstall Theurian");
  }
  // The compiled checks know no integer beyond 2^53.
  if (check(withApproximateIntegers(input))) return null;
  return refused(
    name,
    `${violationText(check.errors ?? [])}. tools/list shows the schema of this tool`,
  );
}

function refused(name: string, why: string): JsonObject {
  return refusal(cut(`Cannot call "${escapedFragment(name)}": ${why}`, REFUSAL_LIMIT));
}

interface Located {
  readonly path: readonly string[];
  readonly keyword: string;
  readonly message: string;
}

function violationText(violations: readonly SchemaViolation[]): string {
  let first: Located | null = null;
  const seen = new Set<string>();
  for (const violation of violations) {
    const { instancePath, keyword } = violation;
    const names = NAMED_BY[keyword];
    if (names !== undefined) {
      const group = `${keyword}\0${instancePath}`;
      if (seen.has(group)) continue;
      seen.add(group);
    }
    const path = pathOf(instancePath);
    if (first !== null && path.length < first.path.length) continue;
    const message = names === undefined
      ? `must satisfy ${keyword}: ${cut(expectation(violation), FRAGMENT_LIMIT)}`
      : `${names.words} (${keyword}): ${namesOf(violation, violations, names.param)}`;
    const located = { path, keyword, message };
    if (first === null || comesBefore(located, first)) first = located;
  }
  if (first === null) return "its arguments do not fit its schema";
  const location = first.path.length === 0
    ? "<root>"
    : cut(first.path.map(escapedFragment).join("/"), REFUSAL_LIMIT / 4);
  return `at ${location}, ${first.message}`;
}

/** Keywords that are about keys, the parameter that holds the key, and how we say it. */
const NAMED_BY: Readonly<Record<string, { readonly param: string; readonly words: string }>> = {
  unevaluatedProperties: { param: "unevaluatedProperty", words: "there are unknown keys" },
  additionalProperties: { param: "additionalProperty", words: "there are unknown keys" },
  required: { param: "missingProperty", words: "required keys are missing" },
};

function namesOf(
  one: SchemaViolation,
  all: readonly SchemaViolation[],
  param: string,
): string {
  const names = all
    .filter((other) => other.keyword === one.keyword && other.instancePath === one.instancePath)
    .map((other) => String(other.params[param])).sort(compareCodePoints);
  return cut(
    names.slice(0, FRAGMENT_LIMIT).map((name) => escaped(name.slice(0, 1000))).join(", "),
    FRAGMENT_LIMIT,
  );
}

function comesBefore(a: Located, b: Located): boolean {
  if (a.path.length !== b.path.length) return a.path.length > b.path.length;
  for (const [index, segment] of a.path.entries()) {
    const order = compareCodePoints(segment, b.path[index]!);
    if (order !== 0) return order < 0;
  }
  const byKeyword = compareCodePoints(a.keyword, b.keyword);
  return (byKeyword !== 0 ? byKeyword : compareCodePoints(a.message, b.message)) < 0;
}

function pathOf(pointer: string): string[] {
  return pointer.split("/").slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function expectation({ keyword, params }: SchemaViolation): string {
  switch (keyword) {
    case "type":
      return [params["type"]].flat().join(" or ");
    case "pattern":
      return String(params["pattern"]);
    case "enum":
      return (params["allowedValues"] as JsonValue[]).map((value) => JSON.stringify(value))
        .join(", ");
    case "const":
      return JSON.stringify(params["allowedValue"]);
    default:
      return params["limit"] === undefined ? "the published schema" : String(params["limit"]);
  }
}
