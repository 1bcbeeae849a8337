import { type Event, EVENT_ID, SCALAR_STYLE, type ScalarEvent } from "js-yaml";
import { offsetOf } from "./_events.ts";
import { yamlRefusal, type YamlSource } from "./_yaml_refusal.ts";

/**
 * What the parser accepts and the contract refuses by layout alone (corpus-and-migrations.md 8.1):
 * directives, a TAB outside quotes, block text and comments, a byte order mark between nodes.
 */
export function refuseLayout(source: YamlSource, events: readonly Event[]): void {
  refuseBeforeRoot(source, events);
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

/** A directive, or the end of a document that has not begun. */
function refuseBeforeRoot(source: YamlSource, events: readonly Event[]): void {
  const root = events[1] === undefined ? null : offsetOf(events[1], source.text);
  const match = /^(?:%|\.\.\.(?![^ \t\r\n]))/m.exec(source.text.slice(0, root ?? undefined));
  if (match === null) return;
  if (match[0] === "%") {
    throw yamlRefusal(source, "directive", "a directive is not allowed", match.index);
  }
  throw yamlRefusal(source, "documents", "a document ends before it begins", match.index);
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
  const { text } = source;
  let next = 0;
  let at = text.indexOf(character);
  while (at !== -1) {
    while (next < scalars.length && scalars[next]!.valueEnd <= at) next++;
    const scalar = scalars[next];
    if (scalar !== undefined && scalar.valueStart <= at) {
      at = text.indexOf(character, scalar.valueEnd);
      continue;
    }
    if (isInComment(text, at, scalars[next - 1])) {
      const lineEnd = text.indexOf("\n", at);
      at = lineEnd === -1 ? -1 : text.indexOf(character, lineEnd);
      continue;
    }
    throw yamlRefusal(source, ...refusal(), at);
  }
}

/**
 * Outside scalars, a number sign at the start of a line or after white space begins a comment. What
 * a scalar that ends on this line holds is skipped.
 */
function isInComment(text: string, at: number, previous: ScalarEvent | undefined): boolean {
  const lineStart = text.lastIndexOf("\n", at - 1) + 1;
  const start = Math.max(lineStart, previous?.valueEnd ?? 0);
  return (start === lineStart ? /(?:^|[ \t])#/ : /[ \t]#/).test(text.slice(start, at));
}
