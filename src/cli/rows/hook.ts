import type { CommandRow } from "../command.ts";
import { ASK_SERVICE, READ_PROJECT } from "../permission_rows.ts";
import { PORT } from "../port_option.ts";

/** `theurian hook`. */
export const ROWS: readonly CommandRow[] = [
  {
    path: ["hook", "session-start"],
    summary:
      "Tell a client that opens a session what keeps Theurian from working, if anything does.",
    options: [
      {
        name: "declaration",
        summary: "The client's compatibility.yaml",
        required: true,
        value: { placeholder: "FILE", type: "text" },
      },
      PORT,
      {
        name: "resume",
        summary: "Start the daemon's service if it is installed and stopped; do not wait for it",
      },
    ],
    permissions: { ...ASK_SERVICE, run: [...READ_PROJECT.run, ...ASK_SERVICE.run] },
    load: () => import("../hook_session_start.ts"),
  },
];
