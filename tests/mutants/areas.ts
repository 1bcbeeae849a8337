import { RETRIEVAL } from "./retrieval.ts";
import type { Area } from "./mutant.ts";

/** Every area whose traps are tried. */
export const AREAS: readonly Area[] = [RETRIEVAL];
