import { KINDS } from "../../knowledge/model.ts";
import type { CommandRow } from "../command.ts";
import { WRITE_PROJECT } from "../permission_rows.ts";

/** `theurian adopt`. */
export const ROWS: readonly CommandRow[] = [
  {
    path: ["adopt"],
    summary: "Draft proposals from Markdown that this repository already holds.",
    arguments: [
      {
        name: "PATH",
        summary: "Files or folders of this repository",
        required: true,
        variadic: true,
      },
    ],
    options: [
      {
        name: "owner",
        summary: "Who answers for the pages; the Git user if left out",
        value: { placeholder: "TEXT", type: "text" },
      },
      {
        name: "author",
        summary: "In whose name it is drafted; the Git user if left out",
        value: { placeholder: "TEXT", type: "text" },
      },
      {
        name: "namespace",
        summary: "Where the pages belong; derived from their folders if left out",
        value: { placeholder: "TEXT", type: "text" },
      },
      {
        name: "kind",
        summary: "What they are; derived from their places if left out",
        value: { placeholder: "KIND", type: "text", choices: KINDS },
      },
      {
        name: "exclude",
        summary: "Leave out files that match",
        value: { placeholder: "GLOB", type: "text" },
        repeatable: true,
      },
      { name: "local", summary: "Draft into the directory that Git ignores" },
      { name: "dry-run", summary: "Show what would be drafted and write nothing" },
    ],
    permissions: WRITE_PROJECT,
    load: () => import("../adopt.ts"),
  },
];
