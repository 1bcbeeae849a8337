import { type Event, EVENT_ID } from "js-yaml";
import { composeStrict, YAML_NESTING } from "./_compose_strict.ts";
import { readEvents } from "./_events.ts";
import { refuseLayout } from "./_layout_rules.ts";
import { findPosition } from "./_find_position.ts";
import { sourceText } from "./_source_text.ts";
import { type Position, yamlRefusal } from "./_yaml_refusal.ts";

/** One parsed document. */
export interface YamlDocument {
  /**
   * A mapping, or `null` for an empty document where that is allowed. Mappings have no prototype;
   * an integer beyond 2^53 is a bigint.
   */
  readonly value: unknown;
  /**
   * Where a value of the document stands; `null` when the path leads nowhere. Meant for messages: it
   * reads the text again.
   */
  position(path: readonly (string | number)[]): Position | null;
}

/** How a document is read. */
export interface YamlOptions {
  /** Accepts an empty document, whose value is `null`, as `config.yaml` may be. */
  readonly allowEmpty?: boolean;
}

/** The parser counts a key and its value one deeper than their mapping. */
const PARSER_DEPTH = YAML_NESTING * 2 + 8;

/**
 * Reads one strict YAML document with a mapping at its root: the rules of corpus-and-migrations.md
 * 8.1 and the scalars of 8.2. `name` is shown in messages. Throws `yaml-invalid` with `line`,
 * `column` and `rule` in its details, or `yaml-too-large`; neither holds what the file says.
 */
export function parseYaml(
  bytes: Uint8Array,
  name: string,
  options: YamlOptions = {},
): YamlDocument {
  const source = sourceText(bytes, name, "strict");
  const events = readEvents(source, PARSER_DEPTH);
  refuseLayout(source, events);
  const value = composeStrict(source, events);
  const isMapping = events[1]?.type === EVENT_ID.MAPPING;
  if (!isMapping && !(value === null && options.allowEmpty === true)) {
    const reason = value === null ? "it is empty" : "its root is not a mapping";
    throw yamlRefusal(source, "root", reason, 0);
  }
  return {
    value,
    position(path) {
      return findPosition(source, readEvents(source, PARSER_DEPTH) as Event[], path);
    },
  };
}
