/**
 * References that lead out of a document. They are listed by what they would open and never opened
 * (corpus-and-migrations.md section 16).
 *
 * @module
 */

/** Most references that are kept, and the deepest nesting that is entered. */
const REFERENCES = 5_000;
const DEPTH = 64;

/** A `$ref` that does not point into its own document. */
export interface ExternalReference {
  readonly ref: string;
  /** Where it stands, such as `paths./a.get[0]`. */
  readonly at: string;
  readonly scheme: string;
  readonly resolved: "false";
}

/** Where the walk stopped short. */
export interface Truncation {
  readonly reason: "depth" | "refCount";
  readonly at: string;
  readonly limit: number;
}

/** The references of a document and what was left out. */
export interface RefIndex {
  readonly externalRefs: readonly ExternalReference[];
  readonly refWalkTruncations: readonly Truncation[];
}

interface Pending {
  readonly value: unknown;
  readonly key: string;
  readonly at: string;
  /** Of the value itself; the root has depth 1. */
  readonly depth: number;
}

/** Lists external references in document order; each shared node is entered once. */
export function walkReferences(root: object): RefIndex {
  const found = new Map<string, ExternalReference>();
  const truncations = new Map<string, Truncation>();
  const entered = new Set<object>();
  const stack: Pending[] = [{ value: root, key: "", at: "", depth: 1 }];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    const { value, key, at, depth } = node;
    if (typeof value === "string") {
      if (key === "$ref") keepReference(value, at, found, truncations);
    } else if (typeof value === "object" && value !== null && !isEmpty(value)) {
      if (depth > DEPTH) {
        if (!truncations.has("depth")) {
          truncations.set("depth", { reason: "depth", at, limit: DEPTH });
        }
      } else if (!entered.has(value)) {
        entered.add(value);
        for (const child of childrenOf(value, node).reverse()) stack.push(child);
      }
    }
  }
  return { externalRefs: [...found.values()], refWalkTruncations: [...truncations.values()] };
}

function childrenOf(value: object, { at, depth }: Pending): Pending[] {
  const isList = Array.isArray(value);
  return Object.entries(value)
    .filter(([key, child]) => typeof child === "object" || key === "$ref")
    .map(([key, child]) => ({
      value: child,
      key,
      at: isList ? `${at}[${key}]` : at === "" ? key : `${at}.${key}`,
      depth: depth + 1,
    }));
}

function keepReference(
  ref: string,
  at: string,
  found: Map<string, ExternalReference>,
  truncations: Map<string, Truncation>,
): void {
  const scheme = referenceScheme(ref);
  if (scheme === null || found.has(ref)) return;
  if (found.size < REFERENCES) found.set(ref, { ref, at, scheme, resolved: "false" });
  else if (!truncations.has("refCount")) {
    truncations.set("refCount", { reason: "refCount", at, limit: REFERENCES });
  }
}

/**
 * What a reference would open: `unc`, `protocol-relative`, `absolute-file`, `relative-file`, or its
 * scheme in lower case; `null` for one that stays in the document. Read as a URL parser reads it:
 * tabs and line ends anywhere are dropped, controls and blanks at both ends too.
 */
export function referenceScheme(ref: string): string | null {
  const text = ref.replace(/[\t\n\r]/g, "")
    // deno-lint-ignore no-control-regex
    .replace(/^[\u0000-\u0020]+/, "").replace(/[\u0000-\u0020]+$/, "");
  if (text === "" || text.startsWith("#")) return null;
  if (/^[\\/]{2}/.test(text)) return text.startsWith("\\") ? "unc" : "protocol-relative";
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(text)?.[1];
  if (scheme === undefined) return /^[\\/]/.test(text) ? "absolute-file" : "relative-file";
  const isDrive = scheme.length === 1 && !/^.:[\\/]{2}/.test(text);
  return isDrive ? "absolute-file" : scheme.toLowerCase();
}

function isEmpty(value: object): boolean {
  return Array.isArray(value) ? value.length === 0 : Object.keys(value).length === 0;
}
