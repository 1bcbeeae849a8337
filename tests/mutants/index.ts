/**
 * The traps of index-build.md.
 *
 * @module
 */

import type { Area } from "./mutant.ts";
import { INDEX_BUILDS } from "./index_builds.ts";
import { INDEX_CONTENT } from "./index_content.ts";
import { INDEX_LIVES } from "./index_lives.ts";

export const INDEX: Area = {
  name: "index",
  traps: 51,
  mutants: [...INDEX_BUILDS, ...INDEX_CONTENT, ...INDEX_LIVES],
  withoutMutant: [],
};
