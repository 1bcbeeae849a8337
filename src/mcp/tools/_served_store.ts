import type { JsonObject } from "../../platform/json.ts";
import type { Project } from "../../projects/mod.ts";
import type { ServedStore } from "../../review/mod.ts";
import { type NamedProject, nameServable } from "../_open_project.ts";
import type { ToolContext } from "../tool.ts";

/** A store that a call reads, and the project it belongs to. */
export interface NamedStore {
  readonly named: NamedProject;
  readonly store: ServedStore;
}

/** The store of the project that a call names; `servable` finds it or refuses. */
export function nameStore(
  input: JsonObject,
  context: ToolContext,
  servable: (project: Project, dataDirectory: string) => string,
): NamedStore {
  const named = nameServable(input, context);
  const { dataDirectory } = context;
  const path = servable(named.project, dataDirectory);
  return { named, store: { path, root: named.project.root, dataDirectory } };
}
