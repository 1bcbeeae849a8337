import { composeForeign, FOREIGN_NESTING } from "./_compose_foreign.ts";
import { readEvents } from "./_events.ts";
import { sourceText } from "./_source_text.ts";

/**
 * Reads one YAML document that is not ours, for `ingest` alone: anchors, aliases, merge keys,
 * repeated keys (the last wins) and unknown tags are taken, within the bounds of
 * corpus-and-migrations.md 8.1 counted per reference. Keys become texts as written. Aliased values
 * are shared, not copied: walk the result with a budget. An empty document is `null`. Throws as
 * {@linkcode parseYaml}.
 */
export function parseForeignYaml(bytes: Uint8Array, name: string): unknown {
  const source = sourceText(bytes, name, "foreign");
  return composeForeign(source, readEvents(source, FOREIGN_NESTING * 2 + 8));
}

/**
 * Reads the front matter of an interchange bundle: as {@linkcode parseForeignYaml}, but at most 64
 * levels deep, and a repeated key, a tag outside the core schema or a bare `=` or `<<` as a value
 * refuses it. What a YAML 1.1 reader takes for a number is never a text here (okf.md 5.2).
 */
export function parseBundleYaml(bytes: Uint8Array, name: string): unknown {
  const source = sourceText(bytes, name, "foreign");
  return composeForeign(source, readEvents(source, FOREIGN_NESTING * 2 + 8), "bundle");
}
