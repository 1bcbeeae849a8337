import { MODERN_VERSION } from "./_protocol_versions.ts";
import { RPC_CODES } from "./_responses.ts";

const WORDS: ReadonlyMap<number, string> = new Map([
  [RPC_CODES.invalidParams, "The parameters do not fit the method or its protocol version"],
  [RPC_CODES.headerMismatch, "A standard header is missing or disagrees with the body"],
  [
    RPC_CODES.unsupportedVersion,
    `This protocol version is not served; served is ${MODERN_VERSION}`,
  ],
  [RPC_CODES.methodNotFound, "Method not found"],
  [RPC_CODES.internalError, "The daemon met an internal error"],
]);

/** Our sentence for a JSON-RPC error code, whoever raised it. */
export function rpcWords(code: number): string {
  return WORDS.get(code) ?? "The message cannot be served";
}
