import type { CommandRow } from "../command.ts";
import { WRITE_PROJECT } from "../permission_rows.ts";

/** `theurian findings`. */
export const ROWS: readonly CommandRow[] = [
  {
    path: ["findings", "build"],
    summary: "Read review findings from the history of origin/main into their store.",
    permissions: WRITE_PROJECT,
    load: () => import("../findings_build.ts"),
  },
];
