/**
 * The command table: one line a first word. A group's rows are imported only when it is named, so
 * that a command starts without reading the others; help, completions and the documentation load
 * all of them.
 *
 * @module
 */

import type { CommandGroup, CommandRow } from "./command.ts";

/** Every first word, in the order help lists them. */
export const GROUPS: readonly CommandGroup[] = [
  {
    name: "version",
    summary: "Show the version, the protocol and the platform",
    rows: async () => (await import("./rows/version.ts")).ROWS,
  },
  {
    name: "compat",
    summary: "Tell whether a client and this Core work together",
    rows: async () => (await import("./rows/compat.ts")).ROWS,
  },
  {
    name: "init",
    summary: "Create the knowledge layout in this repository",
    rows: async () => (await import("./rows/init.ts")).ROWS,
  },
  {
    name: "project",
    summary: "Register working trees on this machine and show their state",
    rows: async () => (await import("./rows/project.ts")).ROWS,
  },
  {
    name: "migrate",
    summary: "Check, build and serve the reviewed knowledge of this repository",
    rows: async () => (await import("./rows/migrate.ts")).ROWS,
  },
  {
    name: "index",
    summary: "Build the index that searches are ranked by, and look at it",
    rows: async () => (await import("./rows/index.ts")).ROWS,
  },
  {
    name: "explain",
    summary: "Tell why a search answers as it does",
    rows: async () => (await import("./rows/explain.ts")).ROWS,
  },
  {
    name: "findings",
    summary: "Serve the findings that commit messages on origin/main record",
    rows: async () => (await import("./rows/findings.ts")).ROWS,
  },
  {
    name: "propose",
    summary: "Draft changes of knowledge as proposals, and accept them",
    rows: async () => (await import("./rows/propose.ts")).ROWS,
  },
  {
    name: "adopt",
    summary: "Draft proposals from documents that this repository already holds",
    rows: async () => (await import("./rows/adopt.ts")).ROWS,
  },
  {
    name: "review",
    summary: "Take in reviews of public pull requests, and serve them",
    rows: async () => (await import("./rows/review.ts")).ROWS,
  },
  {
    name: "ingest",
    summary: "Check that authored sources parse",
    rows: async () => (await import("./rows/ingest.ts")).ROWS,
  },
  {
    name: "daemon",
    summary: "Start, stop and look at the daemon that serves agents",
    rows: async () => (await import("./rows/daemon.ts")).ROWS,
  },
  {
    name: "auth",
    summary: "Rotate the bearer token, or tell whether it is usable",
    rows: async () => (await import("./rows/auth.ts")).ROWS,
  },
  {
    name: "okf",
    summary: "Exchange knowledge as a bundle of Markdown",
    rows: async () => (await import("./rows/okf.ts")).ROWS,
  },
  {
    name: "hook",
    summary: "Checks that a client's hooks run",
    rows: async () => (await import("./rows/hook.ts")).ROWS,
  },
  {
    name: "completions",
    summary: "Print a script that completes commands in a shell",
    rows: async () => (await import("./rows/completions.ts")).ROWS,
  },
  {
    name: "setup",
    summary: "Prepare this machine for agents",
    rows: async () => (await import("./rows/setup.ts")).SETUP_ROWS,
  },
  {
    name: "doctor",
    summary: "Check this machine and this repository",
    rows: async () => (await import("./rows/setup.ts")).DOCTOR_ROWS,
  },
  {
    name: "uninstall",
    summary: "Remove the service and the client's entry, and keep knowledge",
    rows: async () => (await import("./rows/setup.ts")).UNINSTALL_ROWS,
  },
  {
    name: "stdio",
    summary: "Serve the tools over standard input and output",
    rows: async () => (await import("./rows/setup.ts")).STDIO_ROWS,
  },
];

/** Every command of the product, in the order of the table. */
export async function loadCommands(): Promise<readonly CommandRow[]> {
  return (await Promise.all(GROUPS.map((group) => group.rows()))).flat();
}
