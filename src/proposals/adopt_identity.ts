/**
 * What an existing document becomes: its item id, namespace, kind and title, derived from its place
 * and its text, the same at every run (decision 33).
 *
 * @module
 */

import { type Kind, KINDS } from "../knowledge/mod.ts";
import { codePointLength, firstCodePoints, strip } from "../platform/text.ts";

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

/** Words in a path that tell the kind; the last word that tells one decides. */
const KIND_WORDS: Readonly<Record<string, Kind>> = {
  adr: "decision",
  adrs: "decision",
  decision: "decision",
  decisions: "decision",
  rfc: "decision",
  rfcs: "decision",
  architecture: "architecture",
  architectures: "architecture",
  design: "architecture",
  designs: "architecture",
  domain: "domain",
  domains: "domain",
  glossary: "domain",
  concepts: "domain",
  operations: "operations",
  ops: "operations",
  runbook: "operations",
  runbooks: "operations",
  playbook: "operations",
  playbooks: "operations",
  deployment: "operations",
  oncall: "operations",
  security: "security",
  threat: "security",
  testing: "testing",
  tests: "testing",
  test: "testing",
  qa: "testing",
  api: "api",
  apis: "api",
  incident: "incident",
  incidents: "incident",
  postmortem: "incident",
  postmortems: "incident",
  convention: "convention",
  conventions: "convention",
  guideline: "convention",
  guidelines: "convention",
  style: "convention",
  styleguide: "convention",
  contributing: "convention",
  agents: "convention",
  claude: "convention",
  rules: "convention",
};

/** Folders that say where documents lie and nothing about them. */
const GENERIC = new Set([
  "docs",
  "doc",
  "documentation",
  "documents",
  "guides",
  "guide",
  "notes",
  "wiki",
  "pages",
  "content",
  "src",
  "packages",
  "apps",
  "libs",
]);

const NAMESPACE_OF_KIND: Readonly<Partial<Record<Kind, string>>> = { convention: "convention" };
const LONGEST_TITLE = 300;
const LONGEST_ID = 200;

/** Derives an identity. `path` is POSIX, relative to the repository; `title` is the text's own. */
export function identityOf(
  path: string,
  title: string | null,
  declaredKind: unknown,
  overrides: IdentityOverrides,
): AdoptedIdentity {
  const folders = path.split("/").slice(0, -1);
  const stem = path.split("/").at(-1)!.replace(/\.[^.]*$/, "");
  const kind = overrides.kind ?? kindOf(folders, stem, declaredKind);
  const namespace = overrides.namespace ?? namespaceOf(folders, kind);
  const leaf = leafOf(stem, folders);
  const itemId = shortened([namespace, leaf].filter((part) => part !== "").join("."));
  return { itemId, namespace, kind, title: titleOf(title, stem) };
}

function kindOf(folders: readonly string[], stem: string, declared: unknown): Kind {
  if (KINDS.includes(declared as Kind)) return declared as Kind;
  const words = [...folders, stem].flatMap((part) => slug(part).split("-"));
  const telling = words.map((word) => KIND_WORDS[word]).filter((kind) => kind !== undefined);
  return telling.at(-1) ?? "domain";
}

/** The telling folders; a folder that names the kind stands for it. */
function namespaceOf(folders: readonly string[], kind: Kind): string {
  const parts = folders.map(slug).filter((part) => part !== "" && !GENERIC.has(part));
  const telling = parts.filter((part) => KIND_WORDS[part] === undefined);
  const named = parts.length === telling.length && telling.length > 0
    ? telling
    : [...telling, NAMESPACE_OF_KIND[kind] ?? kind];
  return named.length > 0 ? named.join(".") : kind;
}

/** A README speaks for its folder. */
function leafOf(stem: string, folders: readonly string[]): string {
  const name = slug(stem);
  if (/^(?:readme|index)$/.test(name) && folders.length > 0) {
    return slug(folders.at(-1)!) + "-overview";
  }
  return name === "" ? "document" : name;
}

function titleOf(title: string | null, stem: string): string {
  const own = strip(title ?? "");
  const text = own === "" ? humanised(stem) : own;
  return codePointLength(text) <= LONGEST_TITLE ? text : firstCodePoints(text, LONGEST_TITLE);
}

function humanised(stem: string): string {
  const words = strip(stem.replace(/[-_]+/g, " "));
  return words === "" ? "Untitled" : words.charAt(0).toUpperCase() + words.slice(1);
}

/** Lower-case ASCII words joined by dashes; letters lose their marks first. */
export function slug(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}+/gu, "").toLowerCase()
    .replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "");
}

function shortened(itemId: string): string {
  return itemId.slice(0, LONGEST_ID).replace(/[-.]+$/, "");
}
