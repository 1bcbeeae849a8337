/**
 * The traps of retrieval.md, section 13.
 *
 * @module
 */

import type { Area } from "./mutant.ts";
import { RETRIEVAL_ACCESS } from "./retrieval_access.ts";
import { RETRIEVAL_ANSWERS } from "./retrieval_answers.ts";
import { RETRIEVAL_INDEX } from "./retrieval_index.ts";
import { RETRIEVAL_QUESTIONS } from "./retrieval_questions.ts";

export const RETRIEVAL: Area = {
  name: "retrieval",
  traps: 50,
  mutants: [...RETRIEVAL_ACCESS, ...RETRIEVAL_ANSWERS, ...RETRIEVAL_INDEX, ...RETRIEVAL_QUESTIONS],
  withoutMutant: [
    {
      trap: [11, 12, 14],
      why:
        "of another implementation's scan below three letters; words, pairs and single characters are looked for alike here, and folded alike",
    },
    {
      trap: [16, 17],
      why:
        "of another implementation's fusion of passage ranks; documents are ranked here, words lead, and no sum depends on the order of the ways",
    },
  ],
};
