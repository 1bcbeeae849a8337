import type { CommandRow } from "../command.ts";
import { WRITE_PROJECT } from "../permission_rows.ts";

/** `theurian okf`. */
export const ROWS: readonly CommandRow[] = [
  {
    path: ["okf", "export"],
    summary: "Write the approved knowledge that is served here as one directory of Markdown.",
    arguments: [
      { name: "DIRECTORY", summary: "A directory that does not exist or is empty", required: true },
    ],
    permissions: WRITE_PROJECT,
    load: () => import("../okf_export.ts"),
  },
];
