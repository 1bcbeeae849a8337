/**
 * Finding and reading the documents of an adoption (decision 33): Markdown files named, or found
 * below named folders, inside the repository.
 *
 * @module
 */

import { isAbsolute, join, relative, sep } from "node:path";
import { parseMarkdown } from "../ingest/mod.ts";
import { TheurianError } from "../platform/errors.ts";
import { decodeUtf8, describePath, listDirectory, readContained } from "../platform/files/mod.ts";
import { isBlank } from "../platform/text.ts";
import { type AdoptedIdentity, identityOf, type IdentityOverrides } from "./adopt_identity.ts";

/** A readable document. */
export interface AdoptableDocument extends AdoptedIdentity {
  /** POSIX, relative to the repository. */
  readonly path: string;
  /** The text without its front matter. */
  readonly body: Uint8Array;
  /** Lines of the file. */
  readonly lines: number;
}

/** A document that was left out. */
export interface SkippedDocument {
  readonly path: string;
  readonly reason: string;
}

/** What was found. */
export interface Findings {
  readonly documents: readonly AdoptableDocument[];
  readonly skipped: readonly SkippedDocument[];
}

/** Folders nobody writes knowledge into. */
const PASSED_OVER = new Set([".theurian", ".git", "node_modules", "vendor", "target", "dist"]);

/** Files that are about the repository, not about what the team knows. */
const NOT_KNOWLEDGE =
  /^(?:license|licence|changelog|changes|history|code[-_]of[-_]conduct|notice)\b/i;

/** Words that a decision record uses for its own end. */
const ENDED = /^(?:superseded|deprecated|rejected|obsolete|withdrawn)\b/i;

/** Collects the documents below `paths`, in byte order, each once. Throws `usage`-like refusals. */
export function findDocuments(
  root: string,
  cwd: string,
  paths: readonly string[],
  exclude: readonly string[],
  overrides: IdentityOverrides,
): Findings {
  const excluded = exclude.map(globPattern);
  const files = [...new Set(paths.flatMap((path) => filesOf(root, cwd, path)))].sort()
    .filter((path) => !excluded.some((pattern) => pattern.test(path)));
  const documents: AdoptableDocument[] = [];
  const skipped: SkippedDocument[] = [];
  for (const path of files) {
    const document = readDocument(root, path, overrides);
    if ("reason" in document) skipped.push(document);
    else documents.push(document);
  }
  return { documents: distinct(documents), skipped };
}

function filesOf(root: string, cwd: string, path: string): string[] {
  const absolute = isAbsolute(path) ? path : join(cwd, path);
  const below = relative(root, absolute);
  if (below === ".." || below.startsWith(`..${sep}`) || isAbsolute(below)) {
    throw new TheurianError("invalid-input", "Cannot adopt a path outside the repository", {
      remedy: "Name files or folders of this repository.",
    });
  }
  const facts = describePath(absolute);
  if (facts?.kind === "directory") return walk(absolute, posix(below));
  if (facts?.kind === "file") return [posix(below)];
  throw new TheurianError(
    "invalid-input",
    facts === null
      ? "Cannot adopt a path that does not exist"
      : `Cannot adopt a path that is a ${facts.kind}`,
    { remedy: "Name files or folders of this repository." },
  );
}

function walk(directory: string, shown: string): string[] {
  return listDirectory(directory).flatMap((entry) => {
    const path = shown === "" ? entry.name : `${shown}/${entry.name}`;
    if (entry.kind === "directory") {
      return PASSED_OVER.has(entry.name) ? [] : walk(join(directory, entry.name), path);
    }
    return entry.kind === "file" && /\.(?:md|markdown)$/i.test(entry.name) ? [path] : [];
  });
}

function readDocument(
  root: string,
  path: string,
  overrides: IdentityOverrides,
): AdoptableDocument | SkippedDocument {
  const name = path.split("/").at(-1)!;
  if (!/\.(?:md|markdown)$/i.test(name)) return { path, reason: "it is not Markdown" };
  if (NOT_KNOWLEDGE.test(name)) return { path, reason: "it is about the repository itself" };
  const { bytes } = readContained(root, root, path, { label: path });
  const text = decodeUtf8(bytes);
  if (text === null) {
    throw new TheurianError("document-failed", `Cannot adopt ${path}: it is not UTF-8`, {
      exit: 1,
      remedy: "Save it as UTF-8, or leave it out with `--exclude`.",
    });
  }
  const parsed = parseMarkdown(text.replace(/^\ufeff/, ""), path);
  if (isBlank(parsed.body)) return { path, reason: "it is empty" };
  const { frontMatter } = parsed.structured as { frontMatter?: Record<string, unknown> };
  const ended = statusOf(parsed.body, frontMatter);
  if (ended !== null && ENDED.test(ended)) {
    return { path, reason: "it says itself that it has ended" };
  }
  const title = parsed.title === "Untitled" ? null : parsed.title;
  return {
    path,
    body: new TextEncoder().encode(parsed.body),
    lines: text.split("\n").length - (text.endsWith("\n") ? 1 : 0),
    ...identityOf(path, title, frontMatter?.["kind"], overrides),
  };
}

/** A record's own status: front matter, a `Status: …` line, or the first line below `## Status`. */
function statusOf(body: string, frontMatter: Record<string, unknown> | undefined): string | null {
  const declared = frontMatter?.["status"];
  if (typeof declared === "string") return declared;
  const line = /^[*_]*status[*_]*\s*:[*_]*\s*[*_]*([A-Za-z]+)/im.exec(body.slice(0, 4_000));
  if (line !== null) return line[1]!;
  return /^#{1,6}\s+status\s*\n+\s*[*_]*([A-Za-z]+)/im.exec(body)?.[1] ?? null;
}

/** Two documents that derive one id get their folder's name in front, then a number. */
function distinct(documents: readonly AdoptableDocument[]): readonly AdoptableDocument[] {
  const taken = new Set<string>();
  return documents.map((document) => {
    let { itemId } = document;
    for (let n = 2; taken.has(itemId); n++) itemId = `${document.itemId}-${n}`;
    taken.add(itemId);
    return itemId === document.itemId ? document : { ...document, itemId };
  });
}

function posix(path: string): string {
  return path.split(sep).join("/");
}

/** `*` within a name, `**` across folders, `?` one character; a pattern may also name a folder. */
function globPattern(glob: string): RegExp {
  const source = glob.replace(/\/+$/, "").replace(/[.+^${}()|[\]\\]/g, "\\$&")
    .replace(
      /\*\*\/?|\*|\?/g,
      (mark) => mark.startsWith("**") ? ".*" : mark === "*" ? "[^/]*" : "[^/]",
    );
  return new RegExp(`^(?:.*/)?${source}(?:/.*)?$`);
}
