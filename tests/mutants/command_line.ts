/**
 * The traps of cli-and-plugins.md, section 8.
 *
 * @module
 */

import type { Area } from "./mutant.ts";
import { COMMAND_LINE_RULES } from "./command_line_rules.ts";

export const COMMAND_LINE: Area = {
  name: "command_line",
  traps: 30,
  mutants: [...COMMAND_LINE_RULES],
  withoutMutant: [],
};
