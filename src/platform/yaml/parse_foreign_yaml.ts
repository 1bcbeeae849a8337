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
