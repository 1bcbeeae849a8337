import type { CommandRow, PermissionRow } from "../command.ts";
import { ASK_SERVICE, READ_FILES } from "../permission_rows.ts";
import { PORT } from "../port_option.ts";

const MACHINE: PermissionRow = { ...ASK_SERVICE, run: [...ASK_SERVICE.run, "claude"] };

/** `theurian setup`. */
export const SETUP_ROWS: readonly CommandRow[] = [{
  path: ["setup"],
  summary: "Prepare this machine: token, shell file, service and the client's entry.",
  options: [
    { name: "dry-run", summary: "Show the plan and write nothing" },
    {
      name: "approve-conflicts",
      summary: "Leave what differs as it is and do the rest",
    },
    PORT,
  ],
  permissions: { ...MACHINE, write: true },
  load: () => import("../setup.ts"),
}];

/** `theurian doctor`. */
export const DOCTOR_ROWS: readonly CommandRow[] = [{
  path: ["doctor"],
  summary: "Check this machine and this repository; change nothing.",
  options: [
    PORT,
    { name: "report", summary: "Leave out what is private, for sharing" },
  ],
  permissions: ASK_SERVICE,
  load: () => import("../doctor.ts"),
}];

/** `theurian uninstall`. */
export const UNINSTALL_ROWS: readonly CommandRow[] = [{
  path: ["uninstall"],
  summary: "Remove the service and the client's entry; keep knowledge and the data directory.",
  options: [
    { name: "dry-run", summary: "List what would be removed" },
    { name: "service-only", summary: "Always on: no flag deletes knowledge" },
    PORT,
  ],
  permissions: { ...MACHINE, net: false, write: true },
  load: () => import("../uninstall.ts"),
}];

/** `theurian stdio`. */
export const STDIO_ROWS: readonly CommandRow[] = [{
  path: ["stdio"],
  summary: "Serve the same tools over standard input and output, for a client without HTTP.",
  permissions: { ...READ_FILES, write: true },
  json: false,
  load: () => import("../stdio.ts"),
}];
