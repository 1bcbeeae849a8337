import { TheurianError } from "../platform/errors.ts";

const PROJECT_ID = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** Most characters of a project id. */
export const PROJECT_ID_LENGTH = 200;

/** True for a project id, matched to the absolute end (corpus-and-migrations.md section 2). */
export function isProjectId(text: string): boolean {
  return text.length <= PROJECT_ID_LENGTH && !text.endsWith("\n") && PROJECT_ID.test(text);
}

/**
 * The id of a root that nobody registered: its last component in lower case, with each run of other
 * characters as one `-` (corpus-and-migrations.md 7.2). Throws `project-unknown` when nothing is left.
 */
export function deriveProjectId(root: string): string {
  const name = root.split(/[\\/]/).filter((part) => part !== "").at(-1) ?? "";
  const id = name.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "")
    .slice(0, PROJECT_ID_LENGTH).replace(/-$/, "");
  if (id !== "") return id;
  throw new TheurianError(
    "project-unknown",
    "Cannot derive a project id: the directory's name holds no letter or digit",
    { remedy: "Choose one with `theurian project register --project-id ID`" },
  );
}
