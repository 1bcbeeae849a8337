import { COLLECTION_STYLE, type Event, EVENT_ID, SCALAR_STYLE } from "js-yaml";
import type { MappingEvent, ScalarEvent, SequenceEvent } from "js-yaml";
import { offsetOf } from "./_events.ts";
import { keyFault } from "./_key_layout.ts";
import { HUGE_NUMBER, type PlainValue, REFUSED_SCALAR, resolvePlain } from "./_plain_scalar.ts";
import { findBadEscape, scalarText } from "./_scalar_text.ts";
import { yamlRefusal, type YamlRule, type YamlSource } from "./_yaml_refusal.ts";

/** Most levels of nesting, the root being 1 (corpus-and-migrations.md 8.1). */
export const YAML_NESTING = 64;

/** Most nodes: every key, value and item (corpus-and-migrations.md 8.1). */
export const YAML_NODES = 100_000;

/** Most characters of all scalars together (corpus-and-migrations.md 8.1). */
export const YAML_RENDERED = 1_000_000;

type Mapping = Record<string, unknown>;

interface Frame {
  readonly flow: boolean;
  readonly items: unknown[] | null;
  readonly mapping: Mapping | null;
  /** Key that waits for its value. */
  key: string | null;
}

const TAGS = {
  [EVENT_ID.SCALAR]: "str",
  [EVENT_ID.SEQUENCE]: "seq",
  [EVENT_ID.MAPPING]: "map",
} as const;

/** Builds the value of one strict document; no document gives `null`. */
export function composeStrict(source: YamlSource, events: readonly Event[]): unknown {
  return new StrictComposer(source).compose(events);
}

class StrictComposer {
  readonly #source: YamlSource;
  readonly #stack: Frame[] = [];
  #root: unknown = null;
  #documents = 0;
  #nodes = 0;
  #rendered = 0;
  /** Last offset seen, for nodes that have none of their own. */
  #offset = 0;

  constructor(source: YamlSource) {
    this.#source = source;
  }

  compose(events: readonly Event[]): unknown {
    for (const event of events) {
      this.#offset = offsetOf(event, this.#source.text) ?? this.#offset;
      switch (event.type) {
        case EVENT_ID.DOCUMENT:
          this.#documents++;
          break;
        case EVENT_ID.POP:
          this.#stack.pop();
          break;
        case EVENT_ID.ALIAS:
          throw this.#refuse("alias", "an alias is not allowed");
        default:
          this.#node(event);
      }
    }
    return this.#root;
  }

  #node(event: ScalarEvent | SequenceEvent | MappingEvent): void {
    if (this.#documents > 1) throw this.#refuse("documents", "it holds a second document");
    if (event.anchorStart >= 0) {
      this.#offset = event.anchorStart - 1;
      throw this.#refuse("anchor", "an anchor is not allowed");
    }
    if (event.tagStart >= 0) this.#checkTag(event);
    if (++this.#nodes > YAML_NODES) {
      throw this.#refuse("count", `it holds more than ${YAML_NODES} nodes`);
    }
    const parent = this.#stack.at(-1);
    if (this.#stack.length >= YAML_NESTING) {
      throw this.#refuse("nesting", `it is nested deeper than ${YAML_NESTING} levels`);
    }
    if (event.type === EVENT_ID.SCALAR) {
      if (parent?.mapping && parent.key === null) this.#checkKey(event, parent.flow);
      this.#place(parent, this.#scalar(event, parent?.flow ?? false));
      return;
    }
    const flow = event.style === COLLECTION_STYLE.FLOW;
    const frame: Frame = event.type === EVENT_ID.MAPPING
      ? { flow, items: null, mapping: Object.create(null), key: null }
      : { flow, items: [], mapping: null, key: null };
    this.#place(parent, frame.mapping ?? frame.items);
    this.#stack.push(frame);
  }

  #place(parent: Frame | undefined, value: unknown): void {
    if (parent === undefined) this.#root = value;
    else if (parent.items !== null) parent.items.push(value);
    else if (parent.key !== null) {
      parent.mapping![parent.key] = value;
      parent.key = null;
    } else if (typeof value !== "string") {
      throw this.#refuse("key", "a key is not a text");
    } else if (value in parent.mapping!) {
      throw this.#refuse("duplicate-key", "a key is given twice in one mapping");
    } else parent.key = value;
  }

  #checkTag(event: ScalarEvent | SequenceEvent | MappingEvent): void {
    const kind = TAGS[event.type];
    const tag = this.#source.text.slice(event.tagStart, event.tagEnd);
    if (tag === `!!${kind}` || tag === `!<tag:yaml.org,2002:${kind}>`) return;
    this.#offset = event.tagStart;
    throw this.#refuse("tag", "only the tags !!str, !!map and !!seq are allowed, each on its kind");
  }

  #checkKey(event: ScalarEvent, inFlow: boolean): void {
    const fault = keyFault(this.#source.text, event, this.#offset, inFlow);
    if (fault !== null) throw this.#refuse("key", fault);
  }

  #scalar(event: ScalarEvent, inFlow: boolean): PlainValue {
    const text = scalarText(this.#source.text, event);
    this.#rendered += text.length;
    if (this.#rendered > YAML_RENDERED) {
      throw this.#refuse("length", `its texts hold more than ${YAML_RENDERED} characters`);
    }
    if (event.style !== SCALAR_STYLE.PLAIN) {
      if (event.style === SCALAR_STYLE.DOUBLE_QUOTED && !event.fast) this.#checkEscapes(event);
      return text;
    }
    if (inFlow && text.includes("?")) {
      throw this.#refuse("flow-question-mark", "a question mark there must be quoted");
    }
    if (inFlow && text.startsWith(":")) {
      throw this.#refuse("scalar", "a text that begins with a colon must be quoted there");
    }
    return event.tagStart >= 0 ? text : this.#plain(text);
  }

  #plain(text: string): PlainValue {
    const value = resolvePlain(text);
    if (value === HUGE_NUMBER) {
      throw this.#refuse("number", `a number has too many digits (${text.length} characters)`);
    }
    if (value === REFUSED_SCALAR) {
      if (text === "<<") throw this.#refuse("merge", "a merge key is not allowed");
      throw this.#refuse("scalar", "readers disagree on the value that stands there unquoted");
    }
    return value;
  }

  #checkEscapes(event: ScalarEvent): void {
    const at = findBadEscape(this.#source.text, event);
    if (at === -1) return;
    this.#offset = at;
    throw this.#refuse("escape", "an escape stands for no character");
  }

  #refuse(rule: YamlRule, reason: string): Error {
    return yamlRefusal(this.#source, rule, reason, this.#offset);
  }
}
