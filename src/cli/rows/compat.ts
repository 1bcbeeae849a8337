import type { CommandRow } from "../command.ts";
import { NO_PERMISSIONS, READ_FILES } from "../permission_rows.ts";

const text = (name: string, placeholder: string, summary: string) => ({
  name,
  summary,
  value: { placeholder, type: "text" as const },
});

/** `theurian compat`. */
export const ROWS: readonly CommandRow[] = [
  {
    path: ["compat", "check"],
    summary: "Tell whether a client that declares these versions works with this Core.",
    options: [
      text("plugin-version", "VERSION", "The client's own version"),
      text("core-minimum", "VERSION", "Lowest Core it works with"),
      text("core-maximum-exclusive", "VERSION", "First Core it does not work with"),
      text("protocol-version", "PROTOCOL", "Wire protocol it speaks, such as theurian/v1"),
      text("declaration", "FILE", "Read the four values from a compatibility.yaml instead"),
      text("core-version", "VERSION", "Judge this version of Core instead of the running one"),
    ],
    permissions: READ_FILES,
    narrowed: ({ options }) => options["declaration"] === undefined ? NO_PERMISSIONS : READ_FILES,
    load: () => import("../compat_check.ts"),
  },
];
