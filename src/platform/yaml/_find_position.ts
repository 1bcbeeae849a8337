import { type Event, EVENT_ID } from "js-yaml";
import { offsetOf } from "./_events.ts";
import { scalarText } from "./_scalar_text.ts";
import { type Position, positionAt, type YamlSource } from "./_yaml_refusal.ts";

/**
 * Walks the events to the value at a path of keys and indexes. A value that stands for nothing is
 * found at its key.
 */
export function findPosition(
  source: YamlSource,
  events: readonly Event[],
  path: readonly (string | number)[],
): Position | null {
  let at = 1;
  let offset = events[at] === undefined ? null : offsetOf(events[at]!, source.text);
  for (const step of path) {
    const child = childOf(source, events, at, String(step));
    if (child === null) return null;
    at = child.value;
    offset = offsetOf(events[at]!, source.text) ?? offsetOf(events[child.key]!, source.text) ??
      offset;
  }
  return events[at] === undefined ? null : positionAt(source.text, offset ?? 0);
}

function childOf(
  source: YamlSource,
  events: readonly Event[],
  parent: number,
  step: string,
): { key: number; value: number } | null {
  const type = events[parent]?.type;
  let at = parent + 1;
  if (type === EVENT_ID.SEQUENCE) {
    for (let index = 0; events[at]!.type !== EVENT_ID.POP; index++) {
      if (String(index) === step) return { key: at, value: at };
      at = afterNode(events, at);
    }
  } else if (type === EVENT_ID.MAPPING) {
    while (events[at]!.type !== EVENT_ID.POP) {
      const key = events[at]!;
      const value = afterNode(events, at);
      if (key.type === EVENT_ID.SCALAR && scalarText(source.text, key) === step) {
        return { key: at, value };
      }
      at = afterNode(events, value);
    }
  }
  return null;
}

/** Index of what follows a node. */
function afterNode(events: readonly Event[], start: number): number {
  let depth = 0;
  for (let at = start;; at++) {
    const type = events[at]!.type;
    if (type === EVENT_ID.SEQUENCE || type === EVENT_ID.MAPPING) depth++;
    else if (type === EVENT_ID.POP) depth--;
    if (depth === 0) return at + 1;
  }
}
