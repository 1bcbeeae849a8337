import type { CommandRow } from "../command.ts";
import { WRITE_PROJECT } from "../permission_rows.ts";

/** `theurian review`. */
export const ROWS: readonly CommandRow[] = [
  {
    path: ["review", "ingest"],
    summary:
      "Fetch reviews of an allowed public repository through gh, and write them as evidence.",
    arguments: [
      {
        name: "OWNER/REPO",
        summary: "Repository on github.com, as the allowlist has it",
        required: true,
      },
    ],
    options: [
      {
        name: "limit",
        summary: "Most pull requests, 1 to 500, newest first",
        // The run itself refuses a number out of range, after the allowlist (review.md 5).
        value: { placeholder: "INT", type: "integer", default: 50 },
      },
      {
        name: "since",
        summary: "Stop at this pull request number",
        value: { placeholder: "INT", type: "integer" },
      },
    ],
    permissions: {
      ...WRITE_PROJECT,
      run: ["git", "gh"],
      env: ["PATH", "GH_CONFIG_DIR", "XDG_CONFIG_HOME"],
    },
    load: () => import("../review_ingest.ts"),
  },
  {
    path: ["review", "build"],
    summary: "Build the store that serves review evidence.",
    permissions: WRITE_PROJECT,
    load: () => import("../review_build.ts"),
  },
];
