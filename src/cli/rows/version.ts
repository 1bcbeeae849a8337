import type { CommandRow } from "../command.ts";
import { NO_PERMISSIONS } from "../permission_rows.ts";

/** `theurian version`, also reached as `--version` and `-V`. */
export const ROWS: readonly CommandRow[] = [
  {
    path: ["version"],
    summary: "Show the version, the protocol and the platform of this executable.",
    permissions: NO_PERMISSIONS,
    load: () => import("../version.ts"),
  },
];
