/**
 * Which repositories may be asked about (review.md 5, "Configuration").
 *
 * @module
 */

import type { ProjectConfiguration } from "../../projects/mod.ts";
import { GradedRefusal } from "./grades.ts";

/**
 * The allowlist entry that `asked` names, whatever its case; from here on the entry's spelling is
 * used. An empty list allows nothing.
 */
export function allowlistEntry(configuration: ProjectConfiguration, asked: string): string {
  const folded = asked.toLowerCase();
  const entry = configuration.repositories.find((one) => one.toLowerCase() === folded);
  if (entry !== undefined) return entry;
  throw new GradedRefusal(
    "repository-not-allowlisted",
    configuration.repositories.length === 0
      ? "Cannot ingest the repository: no repository is allowed for this project"
      : "Cannot ingest the repository: it is not among those allowed for this project",
  );
}
