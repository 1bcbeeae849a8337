import type { CommandRow, OptionRow, PermissionRow } from "../command.ts";
import { ASK_SERVICE, SERVE } from "../permission_rows.ts";
import { PORT } from "../port_option.ts";

const LOGS: PermissionRow = { ...ASK_SERVICE, run: [...ASK_SERVICE.run, "journalctl"] };

const LINES: OptionRow = {
  name: "lines",
  summary: "How many lines from the end",
  value: { placeholder: "INT", type: "integer", minimum: 1, maximum: 10_000, default: 200 },
};

/** `theurian daemon`. */
export const ROWS: readonly CommandRow[] = [
  {
    path: ["daemon", "start"],
    summary: "Start the daemon through the service manager, or here with --foreground.",
    options: [
      { name: "foreground", summary: "Serve in this terminal until a signal" },
      PORT,
    ],
    permissions: { ...ASK_SERVICE, write: true },
    narrowed: ({ options }) =>
      options["foreground"] === true ? SERVE : { ...ASK_SERVICE, write: false },
    load: () => import("../daemon_start.ts"),
  },
  {
    path: ["daemon", "stop"],
    summary: "Ask the service manager to stop the daemon.",
    permissions: ASK_SERVICE,
    load: () => import("../daemon_stop.ts"),
  },
  {
    path: ["daemon", "restart"],
    summary: "Restart the daemon's service and wait until it answers.",
    options: [PORT],
    permissions: ASK_SERVICE,
    load: () => import("../daemon_restart.ts"),
  },
  {
    path: ["daemon", "status"],
    summary: "Tell whether the daemon answers, and what the service manager says.",
    options: [PORT],
    permissions: ASK_SERVICE,
    load: () => import("../daemon_status.ts"),
  },
  {
    path: ["daemon", "logs"],
    summary: "Show the end of the service's log.",
    options: [LINES],
    permissions: LOGS,
    load: () => import("../daemon_logs.ts"),
  },
];
