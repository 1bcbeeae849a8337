import { createHash, timingSafeEqual } from "node:crypto";
import type { Handler } from "./_http_call.ts";
import { json } from "./_responses.ts";

/** Longest header that is read at all; a token has 43 characters. */
const HEADER_LENGTH = 1024;

/** The credential of an `Authorization` header, trimmed; `null` unless the scheme is `Bearer`. */
export function bearerToken(header: string | null): string | null {
  if (header === null || header.length > HEADER_LENGTH) return null;
  const token = /^bearer +(.*)$/i.exec(header)?.[1]?.trim() ?? "";
  return token === "" ? null : token;
}

/**
 * Compares digests in constant time, so that neither the first difference nor the length shows. An
 * empty expectation never matches (daemon-and-setup.md 5.2).
 */
export function isSameToken(presented: string, expected: string): boolean {
  return timingSafeEqual(digestOf(presented), expectedDigest(expected)) && expected !== "";
}

function digestOf(text: string): Uint8Array {
  return createHash("sha256").update(text).digest();
}

/** The token that counts and its digest: it is the same for call after call. */
let lastExpected = { token: "", digest: digestOf("") };

function expectedDigest(token: string): Uint8Array {
  if (lastExpected.token !== token) lastExpected = { token, digest: digestOf(token) };
  return lastExpected.digest;
}

/**
 * Refuses a call without the daemon's token (401). `expected` is asked for each call, so a rotation
 * counts from the next call on; `null` refuses everyone. Two `Authorization` headers arrive joined
 * by a comma, which no token holds.
 */
export function requireToken(expected: () => string | null, inside: Handler): Handler {
  return (call) => {
    const presented = bearerToken(call.headers.get("authorization"));
    const token = expected();
    if (presented !== null && token !== null && isSameToken(presented, token)) return inside(call);
    return json(401, {
      error: "unauthorized",
      detail: "This daemon needs its bearer token: set THEURIAN_MCP_TOKEN in the client's " +
        "environment, and run `theurian doctor` to see what is wrong",
    }, { "www-authenticate": "Bearer" });
  };
}
