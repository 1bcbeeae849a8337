/**
 * The settings of `.theurian/config.yaml` that are in force (corpus-and-migrations.md
 * section 6). What is present and wrong is refused, never guessed: one of them is a security control.
 *
 * @module
 */

import { isFault, TheurianError } from "../platform/errors.ts";
import { describePath, readContained } from "../platform/files/mod.ts";
import { codePointLength, cut, escapeControls } from "../platform/text.ts";
import { parseYaml } from "../platform/yaml/mod.ts";
import type { ProjectPaths } from "./project_paths.ts";

/** What happens when a secret is found (index-build.md section 4). */
export const SECRET_POLICIES = ["block", "warn", "off"] as const;
export type SecretPolicy = typeof SECRET_POLICIES[number];

/** The settings in force. */
export interface ProjectConfiguration {
  readonly secretScan: SecretPolicy;
  /** Repositories whose reviews may be ingested, as written; none unless listed. */
  readonly repositories: readonly string[];
  readonly redactParticipantNames: boolean;
  /** Proposals that may wait for review at once. */
  readonly maxPendingProposals: number;
  /** Bytes that all proposal directories together may hold. */
  readonly maxPendingProposalBytes: number;
}

const NAME = ".theurian/config.yaml";
const REPOSITORY = /^(?!\.{1,2}(?:\/|$))[\w.-]+\/(?!\.{1,2}$)[\w.-]+$/;
/** Characters of a repository name, and of a value that a message repeats. */
const SHORT = 200;

/** Reads the configuration; an absent or empty file gives the defaults. Throws `configuration-invalid`. */
export function readConfiguration(paths: ProjectPaths): ProjectConfiguration {
  const root = readDocument(paths);
  const security = section(root, "security", "security");
  const providers = section(root, "providers", "providers");
  const review = section(providers, "review", "providers.review");
  const proposals = section(root, "proposals", "proposals");
  return {
    secretScan: secretPolicy(security["secretScan"]),
    repositories: repositories(review["repositories"]),
    redactParticipantNames: redaction(review["redactParticipantNames"]),
    maxPendingProposals: count(proposals["maxPending"], "proposals.maxPending", 200, 10_000),
    maxPendingProposalBytes: count(
      proposals["maxPendingBytes"],
      "proposals.maxPendingBytes",
      268_435_456,
      Number.MAX_SAFE_INTEGER,
    ),
  };
}

type Section = Readonly<Record<string, unknown>>;

function readDocument(paths: ProjectPaths): Section {
  if (describePath(paths.config, { label: NAME }) === null) return {};
  try {
    const { bytes } = readContained(paths.root, paths.theurian, "config.yaml", { label: NAME });
    if (isEmptyDocument(bytes)) return {};
    return mapping(parseYaml(bytes, NAME).value, "the document");
  } catch (cause) {
    if (!isFault(cause) || cause.fault === "path-escape") throw cause;
    if (cause.fault === "configuration-invalid") throw cause;
    throw new TheurianError("configuration-invalid", cause.message, {
      remedy: `Mend or remove ${NAME}: ${cause.remedy}`,
      cause,
    });
  }
}

/** Nothing, or a null, among comments, blank lines and document marks. */
function isEmptyDocument(bytes: Uint8Array): boolean {
  const text = new TextDecoder("utf-8").decode(bytes);
  const rest = text.split(/\r?\n/).map((line) =>
    line.replace(/(?:^|\s)#.*$/, "").replace(/^(?:---|\.\.\.)(?=\s|$)/, "").trim()
  ).filter((line) => line !== "");
  return rest.length === 0 || (rest.length === 1 && /^(?:~|null|Null|NULL)$/.test(rest[0]!));
}

function section(parent: Section, key: string, name: string): Section {
  const value = Object.hasOwn(parent, key) ? parent[key] : undefined;
  return value === undefined || value === null ? {} : mapping(value, name);
}

function mapping(value: unknown, name: string): Section {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Section;
  if (value === null) return {};
  throw invalid(`${name} must be a mapping, it is ${described(value)}`, "write it as `key: value`");
}

function secretPolicy(value: unknown): SecretPolicy {
  if (value === undefined) return "block";
  const policy = SECRET_POLICIES.find((candidate) => candidate === value);
  if (policy !== undefined) return policy;
  throw invalid(
    `security.secretScan must be "block", "warn" or "off", it is ${described(value)}`,
    'write it in quotes, such as `secretScan: "off"`; a bare `off` is read as a boolean',
  );
}

function repositories(value: unknown): readonly string[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) {
    throw invalid(
      `providers.review.repositories must be a list, it is ${described(value)}`,
      "write each repository as `- owner/name`",
    );
  }
  for (const entry of value) {
    const valid = typeof entry === "string" && codePointLength(entry) <= SHORT &&
      !entry.endsWith("\n") && REPOSITORY.test(entry);
    if (!valid) {
      throw invalid(
        `providers.review.repositories holds an entry that names no repository: ${
          described(entry)
        }`,
        "write each repository as `- owner/name`",
      );
    }
  }
  return value as string[];
}

function redaction(value: unknown): boolean {
  if (value === undefined) return false;
  if (typeof value === "boolean") return value;
  throw invalid(
    `providers.review.redactParticipantNames must be true or false, it is ${described(value)}`,
    "write it without quotes",
  );
}

function count(value: unknown, name: string, initial: number, most: number): number {
  if (value === undefined || value === null) return initial;
  if (typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= most) {
    return value;
  }
  throw invalid(
    `${name} must be a whole number from 1 to ${most}, it is ${described(value)}`,
    "write it as a plain number",
  );
}

/** A short scalar as it stands, anything else by its type: no message grows with a file. */
function described(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "a mapping";
  if (typeof value === "string") {
    return codePointLength(value) <= SHORT
      ? `the text "${escapeControls(value)}"`
      : "a text of more than 200 characters";
  }
  return `the ${typeof value === "boolean" ? "boolean" : "number"} ${cut(String(value), SHORT)}`;
}

function invalid(reason: string, step: string): TheurianError {
  return new TheurianError("configuration-invalid", `Cannot read ${NAME}: ${reason}`, {
    remedy: `Edit ${NAME}: ${step}`,
  });
}
