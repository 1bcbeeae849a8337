import { type Event, EVENT_ID, SCALAR_STYLE } from "js-yaml";
import type { AliasEvent, MappingEvent, ScalarEvent, SequenceEvent } from "js-yaml";
import { YAML_NESTING, YAML_NODES, YAML_RENDERED } from "./_compose_strict.ts";
import { offsetOf } from "./_events.ts";
import { REFUSED_SCALAR, resolvePlain } from "./_plain_scalar.ts";
import { scalarText } from "./_scalar_text.ts";
import { yamlRefusal, type YamlRule, type YamlSource } from "./_yaml_refusal.ts";

/** Most levels of nesting in a document that is not ours, aliases included. */
export const FOREIGN_NESTING = 256;

type Mapping = Record<string, unknown>;

/** A finished node with what it counts each time it is referred to. */
interface Node {
  readonly value: unknown;
  readonly nodes: number;
  readonly rendered: number;
  readonly height: number;
}

interface Frame {
  readonly items: unknown[] | null;
  readonly mapping: Mapping | null;
  readonly anchor: string | null;
  key: string | null;
  /** The key that waits is an unquoted `<<`. */
  merging: boolean;
  /** Merged mappings, in the order given; own keys win over them. */
  readonly merged: Mapping[];
  nodes: number;
  rendered: number;
  height: number;
}

/** What is read: an authored source, or the front matter of an interchange bundle (okf.md 5.2). */
export type ForeignMode = "source" | "bundle";

/** Builds the value of one foreign document; no document gives `null`. */
export function composeForeign(
  source: YamlSource,
  events: readonly Event[],
  mode: ForeignMode = "source",
): unknown {
  return new ForeignComposer(source, mode).compose(events);
}

/** Tags of YAML's core schema. */
const CORE_TAG = /^(?:!!|!<tag:yaml\.org,2002:)(str|int|float|bool|null|map|seq)>?$/;

class ForeignComposer {
  readonly #source: YamlSource;
  readonly #anchors = new Map<string, Node>();
  readonly #stack: Frame[] = [];
  #root: unknown = null;
  #documents = 0;
  #nodes = 0;
  #rendered = 0;
  #offset = 0;

  readonly #mode: ForeignMode;
  readonly #nesting: number;

  constructor(source: YamlSource, mode: ForeignMode) {
    this.#source = source;
    this.#mode = mode;
    this.#nesting = mode === "bundle" ? YAML_NESTING : FOREIGN_NESTING;
  }

  compose(events: readonly Event[]): unknown {
    for (const event of events) {
      this.#offset = offsetOf(event, this.#source.text) ?? this.#offset;
      if (event.type === EVENT_ID.DOCUMENT) this.#documents++;
      else if (event.type === EVENT_ID.POP) this.#pop();
      else this.#node(event);
    }
    return this.#root;
  }

  #node(event: ScalarEvent | SequenceEvent | MappingEvent | AliasEvent): void {
    if (this.#documents > 1) throw this.#refuse("documents", "it holds a second document");
    if (this.#stack.length >= this.#nesting) throw this.#tooDeep();
    if (event.type !== EVENT_ID.ALIAS && event.tagStart >= 0) this.#checkTag(event);
    if (event.type === EVENT_ID.ALIAS) {
      this.#place(this.#alias(event), false);
    } else if (event.type === EVENT_ID.SCALAR) {
      this.#scalar(event);
    } else {
      this.#count(1, 0);
      const isMapping = event.type === EVENT_ID.MAPPING;
      this.#stack.push({
        items: isMapping ? null : [],
        mapping: isMapping ? Object.create(null) : null,
        anchor: this.#anchorOf(event),
        key: null,
        merging: false,
        merged: [],
        nodes: 1,
        rendered: 0,
        height: 1,
      });
    }
  }

  #pop(): void {
    const frame = this.#stack.pop();
    if (frame === undefined) return; // The document's own end.
    const { mapping } = frame;
    if (mapping !== null) {
      for (const source of frame.merged) {
        for (const key of Object.keys(source)) if (!(key in mapping)) mapping[key] = source[key];
      }
    }
    const node = { ...frame, value: mapping ?? frame.items };
    if (frame.anchor !== null) this.#anchors.set(frame.anchor, node);
    this.#place(node, false);
  }

  #scalar(event: ScalarEvent): void {
    const text = scalarText(this.#source.text, event);
    this.#count(1, 0);
    const plain = event.style === SCALAR_STYLE.PLAIN;
    const isKey = this.#stack.at(-1)?.mapping !== null && this.#stack.at(-1)?.key === null;
    const value = this.#valueOf(event, text, plain, isKey);
    const node = { value, nodes: 1, rendered: text.length, height: 1 };
    const anchor = this.#anchorOf(event);
    if (anchor !== null) this.#anchors.set(anchor, node);
    const parent = this.#stack.at(-1);
    if (parent?.mapping && parent.key === null) {
      this.#key(parent, text, plain && event.tagStart < 0 && text === "<<");
    } else this.#place(node, true);
  }

  /** A scalar's value; in a bundle, what is no text there must not become one here. */
  #valueOf(event: ScalarEvent, text: string, plain: boolean, isKey: boolean): unknown {
    if (event.tagStart >= 0) return this.#mode === "bundle" && !this.#isText(event) ? NaN : text;
    if (!plain) return text;
    const resolved = resolvePlain(text);
    if (typeof resolved !== "symbol") return resolved;
    if (this.#mode === "source" || isKey) return text;
    if (resolved === REFUSED_SCALAR && (text === "=" || text === "<<")) {
      throw this.#refuse("scalar", "a value stands there that readers disagree on");
    }
    return NaN;
  }

  #isText(event: ScalarEvent): boolean {
    return CORE_TAG.exec(this.#source.text.slice(event.tagStart, event.tagEnd))?.[1] === "str";
  }

  #checkTag(event: ScalarEvent | SequenceEvent | MappingEvent): void {
    if (this.#mode === "source") return;
    if (CORE_TAG.test(this.#source.text.slice(event.tagStart, event.tagEnd))) return;
    this.#offset = event.tagStart;
    throw this.#refuse("tag", "only tags of the core schema are allowed");
  }

  #key(parent: Frame, text: string, merging: boolean): void {
    if (this.#mode === "bundle" && !merging && Object.hasOwn(parent.mapping!, text)) {
      throw this.#refuse("duplicate-key", "a key is given twice in one mapping");
    }
    parent.key = text;
    parent.merging = merging;
    parent.nodes++;
    parent.rendered += text.length;
  }

  #place(node: Node, isScalar: boolean): void {
    const parent = this.#stack.at(-1);
    if (parent === undefined) {
      this.#root = node.value;
      return;
    }
    if (parent.mapping !== null && parent.key === null) {
      if (typeof node.value !== "string") throw this.#refuse("key", "a key is not a text");
      this.#key(parent, node.value, false);
      return;
    }
    parent.nodes += node.nodes;
    parent.rendered += node.rendered;
    parent.height = Math.max(parent.height, node.height + 1);
    if (parent.items !== null) parent.items.push(node.value);
    else if (parent.merging) this.#merge(parent, isScalar ? null : node.value);
    else parent.mapping![parent.key!] = node.value;
    parent.key = null;
    parent.merging = false;
  }

  #merge(parent: Frame, value: unknown): void {
    for (const source of Array.isArray(value) ? value : [value]) {
      if (typeof source !== "object" || source === null || Array.isArray(source)) {
        throw this.#refuse("merge", "only mappings can be merged");
      }
      this.#count(Object.keys(source).length, 0);
      parent.merged.push(source as Mapping);
    }
  }

  #alias(event: AliasEvent): Node {
    const node = this.#anchors.get(this.#source.text.slice(event.anchorStart, event.anchorEnd));
    if (node === undefined) throw this.#refuse("alias", "an alias names no finished anchor");
    this.#count(node.nodes, node.rendered);
    if (this.#stack.length + node.height > this.#nesting) throw this.#tooDeep();
    return node;
  }

  #anchorOf(event: ScalarEvent | SequenceEvent | MappingEvent): string | null {
    if (event.anchorStart < 0) return null;
    const name = this.#source.text.slice(event.anchorStart, event.anchorEnd);
    this.#anchors.delete(name); // The new node is not finished: it cannot refer to itself.
    return name;
  }

  /** What stands in the text is bounded by its size; only repeated characters are counted. */
  #count(nodes: number, rendered: number): void {
    this.#nodes += nodes;
    this.#rendered += rendered;
    if (this.#nodes > YAML_NODES) {
      throw this.#refuse("count", `it holds more than ${YAML_NODES} nodes, aliases followed`);
    }
    if (this.#rendered > YAML_RENDERED) {
      throw this.#refuse("length", `its aliases repeat more than ${YAML_RENDERED} characters`);
    }
  }

  #tooDeep(): Error {
    return this.#refuse("nesting", `it is nested deeper than ${this.#nesting} levels`);
  }

  #refuse(rule: YamlRule, reason: string): Error {
    return yamlRefusal(this.#source, rule, reason, this.#offset);
  }
}
