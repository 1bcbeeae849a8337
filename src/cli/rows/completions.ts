import type { CommandRow } from "../command.ts";
import { NO_PERMISSIONS } from "../permission_rows.ts";

/** `theurian completions`. */
export const ROWS: readonly CommandRow[] = [
  {
    path: ["completions"],
    summary: "Print a script that completes theurian's commands in a shell.",
    arguments: [
      {
        name: "SHELL",
        summary: "The shell to complete in",
        required: true,
        choices: ["bash", "zsh", "fish", "powershell"],
      },
    ],
    permissions: NO_PERMISSIONS,
    load: () => import("../completions.ts"),
  },
];
