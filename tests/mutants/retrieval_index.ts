/**
 * The traps of retrieval.md about an index that is not the right one: 22 to 29 and 40.
 *
 * @module
 */

import type { Mutant } from "./mutant.ts";

export const RETRIEVAL_INDEX: readonly Mutant[] = [
  {
    trap: 22,
    why: "vectors of another model are not compared",
    file: "src/search/ranked_index.ts",
    find: 'metadata.embeddingModel === "" || metadata.embeddingModel === EMBEDDING_MODEL',
    replace: "true",
    tests: ["tests/contract/retrieval_traps_test.ts"],
  },
  {
    trap: 22,
    why: "an index without vectors names the model all the same",
    file: "src/search/ranked_index.ts",
    find: 'metadata.embeddingModel === "" || metadata.embeddingModel === EMBEDDING_MODEL',
    replace: "metadata.embeddingModel === EMBEDDING_MODEL",
    tests: ["src/mcp/tools/knowledge_search_test.ts"],
  },
  {
    trap: 23,
    why: "levels are compared as a set",
    file: "src/index/index_pointer.ts",
    find: "SENSITIVITIES.filter((level) => value.includes(level))",
    replace: "value as Sensitivity[]",
    tests: ["src/search/search_knowledge_test.ts"],
  },
  {
    trap: 23,
    why: "one level that is none spoils the list",
    file: "src/index/index_pointer.ts",
    find: "value.every(known)",
    replace: "value.some(known)",
    tests: ["src/search/search_knowledge_test.ts"],
  },
  {
    trap: 24,
    why: "any value but an empty one says that a purge failed",
    file: "src/index/index_pointer.ts",
    find: 'purgeFailed: isTruthy(stored["purgeFailed"])',
    replace: 'purgeFailed: stored["purgeFailed"] === true',
    tests: ["src/search/search_knowledge_test.ts"],
  },
  {
    trap: 24,
    why: "a failed purge wins over a missing file",
    file: "src/index/published_index.ts",
    find: '  if (pointer.purgeFailed) return fallback("index-purge-failed");\n' +
      "  const path = indexFilePath(project.paths, pointer.indexBuildId);\n",
    replace: "  const path = indexFilePath(project.paths, pointer.indexBuildId);\n" +
      '  if (pointer.purgeFailed && kindAt(path!)) return fallback("index-purge-failed");\n',
    tests: ["src/search/search_knowledge_test.ts"],
  },
  {
    trap: 25,
    why: "a pointer without a state is stale, and served",
    file: "src/search/search_knowledge.ts",
    find: "const stale = index.stateHash !== state.stateHash;",
    replace: "const stale = index.stateHash !== null && index.stateHash !== state.stateHash;",
    tests: ["src/search/search_knowledge_test.ts"],
  },
  {
    trap: 26,
    why: "the pointer is believed about drafts",
    file: "src/index/published_index.ts",
    find: "if (includeUnapproved && !pointer.indexesUnapproved)",
    replace: "if (includeUnapproved && !metadata.indexesUnapproved)",
    tests: ["src/search/search_knowledge_test.ts"],
  },
  {
    trap: 27,
    why: "another project comes before other levels",
    file: "src/index/published_index.ts",
    find: '    return fallback("index-project-mismatch", pointer.projectId === null);\n' +
      "  }\n",
    replace:
      '    if (!pointer.indexedSensitivities) return fallback("serving-profile-mismatch");\n' +
      '    return fallback("index-project-mismatch", pointer.projectId === null);\n' +
      "  }\n",
    tests: ["src/search/search_knowledge_test.ts"],
  },
  {
    trap: 27,
    why: "other levels come before missing drafts",
    file: "src/index/published_index.ts",
    find: "  const served = sensitivities.join();\n",
    replace: "  const served = sensitivities.join();\n" +
      '  if (includeUnapproved) return fallback("unapproved-not-indexed");\n',
    tests: ["src/search/search_knowledge_test.ts"],
  },
  {
    trap: 28,
    why: "an index that breaks while it is read is answered by the whole scan",
    file: "src/search/search_knowledge.ts",
    find: '    if (!isFault(error, "index-unusable")) throw error;\n',
    replace: "    throw error;\n",
    tests: ["src/search/search_knowledge_test.ts"],
  },
  {
    trap: 29,
    why: "a pipe at the pointer is no pointer, at once",
    file: "src/index/index_pointer.ts",
    find: '    if (isFault(error)) return { kind: "corrupt", why: reasonOf(error) };\n',
    replace: "",
    tests: ["src/index/index_pointer_test.ts"],
  },
  {
    trap: 29,
    why: "a pipe at the file is a missing file, at once",
    file: "src/index/published_index.ts",
    find: 'kindAt(path) !== "file"',
    replace: "kindAt(path) === null",
    tests: ["src/search/search_knowledge_test.ts"],
  },
  {
    trap: 40,
    why: "a file that was not built here is not read",
    file: "src/index/published_index.ts",
    find: 'isBuiltHere(dataDirectory, project.root, "index", pointer.indexBuildId)',
    replace: 'dataDirectory !== ""',
    tests: ["src/search/search_knowledge_test.ts"],
  },
  {
    trap: 22,
    why: "a vector that is not similar finds nothing",
    file: "src/search/rank_dense.ts",
    find: "const LEAST_SIMILARITY = 0.25;",
    replace: "const LEAST_SIMILARITY = -1;",
    tests: ["src/mcp/tools/knowledge_search_test.ts", "tests/contract/retrieval_traps_test.ts"],
  },
];
