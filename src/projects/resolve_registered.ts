import { TheurianError } from "../platform/errors.ts";
import { shellQuote } from "../platform/shell_quote.ts";
import { codePointLength, cut, escapeControls } from "../platform/text.ts";
import { isProjectId, PROJECT_ID_LENGTH } from "./project_id.ts";
import { type Project, projectPaths } from "./project_paths.ts";
import { readRegistry, readRegistryEntry, type Registry } from "./registry.ts";

/** Most characters of an id that a refusal repeats. */
const SHOWN = 120;
/** Most registered ids that a refusal lists. */
const LISTED = 20;

/**
 * The registered project of exactly this id, for callers that name one (retrieval.md 9.1). Throws
 * `project-unknown` (published as PROJECT_NOT_REGISTERED), `registry-unreadable`,
 * `state-unbuilt` where no working tree is there, or `path-escape`.
 */
export function resolveRegisteredProject(dataDirectory: string, projectId: string): Project {
  const entry = isProjectId(projectId) ? readRegistryEntry(dataDirectory, projectId) : null;
  if (entry === null) throw notRegistered(projectId, readRegistry(dataDirectory));
  const { root } = entry;
  if (!entry.exists) throw gone(projectId, root);
  return { projectId, root, paths: projectPaths(root) };
}

/** A root that is not there holds no state; the working tree was moved or removed. */
function gone(projectId: string, root: string): TheurianError {
  return new TheurianError(
    "state-unbuilt",
    `Cannot read project ${projectId}: no state is built where it is registered, and no working ` +
      "tree is there",
    {
      remedy: `If it moved, run in its new place: theurian project unregister -- ${
        shellQuote(projectId)
      }, then: theurian project register --project-id ${
        shellQuote(projectId)
      }, then: theurian migrate apply. Its registered root is ${root}`,
    },
  );
}

function notRegistered(projectId: string, registry: Registry): TheurianError {
  if (registry.unreadable.includes(projectId)) {
    return new TheurianError(
      "project-unknown",
      `Project ${shown(projectId)} is registered without a usable root`,
      {
        remedy: `Run \`theurian project unregister ${
          shellQuote(projectId)
        }\`, then \`theurian project register\` in its working tree`,
        wireCode: "PROJECT_NOT_REGISTERED",
      },
    );
  }
  const known = [...registry.entries.keys()].filter(isProjectId);
  return new TheurianError(
    "project-unknown",
    `Project ${shown(projectId)} is not registered; registered: ${listed(known)}` +
      (registry.unreadable.length === 0 ? "" : `; unreadable: ${listed(registry.unreadable)}`),
    {
      remedy: "Use a registered id, or run `theurian project register` in its working tree",
      wireCode: "PROJECT_NOT_REGISTERED",
    },
  );
}

function shown(id: string): string {
  const length = codePointLength(id);
  return length > PROJECT_ID_LENGTH
    ? `(an id of ${length} characters)`
    : `"${cut(escapeControls(id), SHOWN)}"`;
}

function listed(ids: readonly string[]): string {
  if (ids.length === 0) return "none";
  const names = ids.slice(0, LISTED).map((id) => cut(escapeControls(id), SHOWN));
  return ids.length > LISTED
    ? `${names.join(", ")} and ${ids.length - LISTED} more`
    : names.join(", ");
}
