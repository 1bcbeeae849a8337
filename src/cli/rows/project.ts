import type { CommandRow } from "../command.ts";
import { READ_FILES, READ_PROJECT, WRITE_PROJECT } from "../permission_rows.ts";

/** `theurian project`. */
export const ROWS: readonly CommandRow[] = [
  {
    path: ["project", "register"],
    summary: "Bind a working tree to a project id, so that the daemon serves it.",
    arguments: [{ name: "PATH", summary: "A directory in the working tree; this one if left out" }],
    options: [
      {
        name: "project-id",
        summary: "The id; derived from the directory's name if left out",
        value: { placeholder: "SLUG", type: "text" },
      },
    ],
    permissions: WRITE_PROJECT,
    load: () => import("../project_register.ts"),
  },
  {
    path: ["project", "unregister"],
    summary: "Remove a project from this machine's registry; its files stay as they are.",
    arguments: [
      { name: "PROJECT_ID", summary: "The id as `project list` shows it", required: true },
    ],
    permissions: { ...WRITE_PROJECT, run: [], env: [] },
    load: () => import("../project_unregister.ts"),
  },
  {
    path: ["project", "list"],
    summary: "List the projects that are registered on this machine.",
    permissions: READ_FILES,
    load: () => import("../project_list.ts"),
  },
  {
    path: ["project", "status"],
    summary: "Show whether this directory's project is registered, built and indexed.",
    permissions: READ_PROJECT,
    load: () => import("../project_status.ts"),
  },
];
