import type { BodyHandler } from "./_http_call.ts";
import { RPC_CODES, rpcError } from "./_responses.ts";

/** Ranges that cover JSON, the closest match first. */
const COVERING = ["application/json", "application/*", "*/*"];

/**
 * Whether an `Accept` header lets us answer with JSON: absent, blank, JSON itself or a wildcard,
 * unless the closest matching range is given the weight zero (daemon-and-setup.md 4.6).
 */
export function acceptsJson(accept: string | null): boolean {
  if (accept === null || accept.trim() === "") return true;
  const weights = new Map<string, number>();
  for (const part of accept.split(",")) {
    const [range, ...parameters] = part.split(";").map((piece) => piece.trim().toLowerCase());
    const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
    if (range) weights.set(range, weight === undefined ? 1 : Number(weight));
  }
  for (const range of COVERING) {
    const weight = weights.get(range);
    if (weight !== undefined) return weight > 0;
  }
  return false;
}

/** Refuses a client that rules JSON out (406). */
export function requireAcceptable(inside: BodyHandler): BodyHandler {
  return (call, body) =>
    acceptsJson(call.headers.get("accept")) ? inside(call, body) : rpcError({
      status: 406,
      code: RPC_CODES.invalidRequest,
      message: "Answers are application/json, which the Accept header rules out",
    });
}
