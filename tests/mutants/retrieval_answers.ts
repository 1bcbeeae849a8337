/**
 * The traps of retrieval.md about what is shown: order, packing, how a hit was found.
 *
 * @module
 */

import type { Mutant } from "./mutant.ts";

export const RETRIEVAL_ANSWERS: readonly Mutant[] = [
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
    tests: ["tests/contract/retrieval_traps_test.ts"],
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
    tests: ["src/mcp/tools/knowledge_search_test.ts"],
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
    tests: ["src/mcp/tools/knowledge_search_test.ts"],
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
  {
    trap: 21,
    why: "an excerpt is cut between characters",
    file: "src/search/excerpt.ts",
    find: "firstCodePoints(line, EXCERPT_LENGTH)",
    replace: "line.slice(0, EXCERPT_LENGTH)",
    tests: ["src/search/excerpt_test.ts"],
  },
  {
    trap: 47,
    why: "an ancestor of another label is left out",
    file: "src/search/summaries.ts",
    find: "if (node.status === document.status && node.sensitivity === document.sensitivity) {",
    replace: "if (node !== undefined) {",
    tests: ["src/search/summaries_test.ts"],
  },
  {
    trap: 18,
    why: "dense alone is a mode of its own",
    file: "src/search/search_knowledge.ts",
    find: 'return paths.size > 1 ? "hybrid" : "dense";',
    replace: 'return "hybrid";',
    tests: ["src/mcp/tools/knowledge_search_test.ts", "tests/contract/retrieval_traps_test.ts"],
  },
];
