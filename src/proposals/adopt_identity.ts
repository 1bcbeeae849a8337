/**
 * What an existing document becomes: its item id, namespace, kind and title, derived from its place
 * and its text, the same at every run (decision 33).
 *
 * @module
 */

import { type Kind, KINDS } from "../knowledge/mod.ts";
import { sha256Hex } from "../platform/hash.ts";
import { strip } from "../platform/text.ts";
import { shortened } from "./_document_title.ts";

/** A document as an item. */
export interface AdoptedIdentity {
  readonly itemId: string;
  readonly namespace: string;
  readonly kind: Kind;
  readonly title: string;
}

/** What a caller may override. */
export interface IdentityOverrides {
  readonly namespace: string | null;
  readonly kind: Kind | null;
}

/** What a document says of itself. */
export interface DocumentFacts {
  /** POSIX, relative to the repository. */
  readonly path: string;
  /** The text's own title. */
  readonly title: string | null;
  /** `kind` or `type` of the front matter. */
  readonly declaredKind: unknown;
  /** True for a text with the sections of a decision record. */
  readonly isDecision: boolean;
}

/** Words in a path that tell the kind. */
const KIND_WORDS: Readonly<Record<string, Kind>> = {
  ...words("decision", "adr adrs decision decisions rfc rfcs"),
  ...words("architecture", "architecture architectures design designs"),
  ...words("domain", "domain domains glossary concepts"),
  ...words("operations", "operations ops runbook runbooks playbook playbooks deployment oncall"),
  ...words("operations", "deploy deployments monitoring troubleshooting"),
  ...words("security", "security threat threats"),
  ...words("testing", "testing tests test qa"),
  ...words("api", "api apis"),
  ...words("incident", "incident incidents postmortem postmortems"),
  ...words("convention", "convention conventions guideline guidelines style styleguide standards"),
  ...words("convention", "contributing agents claude copilot rules instructions"),
};

/** Names that a single word of them would tell wrongly. */
const KIND_NAMES: Readonly<Record<string, Kind>> = {
  "incident-response": "operations",
  "on-call": "operations",
  "post-mortems": "incident",
  "api-guidelines": "convention",
  "known-issues": "known-exception",
  "known-exceptions": "known-exception",
  "rejected-approaches": "rejected-approach",
};

/** Folders that say where documents lie and nothing about them. */
const GENERIC = new Set(
  ("docs doc documentation documents guides guide notes wiki pages content src packages apps " +
    "libs services modules github").split(" "),
);

/** File names of decision records, wherever they lie. */
const RECORD_NAME = /^(?:adr|rfc)-?\d/;
const LONGEST_ID = 200;

function words(kind: Kind, list: string): Readonly<Record<string, Kind>> {
  return Object.fromEntries(list.split(" ").map((word) => [word, kind]));
}

/** Derives an identity. */
export function identityOf(facts: DocumentFacts, overrides: IdentityOverrides): AdoptedIdentity {
  const folders = facts.path.split("/").slice(0, -1);
  const stem = stemOf(facts.path);
  const kind = overrides.kind ?? kindOf(folders, slug(stem), facts);
  const namespace = overrides.namespace ?? namespaceOf(folders, kind);
  const itemId = joined(namespace, leafOf(facts, stem, folders));
  return { itemId, namespace, kind, title: facts.title ?? shortened(humanised(stem)) };
}

/**
 * Other ids for a document whose derived id another one has: its folder's name in front of the last
 * part, then numbers.
 */
export function* otherIds({ itemId }: AdoptedIdentity, path: string): Generator<string> {
  const dot = itemId.lastIndexOf(".");
  const [namespace, leaf] = [itemId.slice(0, Math.max(0, dot)), itemId.slice(dot + 1)];
  const folder = slug(path.split("/").at(-2) ?? "");
  if (folder !== "" && !leaf.startsWith(folder)) yield joined(namespace, `${folder}-${leaf}`);
  for (let n = 2;; n++) yield joined(namespace, `${leaf}-${n}`);
}

/** The file's name without its folders and its extension. */
export function stemOf(path: string): string {
  return path.split("/").at(-1)!.replace(/\.[^.]*$/, "");
}

/**
 * What the document says itself, then the name of a record, then the nearest folder that tells, then
 * the shape of the text, then the last word of its name that tells.
 */
function kindOf(folders: readonly string[], name: string, facts: DocumentFacts): Kind {
  const { declaredKind } = facts;
  if (KINDS.includes(declaredKind as Kind)) return declaredKind as Kind;
  const declared = typeof declaredKind === "string" ? KIND_WORDS[slug(declaredKind)] : undefined;
  if (declared !== undefined) return declared;
  if (RECORD_NAME.test(name)) return "decision";
  const byFolder = folders.map(slug).map(kindOfName).filter((kind) => kind !== undefined).at(-1);
  return byFolder ?? (facts.isDecision ? "decision" : kindOfName(name) ?? "domain");
}

function kindOfName(name: string): Kind | undefined {
  if (Object.hasOwn(KIND_NAMES, name)) return KIND_NAMES[name];
  return name.split("-").map((word) =>
    Object.hasOwn(KIND_WORDS, word) ? KIND_WORDS[word] : undefined
  )
    .filter((kind) => kind !== undefined).at(-1);
}

/** The telling folders; one whose whole name tells the kind stands for it. */
function namespaceOf(folders: readonly string[], kind: Kind): string {
  const parts = folders.map(slug).filter((part) => part !== "" && !GENERIC.has(part));
  const telling = parts.filter((part) => !isKindFolder(part));
  const named = parts.length === telling.length && telling.length > 0
    ? telling
    : [...telling, kind];
  return named.join(".");
}

function isKindFolder(name: string): boolean {
  return Object.hasOwn(KIND_NAMES, name) || Object.hasOwn(KIND_WORDS, name);
}

/**
 * A README speaks for its folder. A name without a Latin letter or digit takes the words of the
 * title, and where those have none either, a mark of its place, which no other document changes.
 */
function leafOf({ path, title }: DocumentFacts, stem: string, folders: readonly string[]): string {
  const name = slug(stem);
  if (/^(?:readme|index)$/.test(name)) {
    const folder = slug(folders.at(-1) ?? "");
    return folder === "" ? "overview" : `${folder}-overview`;
  }
  return name || slug(title ?? "").slice(0, 48).replace(/-+$/, "") ||
    `document-${sha256Hex(path).slice(0, 8)}`;
}

function humanised(stem: string): string {
  const text = strip(stem.replace(/[-_]+/g, " "));
  return text === "" ? "Untitled" : text.charAt(0).toUpperCase() + text.slice(1);
}

/** Lower-case ASCII words joined by dashes; letters lose their marks first. */
export function slug(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}+/gu, "").toLowerCase()
    .replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "");
}

/** An id of at most its length, cut in its last part. */
function joined(namespace: string, leaf: string): string {
  const itemId = namespace === "" ? leaf : `${namespace}.${leaf}`;
  if (itemId.length <= LONGEST_ID) return itemId;
  const mark = `-${sha256Hex(itemId).slice(0, 8)}`;
  return itemId.slice(0, LONGEST_ID - mark.length).replace(/[-.]+$/, "") + mark;
}
