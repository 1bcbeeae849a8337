import type { CommandRow } from "../command.ts";
import { READ_PROJECT } from "../permission_rows.ts";

/** `theurian explain`. */
export const ROWS: readonly CommandRow[] = [
  {
    path: ["explain"],
    summary: "Tell why a search answers as it does: ways, ranks, scores, and what was kept out.",
    arguments: [{ name: "QUERY", summary: "What to search for", required: true }],
    options: [
      {
        name: "item",
        summary: "Also explain this item, found or not",
        value: { placeholder: "ID", type: "text" },
      },
      {
        name: "limit",
        summary: "Most results to explain",
        value: { placeholder: "INT", type: "integer", minimum: 1, maximum: 50, default: 10 },
      },
      { name: "include-unapproved", summary: "Also find drafts and proposed items" },
      { name: "dense", summary: "Also compare vectors" },
      {
        name: "as-of",
        summary: "Keep only what is valid at this moment",
        value: { placeholder: "TIME", type: "text" },
      },
    ],
    permissions: READ_PROJECT,
    load: () => import("../explain.ts"),
  },
];
