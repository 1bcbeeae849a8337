import type { CommandRow, OptionRow } from "../command.ts";
import { WRITE_PROJECT } from "../permission_rows.ts";

const required = (name: string, placeholder: string, summary: string): OptionRow => ({
  name,
  summary,
  required: true,
  value: { placeholder, type: "text" },
});

/** `theurian okf`. */
export const ROWS: readonly CommandRow[] = [
  {
    path: ["okf", "export"],
    summary: "Write the approved knowledge that is served here as one directory of Markdown.",
    arguments: [
      { name: "DIRECTORY", summary: "A directory that does not exist or is empty", required: true },
    ],
    permissions: WRITE_PROJECT,
    load: () => import("../okf_export.ts"),
  },
  {
    path: ["okf", "import"],
    summary: "Draft one proposal for each concept of a bundle; nothing is approved by it.",
    arguments: [{ name: "BUNDLE", summary: "An unpacked bundle directory", required: true }],
    options: [
      required("owner", "TEXT", "Owner of every drafted item"),
      required("author", "TEXT", "Human author of every drafted migration"),
      required("agent-id", "ID", "Who or what runs the import; recorded as evidence"),
      required("task-id", "ID", "What it is run for; recorded as evidence"),
      required("model", "TEXT", "Which model runs it; recorded as evidence"),
      required("reasoning", "TEXT", "Why it is run; recorded as evidence"),
      {
        name: "item",
        summary: "Import only the concept of this id",
        repeatable: true,
        value: { placeholder: "ID", type: "text" },
      },
      { name: "dry-run", summary: "Draft nothing; tell what would be drafted and refused" },
      {
        name: "strict",
        summary: "Exit 7 when something was refused and no concept was admitted, instead of 0",
      },
    ],
    permissions: WRITE_PROJECT,
    load: () => import("../okf_import.ts"),
  },
];
