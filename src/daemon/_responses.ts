/**
 * The few shapes an HTTP refusal takes. No body repeats anything of the request.
 *
 * @module
 */

import type { JsonObject, JsonValue } from "../platform/json.ts";
import type { HttpAnswer } from "./_http_call.ts";

/** JSON-RPC error codes of the surface (daemon-and-setup.md 4.4, 4.5). */
export const RPC_CODES = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  headerMismatch: -32020,
  unsupportedVersion: -32022,
} as const;

/** Sent with every answer: knowledge is neither stored nor re-encoded on the way. */
export const COMMON_HEADERS: Readonly<Record<string, string>> = {
  "cache-control": "no-store, no-transform",
  "x-content-type-options": "nosniff",
};

/** A plain-text answer. */
export function plainText(
  status: number,
  text: string,
  headers: Record<string, string> = {},
): HttpAnswer {
  const type = "text/plain; charset=utf-8";
  return { status, headers: { ...COMMON_HEADERS, "content-type": type, ...headers }, body: text };
}

/** A JSON answer. */
export function json(
  status: number,
  body: JsonValue,
  headers: Record<string, string> = {},
): HttpAnswer {
  return jsonText(status, JSON.stringify(body), headers);
}

/** A JSON answer that is text already. */
export function jsonText(
  status: number,
  body: string | null,
  headers: Record<string, string> = {},
): HttpAnswer {
  return {
    status,
    headers: { ...COMMON_HEADERS, "content-type": "application/json", ...headers },
    body,
  };
}

/** An answer without a body. */
export function empty(status: number): HttpAnswer {
  return { status, headers: COMMON_HEADERS, body: null };
}

/** What a JSON-RPC error says. */
export interface RpcFault {
  readonly status: number;
  readonly code: number;
  readonly message: string;
  readonly id?: string | number | null;
  readonly data?: JsonValue;
}

/** A JSON-RPC error; `id` is null where the request named none. */
export function rpcError(fault: RpcFault, headers: Record<string, string> = {}): HttpAnswer {
  const error: JsonObject = {
    code: fault.code,
    message: fault.message,
    ...(fault.data === undefined ? {} : { data: fault.data }),
  };
  return json(fault.status, { jsonrpc: "2.0", id: fault.id ?? null, error }, headers);
}
