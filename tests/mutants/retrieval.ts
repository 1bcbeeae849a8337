/**
 * The traps of retrieval.md, section 13.
 *
 * @module
 */

import type { Area, Mutant } from "./mutant.ts";
import { RETRIEVAL_INDEX } from "./retrieval_index.ts";

const SEARCH_TOOL = "src/mcp/tools/knowledge_search_test.ts";
const GET_TOOL = "src/mcp/tools/knowledge_get_test.ts";
const STATUS_TOOL = "src/mcp/tools/knowledge_status_test.ts";
const VALIDATE = "src/mcp/validate_call_test.ts";
const TRAPS = "tests/contract/retrieval_traps_test.ts";

/** What is asked: arguments, queries, moments. */
const QUESTIONS: readonly Mutant[] = [
  {
    trap: 1,
    why: "a project id ends at its last character, not before a line feed",
    file: "src/mcp/_schema_checks.js",
    find: 'const pattern3 = new RegExp("^[a-z0-9]+(?:-[a-z0-9]+)*$", "u");',
    replace: 'const pattern3 = new RegExp("^[a-z0-9]+(?:-[a-z0-9]+)*\\n?$", "u");',
    tests: [VALIDATE],
  },
  {
    trap: [2, 21],
    why: "lengths count code points",
    file: "src/platform/text.ts",
    find: "  return text.length - pairs;",
    replace: "  return text.length;",
    tests: [VALIDATE],
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
    tests: [VALIDATE],
  },
  {
    trap: 5,
    why: "a snapshot id is 64 hexadecimal digits",
    file: "src/mcp/_schema_checks.js",
    find: 'const pattern4 = new RegExp("^[0-9a-f]{64}$", "u");',
    replace: 'const pattern4 = new RegExp("", "u");',
    tests: [VALIDATE],
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
    tests: [SEARCH_TOOL],
  },
  {
    trap: 9,
    why: "a byte order mark is no white space",
    file: "src/platform/text.ts",
    find: '\\\\u205f\\\\u3000";',
    replace: '\\\\u205f\\\\u3000\\\\ufeff";',
    tests: [SEARCH_TOOL],
  },
  {
    trap: 10,
    why: "an answer without results has the mode none",
    file: "src/search/search_knowledge.ts",
    find: '  if (kept.length === 0) return "none";\n',
    replace: "",
    tests: [TRAPS],
  },
  {
    trap: 13,
    why: "a single character of a script without spaces is looked for",
    file: "src/search/query.ts",
    find: '    if (second === undefined) return [unit(only!, "character")];',
    replace: "    if (second === undefined) return [];",
    tests: [SEARCH_TOOL],
  },
  {
    trap: 45,
    why: "a stored time has six digits behind the point, and the author's offset",
    file: "src/platform/timestamp.ts",
    find: "`.${micros}`",
    replace: "`.${fraction}`",
    tests: [SEARCH_TOOL],
  },
  {
    trap: 46,
    why: "knowledge is never younger than nothing",
    file: "src/search/shape_result.ts",
    find: "  return age <= 0n ? 0 : Number",
    replace: "  return Number",
    tests: [SEARCH_TOOL],
  },
];

/** What is shown: order, packing, provenance of ranks. */
const ANSWERS: readonly Mutant[] = [
  {
    trap: 15,
    why: "equal scores are in ascending item id",
    file: "src/search/best_documents.ts",
    find: "  return b.score - a.score || a.document - b.document;",
    replace: "  return b.score - a.score || b.document - a.document;",
    tests: ["src/search/fuse_paths_test.ts"],
  },
  {
    trap: 18,
    why: "the mode tells of what the budget kept",
    file: "src/search/search_knowledge.ts",
    find: "      mode: draft.modeOf(results),",
    replace: "      mode: draft.modeOf(draft.results),",
    tests: [TRAPS],
  },
  {
    trap: 19,
    why: "the first result is kept, whatever it costs",
    file: "src/search/pack_results.ts",
    find: "    if (kept.length > 0 && usedTokens + cost > budget) break;",
    replace: "    if (usedTokens + cost > budget) break;",
    tests: ["src/search/pack_results_test.ts"],
  },
  {
    trap: 19,
    why: "results past the limit are neither shown nor counted",
    file: "src/search/search_knowledge.ts",
    find: "    if (results.length === request.limit) break;\n",
    replace: "",
    tests: [SEARCH_TOOL],
  },
  {
    trap: 20,
    why: "the spaced form of the JSON is priced",
    file: "src/search/pack_results.ts",
    find: "estimateTokens(JSON.stringify(value), spacesIn(value))",
    replace: "estimateTokens(JSON.stringify(value))",
    tests: ["src/search/pack_results_test.ts"],
  },
  {
    trap: 20,
    why: "an emoji costs one and a half, a rare ideograph a quarter",
    file: "src/index/estimate_tokens.ts",
    find: "if (point >= 0x1f300 && point <= 0x1faff) dense++;",
    replace: "dense++;",
    tests: ["src/index/estimate_tokens_test.ts"],
  },
  {
    trap: 21,
    why: "280 characters have no dots behind them",
    file: "src/search/excerpt.ts",
    find: "codePointLength(line) <= EXCERPT_LENGTH",
    replace: "codePointLength(line) < EXCERPT_LENGTH",
    tests: ["src/search/excerpt_test.ts"],
  },
  {
    trap: 47,
    why: "an answer without a forest has no path through one",
    file: "src/search/search_knowledge.ts",
    find: "    ...(ancestry === null ? {} : { raptorPath: ancestry.path }),",
    replace: "    raptorPath: ancestry?.path ?? [],",
    tests: [SEARCH_TOOL],
  },
  {
    trap: 47,
    why: "the path begins with the broadest summary there is",
    file: "src/search/summaries.ts",
    find: "      nodes.unshift(node);",
    replace: "      nodes.push(node);",
    tests: ["src/search/summaries_test.ts"],
  },
  {
    trap: 48,
    why: "a summary alone may find a document",
    file: "src/search/fuse_paths.ts",
    find: '    fused.push({ document, score, ordinal: 0, foundBy: ["summary"] });\n',
    replace: "",
    tests: ["src/search/fuse_paths_test.ts"],
  },
];

/** Who may see what, and whose project is meant. */
const ACCESS: readonly Mutant[] = [
  {
    trap: 30,
    why: "a document whose served text has changed does not exist",
    file: "src/search/gate.ts",
    find: "if (served === null || served !== document.servedSha256)",
    replace: "if (served === null)",
    tests: ["src/search/search_knowledge_test.ts"],
  },
  {
    trap: 31,
    why: "what was raised above the ceiling is gone at once",
    file: "src/search/gate.ts",
    find: '  if (!visibility.sensitivities.includes(item.sensitivity)) return "sensitivity";\n',
    replace: "",
    tests: [SEARCH_TOOL],
  },
  {
    trap: 32,
    why: "what went back to draft is gone at once",
    file: "src/search/gate.ts",
    find: '  if (!visibility.statuses.includes(item.status)) return "status";\n',
    replace: "",
    tests: [TRAPS],
  },
  {
    trap: 33,
    why: "what was a draft when it was indexed is no answer by default",
    file: "src/search/score_words.ts",
    find: "admitsStatus(code, includeUnapproved) ? 1 : 0",
    replace: "admitsStatus(code, true) ? 1 : 0",
    tests: [SEARCH_TOOL],
  },
  {
    trap: 34,
    why: "an older revision in the index does not exist",
    file: "src/search/gate.ts",
    find: '  if (item.currentRevisionId !== document.revisionId) return "revision-mismatch";\n',
    replace: "",
    tests: [SEARCH_TOOL],
  },
  {
    trap: 35,
    why: "counts of damage ignore the ceiling",
    file: "src/knowledge/_sqlite_state_reader.ts",
    find: "WHERE status IN (?, ?, ?)) surfaceable",
    replace: "WHERE status IN (?, ?, ?) AND sensitivity IN ('public', 'internal')) surfaceable",
    tests: [STATUS_TOOL],
  },
  {
    trap: 36,
    why: "over damage an absent item is no statement about the project",
    file: "src/mcp/tools/knowledge_get.ts",
    find: "  if (damaged) {",
    replace: "  if (damaged && itemId === '') {",
    tests: [STATUS_TOOL, GET_TOOL],
  },
  {
    trap: 36,
    why: "a hidden item is absent",
    file: "src/mcp/tools/knowledge_get.ts",
    find: "item === null || !isVisible(item, visibility) || item",
    replace: "item === null || item",
    tests: [GET_TOOL],
  },
  {
    trap: 37,
    why: "the number of applied migrations is the pointer's",
    file: "src/mcp/tools/knowledge_status.ts",
    find: "appliedMigrations: named.pointer.migrationCount",
    replace: "appliedMigrations: reader.history().length",
    tests: [STATUS_TOOL],
  },
  {
    trap: 38,
    why: "a pointer with a negative count is none",
    file: "src/knowledge/active_pointer.ts",
    find: " || (migrationCount as number) < 0",
    replace: "",
    tests: ["src/knowledge/open_state_test.ts"],
  },
  {
    trap: 39,
    why: "a state that nobody vouches for is refused",
    file: "src/projects/built_here.ts",
    find: "vouchedFor(dataDirectory).get(root)?.[kind].includes(id) ?? false",
    replace: "vouchedFor(dataDirectory).get(root)?.[kind].includes(id) ?? true",
    tests: ["src/search/search_knowledge_test.ts"],
    filter: "did not build",
  },
  {
    trap: 41,
    why: "paths that lead out of the project are refused",
    file: "src/projects/project_paths.ts",
    find: "  requireContainedEntries(root, KNOWLEDGE_DIRECTORY, Object.values(DIRECTORIES));\n",
    replace: "",
    tests: ["src/search/search_knowledge_test.ts"],
    filter: "lead out",
  },
  {
    trap: 41,
    why: "an escape is answered by one constant without a path",
    file: "src/mcp/wire_refusal.ts",
    find: 'error.details?.["route"] !== undefined) return pathEscape();',
    replace: 'error.details?.["route"] !== undefined) return error;',
    tests: ["src/mcp/wire_refusal_test.ts"],
  },
  {
    trap: 42,
    why: "a root is absolute",
    file: "src/projects/registry.ts",
    find: 'typeof rootPath !== "string" || !isAbsolute(rootPath)',
    replace: 'typeof rootPath !== "string"',
    tests: ["src/projects/registry_test.ts"],
  },
  {
    trap: 42,
    why: "a root is not below the table of processes",
    file: "src/projects/registry.ts",
    find: "  if (/^\\/+proc(?:\\/|$)/.test(normal)) return null;\n",
    replace: "",
    tests: ["src/projects/registry_test.ts"],
  },
  {
    trap: 42,
    why: "a root that is gone is an unbuilt state, no escape",
    file: "src/projects/resolve_registered.ts",
    find: "  if (realPath(root) === null) throw gone(projectId, root);\n",
    replace: "",
    tests: ["src/projects/locate_project_test.ts"],
  },
  {
    trap: 43,
    why: "four calls of a heavy tool run, the others wait a second at most",
    file: "src/daemon/_gate.ts",
    find: "permits: 4, waitMs: 1000",
    replace: "permits: 5, waitMs: 1000",
    tests: ["src/daemon/_gate_test.ts"],
  },
  {
    trap: 43,
    why: "a call that the tool refuses anyway does not wait for a permit",
    file: "src/daemon/_run_tool.ts",
    find: '    if (checked.kind !== "checked") return checked;\n',
    replace:
      '    if (checked.kind !== "checked") return await gate.acquire().then(() => checked);\n',
    tests: ["src/daemon/serve_test.ts"],
    filter: "five searches",
  },
  {
    trap: 44,
    why: "a call reads the pointer once",
    file: "src/mcp/_open_project.ts",
    find: "  return { project, pointer };\n}\n\n/** Opens",
    replace: "  return { project, pointer: requireActivePointer(project) };\n}\n\n/** Opens",
    tests: ["tests/contract/calls_in_flight_test.ts"],
  },
  {
    trap: 49,
    why: "a grant of another tenant is refused before the registry is read",
    file: "src/mcp/_open_project.ts",
    find: "if (context.grant.tenantId !== DEFAULT_TENANT)",
    replace: 'if (context.grant.tenantId === "")',
    tests: [SEARCH_TOOL],
  },
  {
    trap: 50,
    why: "an id that is too long is told by its length",
    file: "src/projects/resolve_registered.ts",
    find: "  return length > PROJECT_ID_LENGTH\n",
    replace: "  return length > Infinity\n",
    tests: ["src/mcp/tools/project_list_test.ts"],
  },
];

/** Everything that retrieval.md warns of. */
export const RETRIEVAL: Area = {
  name: "retrieval",
  traps: 50,
  mutants: [...QUESTIONS, ...ANSWERS, ...RETRIEVAL_INDEX, ...ACCESS],
  withoutMutant: [
    {
      trap: [11, 12, 14],
      why: "of another implementation's scan below three letters; words, pairs and single " +
        "characters are looked for alike here, and folded alike",
    },
    {
      trap: [16, 17],
      why:
        "of another implementation's fusion of passage ranks; documents are ranked here, words " +
        "lead, and no sum depends on the order of the ways",
    },
  ],
};
