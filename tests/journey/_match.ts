/**
 * Matchers of the recorded expectations (`tests/fixtures/journey/README.md`, "Expected"). A match
 * answers with the places that differ, so that a failing case can be read.
 *
 * @module
 */

import type { Json, JsonMap } from "./_cases.ts";

/** One place where the answer is not what was expected. */
export interface Difference {
  readonly at: string;
  readonly expected: string;
  readonly actual: string;
}

type Flag = (actual: unknown) => boolean;

const RFC3339 = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;
const ULID = "[0-7][0-9A-HJKMNP-TV-Z]{25}";

const FLAGS: Readonly<Record<string, Flag>> = {
  $prose: (actual) => typeof actual === "string" && /\p{L}/u.test(actual),
  $string: (actual) => typeof actual === "string",
  $int: (actual) => typeof actual === "number" && Number.isInteger(actual),
  $number: (actual) => typeof actual === "number",
  $bool: (actual) => typeof actual === "boolean",
  $list: (actual) => Array.isArray(actual),
  $any: () => true,
  $time: (actual) =>
    typeof actual === "string" && RFC3339.test(actual) && !Number.isNaN(Date.parse(actual)),
  $ulid: (actual) => typeof actual === "string" && new RegExp(`^${ULID}$`).test(actual),
};

/** A short rendering for messages. */
export function brief(value: unknown, limit = 220): string {
  const text = value === undefined ? "(absent)" : JSON.stringify(value) ?? String(value);
  return text.length <= limit ? text : `${text.slice(0, limit)}… (${text.length} characters)`;
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function differs(at: string, expected: unknown, actual: unknown): Difference[] {
  return [{ at: at === "" ? "<root>" : at, expected: brief(expected), actual: brief(actual) }];
}

/** `true` when nothing differs. */
export function matches(expected: Json, actual: unknown): boolean {
  return match(expected, actual).length === 0;
}

/** The differences between an expectation and an answer; empty when it matches. */
export function match(expected: Json, actual: unknown, at = ""): Difference[] {
  if (Array.isArray(expected)) return matchList(expected, actual, at);
  if (!isMap(expected)) return expected === actual ? [] : differs(at, expected, actual);
  const [name] = Object.keys(expected);
  if (name !== undefined && name.startsWith("$")) {
    return matchSpecial(name, expected[name] as Json, actual, at);
  }
  return matchKeys(expected as JsonMap, actual, at, true);
}

function matchList(expected: readonly Json[], actual: unknown, at: string): Difference[] {
  if (!Array.isArray(actual)) return differs(at, expected, actual);
  const found = expected.flatMap((item, index) =>
    index < actual.length ? match(item, actual[index], `${at}[${index}]`) : []
  );
  if (expected.length !== actual.length) {
    found.unshift(...differs(`${at}.length`, expected.length, actual.length));
  }
  return found;
}

function matchKeys(
  expected: JsonMap,
  actual: unknown,
  at: string,
  exact: boolean,
): Difference[] {
  if (!isMap(actual)) return differs(at, expected, actual);
  const found: Difference[] = [];
  for (const [key, value] of Object.entries(expected)) {
    const here = at === "" ? key : `${at}.${key}`;
    if (!Object.hasOwn(actual, key)) found.push(...differs(here, value, undefined));
    else found.push(...match(value, actual[key], here));
  }
  if (exact) {
    for (const key of Object.keys(actual)) {
      if (Object.hasOwn(expected, key)) continue;
      const here = at === "" ? key : `${at}.${key}`;
      found.push({ at: here, expected: "(no such key)", actual: brief(actual[key]) });
    }
  }
  return found;
}

function matchSpecial(name: string, rule: Json, actual: unknown, at: string): Difference[] {
  const whole = { [name]: rule };
  const flag = FLAGS[name];
  if (flag !== undefined) return flag(actual) ? [] : differs(at, whole, actual);
  switch (name) {
    case "$hex":
      return typeof actual === "string" && new RegExp(`^[0-9a-f]{${rule}}$`).test(actual)
        ? []
        : differs(at, whole, actual);
    case "$form":
      return typeof actual === "string" && formPattern(String(rule)).test(actual)
        ? []
        : differs(at, whole, actual);
    case "$superset":
      return matchKeys(rule as JsonMap, actual, at, false);
    case "$oneOf":
      return matchOneOf(rule as readonly Json[], actual, at);
    case "$contains":
      return matchContains(rule as readonly Json[], actual, at);
    case "$hit":
      return matchHit(rule as JsonMap, actual, at);
    case "$ranked":
      return matchRanked(rule as JsonMap, actual, at);
    default:
      throw new Error(`No matcher is called ${name}`);
  }
}

function formPattern(form: string): RegExp {
  const escaped = form.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(
    `^${escaped.replaceAll("<ulid>", ULID).replaceAll("<hex64>", "[0-9a-f]{64}")}$`,
  );
}

/** The nearest alternative explains the difference best. */
function matchOneOf(alternatives: readonly Json[], actual: unknown, at: string): Difference[] {
  let nearest: Difference[] | null = null;
  for (const alternative of alternatives) {
    const found = match(alternative, actual, at);
    if (found.length === 0) return [];
    if (nearest === null || found.length < nearest.length) nearest = found;
  }
  return nearest ?? differs(at, { $oneOf: alternatives }, actual);
}

function matchContains(wanted: readonly Json[], actual: unknown, at: string): Difference[] {
  if (!Array.isArray(actual)) return differs(at, { $contains: wanted }, actual);
  return wanted.flatMap((entry) =>
    actual.some((candidate) => matches(entry, candidate))
      ? []
      : differs(at, { $contains: [entry] }, actual)
  );
}

function matchHit(rule: JsonMap, actual: unknown, at: string): Difference[] {
  if (!isMap(actual)) return differs(at, { $hit: rule }, actual);
  const { keys, ...named } = rule;
  return [
    ...match([...(keys as readonly string[])].sort(), Object.keys(actual).sort(), `${at}{keys}`),
    ...matchKeys(named, actual, at, false),
  ];
}

function matchRanked(rule: JsonMap, actual: unknown, at: string): Difference[] {
  if (!Array.isArray(actual)) return differs(at, { $ranked: rule }, actual);
  const required = rule["keys"] as readonly string[];
  const allowed = new Set([...required, ...(rule["optional"] as readonly string[] ?? [])]);
  const absent = new Set(rule["absent"] as readonly string[] ?? []);
  const seen = new Set<unknown>();
  const found: Difference[] = [];
  for (const [index, hit] of actual.entries()) {
    const here = `${at}[${index}]`;
    if (!isMap(hit)) {
      found.push(...differs(here, "a hit", hit));
      continue;
    }
    const missing = required.filter((key) => !Object.hasOwn(hit, key));
    const extra = Object.keys(hit).filter((key) => !allowed.has(key));
    if (missing.length > 0) found.push(...differs(`${here}{missing keys}`, [], missing));
    if (extra.length > 0) found.push(...differs(`${here}{unknown keys}`, [], extra));
    const paths = hit["foundBy"];
    if (allowed.has("foundBy") && !(Array.isArray(paths) && paths.length > 0)) {
      found.push(...differs(`${here}.foundBy`, "a non-empty list", paths));
    }
    const id = hit["itemId"];
    if (absent.has(String(id))) found.push(...differs(`${here}.itemId`, "a served item", id));
    if (seen.has(id)) found.push(...differs(`${here}.itemId`, "each item once", id));
    seen.add(id);
  }
  if (rule["first"] !== undefined) {
    found.push(...matchKeys(rule["first"] as JsonMap, actual[0], `${at}[0]`, false));
  }
  if (rule["count"] !== undefined) {
    found.push(...match(rule["count"], actual.length, `${at}.length`));
  }
  return found;
}
