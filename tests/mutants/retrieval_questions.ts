/**
 * The traps of retrieval.md about what is asked: arguments, queries, moments.
 *
 * @module
 */

import type { Mutant } from "./mutant.ts";

export const RETRIEVAL_QUESTIONS: readonly Mutant[] = [
  {
    trap: 1,
    why: "a project id ends at its last character, not before a line feed",
    file: "src/mcp/_schema_checks.js",
    find: 'const pattern3 = new RegExp("^[a-z0-9]+(?:-[a-z0-9]+)*$", "u");',
    replace: 'const pattern3 = new RegExp("^[a-z0-9]+(?:-[a-z0-9]+)*\\n?$", "u");',
    tests: ["src/mcp/validate_call_test.ts"],
  },
  {
    trap: [2, 21],
    why: "lengths count code points",
    file: "src/platform/text.ts",
    find: "  return text.length - pairs;",
    replace: "  return text.length;",
    tests: ["src/mcp/validate_call_test.ts"],
  },
  {
    trap: 3,
    why: "a lone surrogate is searched and echoed as a question mark",
    file: "src/search/query.ts",
    find: "firstCodePoints(replaceLoneSurrogates(text), QUERY_LENGTH)",
    replace: "firstCodePoints(text, QUERY_LENGTH)",
    tests: ["src/search/query_test.ts"],
  },
  {
    trap: [4, 5, 6, 7],
    why: "arguments that do not fit the schema never reach the tool",
    file: "src/mcp/validate_call.ts",
    find: "  if (check(withApproximateIntegers(input))) return null;",
    replace: "  if (check(withApproximateIntegers(input)) || name !== '') return null;",
    tests: ["src/mcp/validate_call_test.ts"],
  },
  {
    trap: 5,
    why: "a snapshot id is 64 hexadecimal digits",
    file: "src/mcp/_schema_checks.js",
    find: 'const pattern4 = new RegExp("^[0-9a-f]{64}$", "u");',
    replace: 'const pattern4 = new RegExp("", "u");',
    tests: ["src/mcp/validate_call_test.ts"],
  },
  {
    trap: 8,
    why: "a call without arguments has none, a list of them is no call",
    file: "src/daemon/_rpc_envelope.ts",
    find: "if (given !== undefined && given !== null && !isObject(given))",
    replace: "if (given === null)",
    tests: ["src/daemon/_rpc_envelope_test.ts"],
  },
  {
    trap: 9,
    why: "a blank query is refused",
    file: "src/mcp/tools/knowledge_search.ts",
    find: "  if (!isBlank(query)) return;",
    replace: "  if (query !== '') return;",
    tests: ["src/mcp/tools/knowledge_search_test.ts"],
  },
  {
    trap: 9,
    why: "a byte order mark is no white space",
    file: "src/platform/text.ts",
    find: '\\\\u205f\\\\u3000";',
    replace: '\\\\u205f\\\\u3000\\\\ufeff";',
    tests: ["src/mcp/tools/knowledge_search_test.ts"],
  },
  {
    trap: 10,
    why: "an answer without results has the mode none",
    file: "src/search/search_knowledge.ts",
    find: '  if (kept.length === 0) return "none";\n',
    replace: "",
    tests: ["tests/contract/retrieval_traps_test.ts"],
  },
  {
    trap: 13,
    why: "a single character of a script without spaces is looked for",
    file: "src/search/query.ts",
    find: '    if (second === undefined) return [unit(only!, "character")];',
    replace: "    if (second === undefined) return [];",
    tests: ["src/mcp/tools/knowledge_search_test.ts"],
  },
  {
    trap: 45,
    why: "a stored time has six digits behind the point, and the author's offset",
    file: "src/platform/timestamp.ts",
    find: "`.${micros}`",
    replace: "`.${fraction}`",
    tests: ["src/mcp/tools/knowledge_search_test.ts"],
  },
  {
    trap: 46,
    why: "knowledge is never younger than nothing",
    file: "src/search/shape_result.ts",
    find: "  return age <= 0n ? 0 : Number",
    replace: "  return Number",
    tests: ["src/mcp/tools/knowledge_search_test.ts"],
  },
  {
    trap: 45,
    why: "an author's offset is kept",
    file: "src/platform/timestamp.ts",
    find: 'offsetMinutes === 0 ? "+00:00"',
    replace: 'offsetMinutes !== null ? "+00:00"',
    tests: ["src/mcp/tools/knowledge_search_test.ts"],
  },
  {
    trap: 46,
    why: "the end of time is a moment",
    file: "src/platform/timestamp.ts",
    find: "Number(year) >= 1 &&",
    replace: "Number(year) >= 1 && Number(year) < 9999 &&",
    tests: ["src/mcp/tools/knowledge_search_test.ts"],
  },
];
