import { type Event, EVENT_ID, SCALAR_STYLE, type ScalarEvent } from "js-yaml";
import { offsetOf } from "./_events.ts";
import { yamlRefusal, type YamlSource } from "./_yaml_refusal.ts";

/**
 * What the parser accepts and the contract refuses by layout alone (corpus-and-migrations.md 8.1):
 * directives, a TAB outside quotes, block text and comments, a byte order mark between nodes.
 */
export function refuseLayout(source: YamlSource, events: readonly Event[]): void {
  if (source.text.includes("%")) refuseDirectives(source, events);
  if (source.text.includes("\t")) {
    refuseOutside(source, events, "\t", (scalar) => scalar.style !== SCALAR_STYLE.PLAIN, () => {
      return ["tab", "a TAB may stand only in quotes, block texts and comments"];
    });
  }
  if (source.text.includes("\ufeff")) {
    refuseOutside(source, events, "\ufeff", () => true, () => {
      return ["byte-order-mark", "a byte order mark may stand only at the start or in a text"];
    });
  }
}

/** A line that starts with a percent sign before the document's content. */
function refuseDirectives(source: YamlSource, events: readonly Event[]): void {
  const root = events[1] === undefined ? null : offsetOf(events[1], source.text);
  const match = /^%/m.exec(source.text);
  if (match === null || (root !== null && match.index >= root)) return;
  throw yamlRefusal(source, "directive", "a directive is not allowed", match.index);
}

function refuseOutside(
  source: YamlSource,
  events: readonly Event[],
  character: string,
  shelters: (scalar: ScalarEvent) => boolean,
  refusal: () => ["tab" | "byte-order-mark", string],
): void {
  const scalars = events.filter((event): event is ScalarEvent =>
    event.type === EVENT_ID.SCALAR && event.valueStart >= 0 && shelters(event)
  );
  let next = 0;
  const { text } = source;
  for (let at = text.indexOf(character); at !== -1; at = text.indexOf(character, at + 1)) {
    while (next < scalars.length && scalars[next]!.valueEnd <= at) next++;
    const scalar = scalars[next];
    if (scalar !== undefined && scalar.valueStart <= at) continue;
    if (isInComment(text, at, scalars, next)) continue;
    throw yamlRefusal(source, ...refusal(), at);
  }
}

/**
 * Outside scalars, a number sign at the start of a line or after white space begins a comment. The
 * scalars that end on this line before the offset are skipped.
 */
function isInComment(
  text: string,
  at: number,
  scalars: readonly ScalarEvent[],
  next: number,
): boolean {
  let start = text.lastIndexOf("\n", at - 1) + 1;
  const previous = scalars[next - 1];
  if (previous !== undefined && previous.valueEnd > start) start = previous.valueEnd;
  const line = text.slice(start, at);
  return (start === 0 || text[start - 1] === "\n" ? /(?:^|[ \t])#/ : /[ \t]#/).test(line);
}
