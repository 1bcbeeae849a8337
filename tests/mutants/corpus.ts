/**
 * The traps of corpus-and-migrations.md, section 19.
 *
 * @module
 */

import type { Area } from "./mutant.ts";
import { CORPUS_FILES } from "./corpus_files.ts";
import { CORPUS_ENGINE } from "./corpus_engine.ts";
import { CORPUS_TEXTS } from "./corpus_texts.ts";

export const CORPUS: Area = {
  name: "corpus",
  traps: 54,
  mutants: [...CORPUS_FILES, ...CORPUS_ENGINE, ...CORPUS_TEXTS],
  withoutMutant: [],
};
