import { type FaultDetails, TheurianError, type WireCode } from "../platform/errors.ts";
import type { DraftSurface } from "./model.ts";

/** What a remedy calls an argument on the caller's surface. */
export function argumentName(speaks: DraftSurface["speaks"], key: string): string {
  if (speaks === "mcp") return `\`${key}\``;
  return "`--" + key.replace(/[A-Z]/g, (letter) => "-" + letter.toLowerCase()) + "`";
}

/** A draft's refusal: exit 2 on the command line, `INVALID_INPUT` on the wire unless said. */
export function refuseDraft(
  message: string,
  remedy: string,
  options: { wireCode?: WireCode; details?: FaultDetails; cause?: unknown } = {},
): TheurianError {
  return new TheurianError("invalid-input", message, {
    remedy,
    wireCode: options.wireCode ?? "INVALID_INPUT",
    ...(options.details === undefined ? {} : { details: options.details }),
    ...(options.cause === undefined ? {} : { cause: options.cause }),
  });
}
