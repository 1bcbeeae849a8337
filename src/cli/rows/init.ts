import type { CommandRow } from "../command.ts";
import { WRITE_PROJECT } from "../permission_rows.ts";

/** `theurian init`. */
export const ROWS: readonly CommandRow[] = [
  {
    path: ["init"],
    summary: "Create what is missing of .theurian/ and of the .gitignore block in this repository.",
    permissions: WRITE_PROJECT,
    load: () => import("../init.ts"),
  },
];
