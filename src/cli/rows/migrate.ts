import type { CommandRow } from "../command.ts";
import { READ_PROJECT, WRITE_PROJECT } from "../permission_rows.ts";

/** `theurian migrate`. */
export const ROWS: readonly CommandRow[] = [
  {
    path: ["migrate", "status"],
    summary: "Show which migrations are applied and pending here, and which files do not load.",
    permissions: READ_PROJECT,
    load: () => import("../migrate_status.ts"),
  },
  {
    path: ["migrate", "validate"],
    summary: "Check the whole set of migrations as an apply would, without building anything.",
    permissions: READ_PROJECT,
    load: () => import("../migrate_validate.ts"),
  },
  {
    path: ["migrate", "apply"],
    summary: "Build the state of the committed migrations and serve it.",
    options: [
      {
        name: "allow-uncommitted",
        summary: "Also apply migrations that HEAD does not hold as they are",
      },
    ],
    permissions: WRITE_PROJECT,
    load: () => import("../migrate_apply.ts"),
  },
];
