import { COMMAND_LINE } from "./command_line.ts";
import { CORPUS } from "./corpus.ts";
import { DAEMON } from "./daemon.ts";
import { INDEX } from "./index.ts";
import type { Area } from "./mutant.ts";
import { RETRIEVAL } from "./retrieval.ts";

/** Every area whose traps are tried. */
export const AREAS: readonly Area[] = [RETRIEVAL, INDEX, CORPUS, DAEMON, COMMAND_LINE];
