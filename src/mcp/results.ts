/**
 * Tool results on the wire: one shape for success, one for every refusal (decision 17,
 * daemon-and-setup.md 8.3 and 8.5).
 *
 * @module
 */

import { TheurianError } from "../platform/errors.ts";
import { printExactJson } from "../platform/exact_json.ts";
import type { JsonObject } from "../platform/json.ts";
import { cut } from "../platform/text.ts";
import { type Places, wireRefusal } from "./wire_refusal.ts";

/** Key of a refusal's facts in `_meta`. */
export const ERROR_KEY = "dev.theurian/error";

/** Most characters of a refusal's message; its remedy follows uncut. */
const MESSAGE_LIMIT = 600;

/** A success: the payload as structured content and as the same JSON in text. */
export function resultOf(payload: JsonObject): JsonObject {
  return {
    content: [{ type: "text", text: printExactJson(payload, 2) }],
    structuredContent: payload,
    isError: false,
  };
}

/**
 * The refusal of a thrown error, without the places of this machine. Anything but a `TheurianError`
 * says only that the defect is ours.
 */
export function refusalOf(thrown: unknown, places?: Places): JsonObject {
  if (!(thrown instanceof TheurianError)) {
    return refusal(
      "Cannot answer: this tool met an internal error. Retry once; if it persists, run " +
        "`theurian doctor`",
    );
  }
  const error = places === undefined ? thrown : wireRefusal(thrown, places);
  const remedy = error.remedy === "" ? "" : ` ${error.remedy}`;
  return refusal(`${cut(error.message, MESSAGE_LIMIT)}.${remedy}`, {
    code: error.wireCode,
    details: error.details,
    retryAfterSeconds: error.retryAfterSeconds,
  });
}

/** A refusal with this text; the three facts are null unless given. */
export function refusal(
  text: string,
  facts: JsonObject = { code: null, details: null, retryAfterSeconds: null },
): JsonObject {
  return {
    content: [{ type: "text", text }],
    isError: true,
    _meta: { [ERROR_KEY]: facts },
  };
}
