/**
 * Typed reading of one JSON object's keys; every fault names the key path (review.md 6, step 4).
 *
 * @module
 */

import { parseInstant } from "../instant.ts";
import { EvidenceFault } from "./fault.ts";
import type { Integer } from "./model.ts";

type JsonObject = Record<string, unknown>;

/** True for a JSON object; lists and `null` are none. */
export function isObject(value: unknown): value is JsonObject {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

/** True for a number written as an integer. */
export function isInteger(value: unknown): value is Integer {
  return typeof value === "bigint" || Number.isInteger(value);
}

/** Reads keys of one object; `path` is where it stands in the document. */
export class Fields {
  constructor(private readonly keys: JsonObject, private readonly path: string) {}

  /** Reader of an object that must be there. */
  static of(value: unknown, path: string): Fields {
    if (!isObject(value)) throw new EvidenceFault("type", path);
    return new Fields(value, path);
  }

  at(key: string): string {
    return this.path === "" ? key : `${this.path}.${key}`;
  }

  private required(key: string): unknown {
    // JSON holds no `undefined`, and no key that is asked for is a name of the prototype.
    const value = this.keys[key];
    if (value === undefined) throw new EvidenceFault("missing", this.at(key));
    return value;
  }

  private fail(key: string): never {
    throw new EvidenceFault("type", this.at(key));
  }

  text(key: string): string {
    const value = this.required(key);
    return typeof value === "string" ? value : this.fail(key);
  }

  nonEmptyText(key: string): string {
    const value = this.text(key);
    if (value === "") throw new EvidenceFault("empty", this.at(key));
    return value;
  }

  /** Missing reads as `null`. */
  optionalText(key: string): string | null {
    const value = this.optional(key);
    return value === null || typeof value === "string" ? value : this.fail(key);
  }

  optionalInteger(key: string): Integer | null {
    const value = this.optional(key);
    return value === null || isInteger(value) ? value : this.fail(key);
  }

  integer(key: string): Integer {
    const value = this.required(key);
    return isInteger(value) ? value : this.fail(key);
  }

  boolean(key: string): boolean {
    const value = this.required(key);
    return typeof value === "boolean" ? value : this.fail(key);
  }

  optionalBoolean(key: string): boolean | null {
    const value = this.optional(key);
    return value === null || typeof value === "boolean" ? value : this.fail(key);
  }

  /** Canonical text of an instant. */
  instant(key: string): string {
    return this.readInstant(key, this.text(key));
  }

  optionalInstant(key: string): string | null {
    const value = this.optionalText(key);
    return value === null ? null : this.readInstant(key, value);
  }

  private readInstant(key: string, text: string): string {
    const instant = parseInstant(text);
    if (instant === null) throw new EvidenceFault("instant", this.at(key));
    return instant.text;
  }

  word<Word extends string>(key: string, words: readonly Word[]): Word {
    return this.readWord(key, this.text(key), words);
  }

  optionalWord<Word extends string>(key: string, words: readonly Word[]): Word | null {
    const value = this.optionalText(key);
    return value === null ? null : this.readWord(key, value, words);
  }

  private readWord<Word extends string>(key: string, text: string, words: readonly Word[]): Word {
    const word = words.find((one) => one === text);
    if (word === undefined) throw new EvidenceFault("vocabulary", this.at(key));
    return word;
  }

  texts(key: string): string[] {
    const value = this.required(key);
    if (!Array.isArray(value) || !value.every((one) => typeof one === "string")) this.fail(key);
    return value as string[];
  }

  object(key: string): Fields {
    return Fields.of(this.required(key), this.at(key));
  }

  optionalObject(key: string): Fields | null {
    const value = this.optional(key);
    return value === null ? null : Fields.of(value, this.at(key));
  }

  /** Readers of the objects of a list. */
  objects(key: string): Fields[] {
    const value = this.required(key);
    if (!Array.isArray(value)) return this.fail(key);
    return value.map((one, index) => Fields.of(one, `${this.at(key)}[${index}]`));
  }

  /** The raw value, `undefined` when missing. */
  raw(key: string): unknown {
    return this.keys[key];
  }

  private optional(key: string): unknown {
    return this.keys[key] ?? null;
  }
}
