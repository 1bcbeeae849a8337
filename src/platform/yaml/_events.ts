import { type Event, EVENT_ID, parseEvents, YAMLException } from "js-yaml";
import { SCALAR_STYLE, type ScalarEvent } from "js-yaml";
import { yamlRefusal, type YamlSource } from "./_yaml_refusal.ts";

/**
 * The parser's reasons quote the file and are not ours; each is told in our words by what it starts
 * with, and what is not listed as plain bad syntax.
 */
const REASONS: readonly (readonly [start: RegExp, reason: string])[] = [
  [/^bad indentation|^deficient indentation/, "the indentation does not fit"],
  [/^tab characters/, "a TAB is used as indentation"],
  [/^nesting exceeded/, "it is nested too deep"],
  [/^unexpected end of the (stream|document) within a .* scalar/, "a quoted text does not end"],
  [/^unexpected end of the stream within a flow/, "a bracket or brace is not closed"],
  [/^missed comma/, "a comma is missing between two entries"],
  [/^expected the node content/, "a value is missing before a comma"],
  [/^unknown escape|^expected hexadecimal/, "an escape in a quoted text is not known"],
  [/^end of the stream or a document/, "what follows does not belong to the document"],
  [/^expected ':'|^can not read a block mapping entry/, "a colon is missing after a key"],
  [/^a whitespace character is expected after/, "a space is missing after a colon"],
  [/directive/, "a directive is not allowed"],
  [/tag/, "a tag is not allowed there"],
];

/** Parses into events; every failure is a refusal with its place, without the parser's own error. */
export function readEvents(source: YamlSource, maxDepth: number): Event[] {
  try {
    return parseEvents(source.text, { maxDepth });
  } catch (error) {
    if (error instanceof RangeError) {
      throw yamlRefusal(source, "nesting", "it is nested too deep", 0);
    }
    if (!(error instanceof YAMLException)) throw error;
    const known = REASONS.find(([start]) => start.test(error.reason));
    throw yamlRefusal(
      source,
      known?.[1] === "it is nested too deep" ? "nesting" : "syntax",
      known?.[1] ?? "it is not valid YAML",
      error.mark?.position ?? 0,
    );
  }
}

/** Offset where an event's node starts; `null` for a scalar that stands for nothing. */
export function offsetOf(event: Event, text: string): number | null {
  switch (event.type) {
    case EVENT_ID.SEQUENCE:
    case EVENT_ID.MAPPING:
      return event.start;
    case EVENT_ID.SCALAR:
      return event.tagStart >= 0 ? event.tagStart : scalarOffset(event, text);
    case EVENT_ID.ALIAS:
      return event.anchorStart - 1;
    default:
      return null;
  }
}

/** The parser gives where the text begins; a reader looks for the quote or the block's indicator. */
function scalarOffset(event: ScalarEvent, text: string): number | null {
  if (event.valueStart < 0) return null;
  switch (event.style) {
    case SCALAR_STYLE.PLAIN:
      return event.valueStart;
    case SCALAR_STYLE.SINGLE_QUOTED:
    case SCALAR_STYLE.DOUBLE_QUOTED:
      return event.valueStart - 1;
    default: {
      const lineStart = text.lastIndexOf("\n", event.valueStart - 2) + 1;
      const header = /[|>][-+0-9]*[ \t\r]*(?:#.*)?$/.exec(
        text.slice(lineStart, event.valueStart - 1),
      );
      return header === null ? event.valueStart : lineStart + header.index;
    }
  }
}
