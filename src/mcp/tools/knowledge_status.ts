import { STATE_SCHEMA_VERSION, SURFACEABLE_STATUSES } from "../../knowledge/mod.ts";
import { integrityOf } from "../integrity.ts";
import { namedIn, nameProject, openNamed, portable } from "../_open_project.ts";
import type { Tool } from "../tool.ts";

/** `knowledge.status` (mcp-tools.md, retrieval.md 4.3). */
export const knowledgeStatus: Tool = {
  name: "knowledge.status",
  title: "Knowledge status",
  description:
    "Tells which state of a project's knowledge answers, and how many items a caller may see.",
  lane: "read",
  inputSchema: "knowledge-status-input.schema.json",
  outputSchema: "knowledge-status-response.schema.json",
  check: (input, context) => portable(nameProject(input, context)),
  answer(call, context) {
    const named = namedIn(call);
    using reader = openNamed(named, context);
    const counts = reader.countByStatus({
      statuses: SURFACEABLE_STATUSES,
      sensitivities: context.grant.sensitivities,
    });
    return {
      projectId: named.project.projectId,
      stateHash: named.pointer.stateHash,
      itemCount: [...counts.values()].reduce((sum, count) => sum + count, 0),
      itemsByStatus: Object.fromEntries(
        SURFACEABLE_STATUSES.flatMap((status) => {
          const count = counts.get(status) ?? 0;
          return count === 0 ? [] : [[status, count]];
        }),
      ),
      // The pointer's own number, so that lost rows cannot shrink it; a difference is reported.
      appliedMigrations: named.pointer.migrationCount,
      schemaVersion: STATE_SCHEMA_VERSION,
      ...integrityOf(reader, named.pointer),
    };
  },
};
