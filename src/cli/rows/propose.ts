import { KINDS, SENSITIVITIES, TRUST_LEVELS } from "../../knowledge/model.ts";
import type { CommandRow, OptionRow } from "../command.ts";
import { READ_PROJECT, WRITE_PROJECT } from "../permission_rows.ts";

const text = (name: string, placeholder: string, summary: string): OptionRow => ({
  name,
  summary,
  value: { placeholder, type: "text" },
});

const choice = (name: string, choices: readonly string[], summary: string): OptionRow => ({
  name,
  summary,
  value: { placeholder: name.toUpperCase().replace("-", "_"), type: "text", choices },
});

/** Required ones are checked together by the command, so that one refusal names them all. */
const DRAFT_OPTIONS: readonly OptionRow[] = [
  text("item-id", "ID", "The item: lower-case words joined by dots and dashes (required)"),
  text("title", "TEXT", "Title of the page (required)"),
  choice("kind", KINDS, "What kind of knowledge it is (required)"),
  text("owner", "TEXT", "Who answers for it (required)"),
  text("author", "TEXT", "The person in whose name it is drafted (required)"),
  text("description", "TEXT", "What the change is for (required)"),
  text("body-file", "PATH", "The page: .md, .markdown, .json, .yaml or .yml (required)"),
  text("agent-id", "ID", "Who or what drafts (required)"),
  text("task-id", "ID", "The task it was drafted for (required)"),
  text("model", "TEXT", "The model that drafted, or `human` (required)"),
  text("reasoning", "TEXT", "Why the change is right (required)"),
  text("namespace", "TEXT", "Where it belongs; the item's own, or derived from its id"),
  text("expected-revision", "ID", "The revision it replaces; needed when the item has one"),
  {
    name: "source-provider",
    summary: "Kind of source",
    value: { placeholder: "TEXT", type: "text", default: "git" },
  },
  text("source-uri", "URI", "Where the text comes from"),
  text("source-commit", "SHA", "Commit of the source"),
  text("source-path", "PATH", "File of the source"),
  { name: "authored-here", summary: "Say that the text was written here and has no other source" },
  choice("trust-level", TRUST_LEVELS, "How far it may be trusted"),
  choice("sensitivity", SENSITIVITIES, "Who may read it"),
  { ...text("scope-path", "GLOB", "Files it governs"), repeatable: true },
  { ...text("label", "TEXT", "A label"), repeatable: true },
  { name: "local", summary: "Draft into the directory that Git ignores" },
];

const PROPOSAL = {
  name: "PROPOSAL_ID",
  summary: "The id that the draft or `propose list` shows",
  required: true,
};

/** `theurian propose`: a command of its own, with verbs for reviewers below it. */
export const ROWS: readonly CommandRow[] = [
  {
    path: ["propose"],
    summary: "Draft a change of one item as a proposal that people review.",
    options: DRAFT_OPTIONS,
    permissions: WRITE_PROJECT,
    load: () => import("../propose.ts"),
  },
  {
    path: ["propose", "accept"],
    summary: "Move a proposal's files into place, ready for a pull request.",
    arguments: [PROPOSAL],
    permissions: WRITE_PROJECT,
    load: () => import("../propose_accept.ts"),
  },
  {
    path: ["propose", "list"],
    summary: "List the proposals that wait, were accepted or were interrupted.",
    options: [choice("state", ["pending", "accepted", "interrupted"], "Only those in this state")],
    permissions: READ_PROJECT,
    load: () => import("../propose_list.ts"),
  },
  {
    path: ["propose", "show"],
    summary: "Show what a proposal would change, as a reviewer reads it.",
    arguments: [PROPOSAL],
    permissions: READ_PROJECT,
    load: () => import("../propose_show.ts"),
  },
  {
    path: ["propose", "discard"],
    summary: "Delete a proposal that was not accepted.",
    arguments: [PROPOSAL],
    permissions: WRITE_PROJECT,
    load: () => import("../propose_discard.ts"),
  },
];
