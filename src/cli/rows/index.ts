import type { CommandRow } from "../command.ts";
import { READ_PROJECT, WRITE_PROJECT } from "../permission_rows.ts";

/** `theurian index`. */
export const ROWS: readonly CommandRow[] = [
  {
    path: ["index", "build"],
    summary: "Build the index that searches are ranked by, and publish it.",
    options: [
      { name: "include-unapproved", summary: "Also index drafts and proposed items" },
      { name: "no-embeddings", summary: "Leave out vectors" },
      { name: "raptor", summary: "Also derive the forest of summaries" },
    ],
    permissions: WRITE_PROJECT,
    load: () => import("../index_build.ts"),
  },
  {
    path: ["index", "status"],
    summary: "Tell what is published and whether it is current.",
    permissions: READ_PROJECT,
    load: () => import("../index_status.ts"),
  },
  {
    path: ["index", "gc"],
    summary: "Remove builds and states that are no longer kept.",
    options: [{ name: "dry-run", summary: "Only tell what would be removed" }],
    permissions: WRITE_PROJECT,
    load: () => import("../index_gc.ts"),
  },
];
