/**
 * The traps of cli-and-plugins.md, section 8.
 *
 * @module
 */

import type { Area } from "./mutant.ts";
import { COMMAND_LINE_EFFECTS } from "./command_line_effects.ts";
import { COMMAND_LINE_WORDS } from "./command_line_words.ts";

export const COMMAND_LINE: Area = {
  name: "command_line",
  traps: 30,
  mutants: [...COMMAND_LINE_WORDS, ...COMMAND_LINE_EFFECTS],
  withoutMutant: [],
};
