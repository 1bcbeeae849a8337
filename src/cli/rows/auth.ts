import type { CommandRow } from "../command.ts";
import { ASK_SERVICE, READ_FILES } from "../permission_rows.ts";
import { PORT } from "../port_option.ts";

/** `theurian auth`. */
export const ROWS: readonly CommandRow[] = [
  {
    path: ["auth", "rotate"],
    summary: "Replace the bearer token; the old one stops working at once.",
    options: [PORT],
    permissions: { ...ASK_SERVICE, write: true },
    load: () => import("../auth_rotate.ts"),
  },
  {
    path: ["auth", "status"],
    summary: "Tell whether the bearer token is there and usable, without showing it.",
    permissions: READ_FILES,
    load: () => import("../auth_status.ts"),
  },
];
