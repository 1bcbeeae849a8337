import { readRegistry, unregisterCommands } from "../../projects/mod.ts";
import { compareCodePoints } from "../../platform/text.ts";
import type { Tool } from "../tool.ts";

/** `project.list` (mcp-tools.md, retrieval.md 4.4): ids and roots, published whole. */
export const projectList: Tool = {
  name: "project.list",
  title: "List projects",
  description:
    "Lists the projects this daemon can answer for, with the ids to pass as projectId, and " +
    "the registrations that nothing can serve.",
  lane: "read",
  inputSchema: "project-list-input.schema.json",
  outputSchema: "project-list-response.schema.json",
  check: () => ({}),
  answer(_call, context) {
    const { entries, unreadable } = readRegistry(context.dataDirectory);
    const projects = [...entries]
      .map(([projectId, entry]) => ({ projectId, rootPath: entry.stored["rootPath"] as string }))
      .sort((a, b) => compareCodePoints(a.projectId, b.projectId));
    return {
      count: projects.length,
      projects,
      unreadable: [...unreadable].sort(compareCodePoints),
      remedy: unreadable.length === 0
        ? null
        : `Remove them with ${unregisterCommands(unreadable)}, then register each project again ` +
          "from its working tree.",
    };
  },
};
