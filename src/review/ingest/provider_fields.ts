/**
 * Reading the fields of a provider node (review.md 5, "Field reading"): what is required refuses,
 * what is optional falls back.
 *
 * @module
 */

import { isBlank } from "../../platform/text.ts";
import { isInteger, isObject } from "../evidence/fields.ts";
import type { Integer, Person } from "../evidence/model.ts";
import { parseInstant } from "../instant.ts";
import { GradedRefusal } from "./grades.ts";

export type Node = Readonly<Record<string, unknown>>;

/** Name of the provider in evidence. */
export const PROVIDER = "github";
/** Id and name of an author whose account is gone. */
export const GHOST = "ghost";

const MAX_INT64 = 2n ** 63n - 1n;

/** Refusal of one node: the answer does not have the shape that was asked for. */
export function malformed(what: string): GradedRefusal {
  return new GradedRefusal("tool-failed", `Cannot use the answer of gh: ${what}`);
}

/** A text that must not be blank, kept as it is. */
export function requiredText(node: Node, key: string): string {
  const value = node[key];
  if (typeof value !== "string" || isBlank(value)) throw malformed(`a ${key} is missing or blank`);
  return value;
}

/** A text, or the empty one. */
export function textOrEmpty(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** A text that is not empty, or `null`. */
export function textOrNull(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

export function requiredBoolean(node: Node, key: string): boolean {
  const value = node[key];
  if (typeof value !== "boolean") throw malformed(`${key} is not true or false`);
  return value;
}

/** Canonical text of a required instant. */
export function requiredInstant(node: Node, key: string): string {
  const instant = instantOrNull(node[key]);
  if (instant === null) throw malformed(`${key} is not a date and time with an offset`);
  return instant;
}

/** Canonical text of an instant; what cannot be read is `null`. */
export function instantOrNull(value: unknown): string | null {
  return typeof value === "string" ? parseInstant(value)?.text ?? null : null;
}

/** An integer, or `null`; one beyond 64 bits refuses, since no store could hold it. */
export function integerOrNull(value: unknown): Integer | null {
  if (!isInteger(value)) return null;
  if (value > MAX_INT64 || value < -MAX_INT64 - 1n) {
    throw malformed("a line number is beyond 64 bits");
  }
  return value;
}

/** Value of a key of a nested object; `undefined` when there is no such object. */
export function inner(value: unknown, key: string): unknown {
  return isObject(value) ? value[key] : undefined;
}

/** An author: node id, else login, else `ghost`. A login is its owner's choice and proves nothing. */
export function readAuthor(value: unknown): Person {
  return readPerson(value) ?? { provider: PROVIDER, externalId: GHOST, displayName: GHOST };
}

/** A person, or `null` when neither an id nor a login is given. */
export function readPerson(value: unknown): Person | null {
  const id = textOrNull(inner(value, "id"));
  const login = textOrNull(inner(value, "login"));
  const externalId = id ?? login;
  if (externalId === null) return null;
  return { provider: PROVIDER, externalId, displayName: login ?? externalId };
}
