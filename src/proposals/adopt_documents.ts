/**
 * Finding and reading the documents of an adoption (decision 33): Markdown files named, or found
 * below named folders, inside the repository.
 *
 * @module
 */

import { isAbsolute, join, relative, sep } from "node:path";
import { parseMarkdown } from "../ingest/mod.ts";
import { isFault, TheurianError } from "../platform/errors.ts";
import { decodeUtf8, describePath, listDirectory, readContained } from "../platform/files/mod.ts";
import { codePointLength, isBlank, strip } from "../platform/text.ts";
import { documentTitle } from "./_document_title.ts";
import { recordStatus } from "./_record_status.ts";
import { screenedName } from "./_screened.ts";
import {
  type AdoptedIdentity,
  identityOf,
  type IdentityOverrides,
  slug,
  stemOf,
} from "./adopt_identity.ts";

/** A readable document. */
export interface AdoptableDocument extends AdoptedIdentity {
  /** POSIX, relative to the repository. */
  readonly path: string;
  /** The file as it is. */
  readonly bytes: Uint8Array;
  /** The text without its front matter. */
  readonly body: Uint8Array;
  /** Lines of the file. */
  readonly lines: number;
  /** The front matter's tags. */
  readonly labels: readonly string[];
}

/** A document that was left out. */
export interface SkippedDocument {
  readonly path: string;
  readonly reason: string;
}

/** What was found. */
export interface FoundDocuments {
  readonly documents: readonly AdoptableDocument[];
  readonly skipped: readonly SkippedDocument[];
}

/** Folders nobody writes knowledge into; those whose names start with a dot are passed over too. */
const PASSED_OVER = new Set(
  ("node_modules bower_components vendor third_party third-party site-packages venv __pycache__ " +
    "target dist coverage").split(" "),
);

/** Files that are about the repository, not about what the team knows. */
const NOT_KNOWLEDGE =
  /^(?:(?:licen[cs]e|changelog|code-of-conduct)(?:-.*)?|changes|history|notices?|authors|contributors|maintainers|codeowners|funding|release-notes|third-party-(?:notices|licenses)|(?:issue|pull-request)-template)$/;

/** A form to fill in, as tools and teams name them; "0007-choose-a-template" is a record. */
const TEMPLATE =
  /^(?:[a-z]+-){0,2}template(?:-(?:bare|minimal|full|short|long|simple|example|v?\d+))*$/;

/** Longest path that a source anchor can name. */
const LONGEST_PATH = 1_024;
const MOST_LABELS = 20;
const LONGEST_LABEL = 64;

/** Collects the Markdown files below `paths`, in byte order, each once, without reading them. */
export function findFiles(
  root: string,
  cwd: string,
  paths: readonly string[],
  exclude: readonly string[],
): { readonly files: readonly string[]; readonly skipped: readonly SkippedDocument[] } {
  const excluded = exclude.map(globPattern);
  const files = new Set<string>();
  const skipped: SkippedDocument[] = [];
  for (const path of paths) {
    const found = filesOf(root, cwd, path);
    if ("reason" in found) skipped.push(found);
    else for (const file of found.files) files.add(file);
  }
  return {
    files: [...files].sort().filter((path) => !excluded.some((pattern) => pattern.test(path))),
    skipped,
  };
}

function filesOf(
  root: string,
  cwd: string,
  path: string,
): { readonly files: readonly string[] } | SkippedDocument {
  const absolute = isAbsolute(path) ? path : join(cwd, path);
  const below = relative(root, absolute);
  if (below === ".." || below.startsWith(`..${sep}`) || isAbsolute(below)) {
    throw new TheurianError("invalid-input", "Cannot adopt a path outside the repository", {
      remedy: "Name files or folders of this repository.",
    });
  }
  const kind = describePath(absolute)?.kind;
  if (kind === "directory") return { files: walk(absolute, posix(below)) };
  if (kind === "file") return { files: [posix(below)] };
  if (kind === "link") {
    return { path: posix(below), reason: "it is a symbolic link; name what it leads to" };
  }
  throw new TheurianError(
    "invalid-input",
    kind === undefined
      ? "Cannot adopt a path that does not exist"
      : `Cannot adopt a path that is a ${kind}`,
    { remedy: "Name files or folders of this repository." },
  );
}

function walk(directory: string, shown: string): string[] {
  return listDirectory(directory).flatMap((entry) => {
    const path = shown === "" ? entry.name : `${shown}/${entry.name}`;
    if (entry.kind === "directory") {
      const passed = entry.name.startsWith(".") || PASSED_OVER.has(entry.name);
      return passed ? [] : walk(join(directory, entry.name), path);
    }
    return entry.kind === "file" && isMarkdown(entry.name) ? [path] : [];
  });
}

function isMarkdown(path: string): boolean {
  return /\.(?:md|markdown)$/i.test(path);
}

/** Reads each file. Throws `document-failed` (1) for one that cannot be read as a text. */
export function readDocuments(
  root: string,
  files: readonly string[],
  overrides: IdentityOverrides,
): FoundDocuments {
  const documents: AdoptableDocument[] = [];
  const skipped: SkippedDocument[] = [];
  for (const path of files) {
    const document = readDocument(root, path, overrides);
    if ("reason" in document) skipped.push(document);
    else documents.push(document);
  }
  return { documents, skipped };
}

function readDocument(
  root: string,
  path: string,
  overrides: IdentityOverrides,
): AdoptableDocument | SkippedDocument {
  const reason = unsuitable(path);
  if (reason !== null) return { path, reason };
  const { bytes, text } = readText(root, path);
  const parsed = parseMarkdown(text.replace(/^\ufeff/, ""), path);
  if (isBlank(parsed.body)) return { path, reason: "it is empty" };
  const { frontMatter = {} } = parsed.structured as { frontMatter?: Record<string, unknown> };
  const status = recordStatus(parsed.body, frontMatter);
  if (status === "ended") return { path, reason: "it says itself that it has ended" };
  if (status === "undecided") return { path, reason: "it says itself that it is not decided yet" };
  const facts = {
    path,
    title: documentTitle(parsed),
    declaredKind: frontMatter["kind"] ?? frontMatter["type"],
    isDecision: isDecisionRecord(parsed.body),
  };
  return {
    path,
    bytes,
    body: new TextEncoder().encode(parsed.body),
    lines: text.split("\n").length - (text.endsWith("\n") ? 1 : 0),
    labels: labelsOf(frontMatter["tags"]),
    ...identityOf(facts, overrides),
  };
}

/** Why a file is left out unread. */
function unsuitable(path: string): string | null {
  if (!isMarkdown(path)) return "it is not Markdown";
  if (codePointLength(path) > LONGEST_PATH) return "its path is too long for a source anchor";
  const stem = slug(stemOf(path));
  if (NOT_KNOWLEDGE.test(stem)) return "it is about the repository itself";
  const folders = path.split("/").slice(0, -1).map(slug);
  const isTemplate = TEMPLATE.test(stem) ||
    folders.some((folder) => folder === "template" || folder === "templates");
  return isTemplate ? "it is a template" : null;
}

function readText(root: string, path: string): { bytes: Uint8Array; text: string } {
  let bytes: Uint8Array;
  try {
    ({ bytes } = readContained(root, root, path, { label: screenedName(path) }));
  } catch (error) {
    if (!isFault(error) || error.fault === "path-escape") throw error;
    throw new TheurianError(
      "document-failed",
      error.message.replace(/^Cannot \w+/, "Cannot adopt"),
      {
        exit: 1,
        remedy: `Leave it out with \`--exclude\`, or: ${error.remedy}`,
        cause: error,
      },
    );
  }
  const text = decodeUtf8(bytes);
  if (text !== null) return { bytes, text };
  throw new TheurianError(
    "document-failed",
    `Cannot adopt ${screenedName(path)}: it is not UTF-8`,
    { exit: 1, remedy: "Save it as UTF-8, or leave it out with `--exclude`." },
  );
}

/** Both headings that the common templates of decision records share. */
function isDecisionRecord(body: string): boolean {
  return /^#{2,3}[ \t]+(?:\d+\.?[ \t]+)?(?:decision(?: outcome)?)[ \t]*$/im.test(body) &&
    /^#{2,3}[ \t]+(?:\d+\.?[ \t]+)?(?:status|context|consequences|considered options)\b/im.test(
      body,
    );
}

/** Tags as labels: a list, or words in a row; what a label may not be is left out. */
function labelsOf(tags: unknown): readonly string[] {
  const given = typeof tags === "string" ? tags.split(/[\s,]+/) : Array.isArray(tags) ? tags : [];
  const labels = given.filter((tag) => typeof tag === "string")
    .map((tag) => strip(tag.replace(/^#/, "")))
    // deno-lint-ignore no-control-regex
    .filter((tag) => tag !== "" && !/[\u0000-\u001f\u007f]/.test(tag))
    .filter((tag) => tag.isWellFormed() && codePointLength(tag) <= LONGEST_LABEL);
  return [...new Set(labels)].slice(0, MOST_LABELS);
}

function posix(path: string): string {
  return path.split(sep).join("/");
}

/** `*` within a name, `**` across folders, `?` one character; a pattern may also name a folder. */
function globPattern(glob: string): RegExp {
  const source = glob.replace(/^\.\//, "").replace(/\/+$/, "").replace(/[.+^${}()|[\]\\]/g, "\\$&")
    .replace(
      /(?:\*\*\/?)+|\*|\?/g,
      (mark) => mark.startsWith("**") ? ".*" : mark === "*" ? "[^/]*" : "[^/]",
    );
  return new RegExp(`^(?:.*/)?${source}(?:/.*)?$`);
}
