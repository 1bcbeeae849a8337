/**
 * The head of a request, read strictly: what two readers might understand differently is refused, so
 * that nobody smuggles a second request (daemon-and-setup.md 4.1).
 *
 * @module
 */

import { decodeUtf8 } from "../platform/files/mod.ts";
import type { RequestHeaders } from "./_http_call.ts";

/** How the bytes behind a head are counted. */
export type Framing =
  | { readonly kind: "none" }
  | { readonly kind: "length"; readonly bytes: number }
  | { readonly kind: "chunked" };

/** A head that can be served. */
export interface RequestHead {
  readonly method: string;
  /** As sent: nothing decoded, folded or cut. */
  readonly target: string;
  /** Repeated headers are joined by a comma and a space. */
  readonly headers: RequestHeaders;
  readonly framing: Framing;
  /** False when the client or its version ends the connection after this answer. */
  readonly keepAlive: boolean;
  /** The client waits for a word before it sends the body. */
  readonly awaitsContinue: boolean;
}

/** Most header lines of one head. */
const HEADER_LINES = 100;

const REQUEST_LINE = /^([!#$%&'*+.^_`|~\w-]{1,32}) ([!-~]+) HTTP\/(\d)\.(\d)$/;
// Blanks around the value are cut afterwards: a pattern that cut them would take quadratic time.
// deno-lint-ignore no-control-regex
const HEADER_LINE = /^([!#$%&'*+.^_`|~\w-]+):([^\0-\x08\x0a-\x1f\x7f]*)$/;

/** Reads a head without its closing empty line; a number is the status that refuses it. */
export function parseHead(bytes: Uint8Array): RequestHead | number {
  const [first = "", ...lines] = latin1Text(bytes).split("\r\n");
  const line = REQUEST_LINE.exec(first);
  if (line === null) return 400;
  const [, method = "", target = "", major, minor] = line;
  if (major !== "1") return 505;
  if (lines.length > HEADER_LINES) return 431;
  const headers = new HeaderLines();
  for (const text of lines) {
    const header = HEADER_LINE.exec(text);
    if (header === null) return 400;
    headers.append(header[1]!, header[2]!);
  }
  const framing = framingOf(headers, minor!);
  if (typeof framing === "number") return framing;
  const connection = listOf(headers.get("connection"));
  return {
    method,
    target,
    headers,
    framing,
    keepAlive: minor !== "0" && !connection.includes("close"),
    awaitsContinue: listOf(headers.get("expect")).includes("100-continue"),
  };
}

/** The header lines of one request. */
export class HeaderLines implements RequestHeaders {
  readonly #values = new Map<string, string>();

  /** Adds a line; blanks around its value do not count. */
  append(name: string, value: string): void {
    const known = name.toLowerCase();
    const before = this.#values.get(known);
    const text = withoutBlanks(value);
    this.#values.set(known, before === undefined ? text : `${before}, ${text}`);
  }

  get(name: string): string | null {
    return this.#values.get(name) ?? null;
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }
}

/** Spaces and tabs are the only blanks of a header; `trim` would cut others too. */
function withoutBlanks(value: string): string {
  let start = 0;
  let end = value.length;
  while (start < end && isBlank(value.charCodeAt(start))) start++;
  while (end > start && isBlank(value.charCodeAt(end - 1))) end--;
  return value.slice(start, end);
}

function isBlank(unit: number): boolean {
  return unit === 0x20 || unit === 0x09;
}

function framingOf(headers: RequestHeaders, minor: string): Framing | number {
  const length = headers.get("content-length");
  const encoding = headers.get("transfer-encoding");
  if (encoding !== null) {
    if (length !== null || minor === "0") return 400;
    return encoding.toLowerCase() === "chunked" ? { kind: "chunked" } : 501;
  }
  if (length === null) return { kind: "none" };
  // Two lengths arrive joined by a comma, which no number holds.
  if (!/^\d+$/.test(length)) return 400;
  return { kind: "length", bytes: Math.min(Number(length), Number.MAX_SAFE_INTEGER) };
}

function listOf(value: string | null): string[] {
  return (value ?? "").split(",").map((part) => part.trim().toLowerCase());
}

/** One character a byte; the label `latin1` of a decoder would mean another encoding. */
export function latin1Text(bytes: Uint8Array): string {
  const utf8 = decodeUtf8(bytes);
  // As many characters as bytes: nothing but ASCII, which is the same in both.
  if (utf8?.length === bytes.length) return utf8;
  let text = "";
  for (let at = 0; at < bytes.length; at += 8192) {
    text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  }
  return text;
}
