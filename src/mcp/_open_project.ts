import { join } from "node:path";
import {
  type ActivePointer,
  DEFAULT_TENANT,
  openStateAt,
  requireActivePointer,
  type StateReader,
} from "../knowledge/mod.ts";
import { TheurianError } from "../platform/errors.ts";
import type { JsonObject } from "../platform/json.ts";
import { type Project, projectPaths, resolveRegisteredProject } from "../projects/mod.ts";
import type { ToolContext } from "./tool.ts";

/** A project that a call named, with the state pointer as it was read once (retrieval.md 9.1). */
export interface NamedProject {
  readonly project: Project;
  readonly pointer: ActivePointer;
}

/**
 * Stages 6 to 8 of a project-scoped call: tenant, registry, paths, pointer. A foreign tenant is
 * refused before the registry is read, so that registered and unknown ids answer alike.
 */
export function nameProject(input: JsonObject, context: ToolContext): NamedProject {
  if (context.grant.tenantId !== DEFAULT_TENANT) {
    throw new TheurianError(
      "not-authorized",
      `Not permitted: this daemon serves tenant ${DEFAULT_TENANT}, the grant is for another`,
      { remedy: "Ask the operator for a grant of this tenant", wireCode: "NOT_AUTHORIZED" },
    );
  }
  const project = resolveRegisteredProject(context.dataDirectory, input["projectId"] as string);
  return { project, pointer: requireActivePointer(project) };
}

/** As {@linkcode nameProject}, and refuses a project whose state cannot be served. */
export function nameServable(input: JsonObject, context: ToolContext): NamedProject {
  const named = nameProject(input, context);
  requireServable(named, context);
  return named;
}

/** Refuses a project whose state cannot be served; called before an argument is found fault with. */
export function requireServable(named: NamedProject, context: ToolContext): void {
  openNamed(named, context)[Symbol.dispose]();
}

/** Projects that this thread has resolved, by the pointer it read: a pointer that crossed is a copy. */
const resolvedHere = new WeakMap<object, Project>();

/** What `check` hands on; it may cross to another thread. */
export function portable({ project, pointer }: NamedProject): JsonObject {
  resolvedHere.set(pointer, project);
  return {
    projectId: project.projectId,
    root: project.root,
    pointer: pointer as unknown as JsonObject,
  };
}

/** The project again, from what `check` handed on. */
export function namedIn(call: JsonObject): NamedProject {
  const projectId = call["projectId"] as string;
  const root = call["root"] as string;
  const pointer = call["pointer"] as unknown as ActivePointer;
  const project = resolvedHere.get(pointer) ??
    { projectId, root, paths: projectPaths(join(root)) };
  return { project, pointer };
}

/** Opens the state that the pointer names; the caller closes it. */
export function openNamed({ project, pointer }: NamedProject, context: ToolContext): StateReader {
  return openStateAt(project, context.dataDirectory, pointer);
}
