/**
 * The YAML block that may open a Markdown file. It governs nothing: what the migration decides is
 * only warned about here (corpus-and-migrations.md section 16).
 *
 * @module
 */

import { isFault } from "../platform/errors.ts";
import { parseForeignYaml } from "../platform/yaml/mod.ts";
import { isMapping, type ParseWarning } from "./document.ts";
import { sourceLines } from "./markdown_lines.ts";

const GOVERNED = new Set([
  ...["status", "trustlevel", "trust_level", "sensitivity", "owner", "validfrom", "valid_from"],
  ...["validto", "valid_to", "kind", "namespace", "acl", "aclgroup", "acl_group"],
  ...["tenant", "tenantid", "tenant_id"],
]);

const FENCE = /^---[ \t]*$/;

/** A Markdown file in two parts. */
export interface FrontMatter {
  /** What follows the block and the blank lines behind it; the whole text without a block. */
  readonly body: string;
  /** The block as a mapping; `null` without one. */
  readonly mapping: Readonly<Record<string, unknown>> | null;
  readonly warnings: readonly ParseWarning[];
}

/** A block and what follows the line that closes it. */
export interface FencedBlock {
  readonly block: string;
  /** From behind the closing line, byte for byte. */
  readonly rest: string;
}

/**
 * Cuts a text that begins with a `---` line at the next bare `---` line; blanks behind the hyphens
 * are allowed and at least one line must lie between. `null` for every other text.
 */
export function cutFrontMatter(text: string): FencedBlock | null {
  const lines = sourceLines(text);
  if (!FENCE.test(lines[0]!.text)) return null;
  const close = lines.findIndex((line, i) => i >= 2 && FENCE.test(line.text));
  if (close === -1) return null;
  const next = lines[close + 1];
  return {
    block: text.slice(lines[1]!.start, lines[close]!.start),
    rest: next === undefined ? "" : text.slice(next.start),
  };
}

/** Splits a text into its front matter and its body. `name` is used in warnings. */
export function splitFrontMatter(text: string, name: string): FrontMatter {
  const cut = cutFrontMatter(text);
  if (cut === null) return { body: text, mapping: null, warnings: [] };
  const first = sourceLines(cut.rest).find((line) => !/^[ \t]*$/.test(line.text));
  const body = first === undefined ? "" : cut.rest.slice(first.start);
  return { body, ...readBlock(cut.block, name) };
}

function readBlock(block: string, name: string): Omit<FrontMatter, "body"> {
  const warning = (code: string, message: string, location = "frontMatter"): ParseWarning => ({
    code,
    message: `${name}: ${message}`,
    location,
  });
  let value: unknown;
  try {
    value = parseForeignYaml(new TextEncoder().encode(block), "front matter");
  } catch (error) {
    if (!isFault(error)) throw error;
    const message = "the front matter is no readable YAML, it was ignored";
    return { mapping: null, warnings: [warning("front-matter-unparseable", message)] };
  }
  if (!isMapping(value)) {
    const message = "the front matter is no mapping, it was ignored";
    return { mapping: null, warnings: [warning("front-matter-not-a-mapping", message)] };
  }
  const warnings = Object.keys(value)
    .filter((key) => GOVERNED.has(key.toLowerCase()))
    .map((key) =>
      warning(
        "front-matter-governed-field",
        "the front matter names a field that the migration governs, it was ignored; " +
          "set it in the metadata of the migration",
        `frontMatter.${key}`,
      )
    );
  return { mapping: value, warnings };
}
