import type { CommandRow } from "../command.ts";
import { WRITE_PROJECT } from "../permission_rows.ts";

/** `theurian ingest`. */
export const ROWS: readonly CommandRow[] = [
  {
    path: ["ingest"],
    summary: "Check that every knowledge and specification file of this repository parses.",
    permissions: WRITE_PROJECT,
    load: () => import("../ingest.ts"),
  },
];
