/**
 * The JSON-RPC envelope, checked before the SDK sees it, with constant sentences that repeat
 * nothing of the request (daemon-and-setup.md 4.4).
 *
 * @module
 */

import { parseExactJson } from "../platform/exact_json.ts";
import type { JsonObject, JsonValue } from "../platform/json.ts";
import { RPC_CODES, type RpcFault } from "./_responses.ts";

/** A request to answer. */
export interface RpcRequest {
  readonly id: string | number;
  readonly method: string;
  /** Always an object here; absent parameters are the empty object. */
  readonly params: JsonObject;
}

/** What a body turned out to be. */
export type Envelope =
  | { readonly kind: "request"; readonly request: RpcRequest }
  /** A notification, a posted response or a null id: acknowledged and dropped. */
  | { readonly kind: "notice" }
  | { readonly kind: "refused"; readonly fault: RpcFault };

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Reads a body. `modern` names the family whose code answers a malformed envelope. */
export function readEnvelope(body: Uint8Array, modern: boolean): Envelope {
  let value: JsonValue;
  try {
    // Integers stay exact; how deep arguments may nest is the size walk's to say.
    const options = { fractions: "number", maxDepth: Infinity } as const;
    value = parseExactJson(decoder.decode(body), options) as JsonValue;
  } catch {
    return refused(400, RPC_CODES.parseError, "The request body is not JSON");
  }
  return checkEnvelope(value, modern);
}

/** Checks a parsed message. */
export function checkEnvelope(value: JsonValue, modern: boolean): Envelope {
  const code = modern ? RPC_CODES.invalidRequest : RPC_CODES.invalidParams;
  if (Array.isArray(value)) return refused(400, code, "Batches are not served: send one message");
  if (!isObject(value) || value["jsonrpc"] !== "2.0") {
    return refused(400, code, 'The request body is not a JSON-RPC 2.0 message: "jsonrpc" is "2.0"');
  }
  const { id, method, params } = value;
  if (method === undefined && ("result" in value || "error" in value)) return { kind: "notice" };
  if (typeof method !== "string") return refused(400, code, '"method" must be a string');
  if (id === undefined || id === null) return { kind: "notice" };
  if (typeof id !== "string" && !Number.isSafeInteger(id)) {
    return refused(400, code, '"id" must be a string or an integer');
  }
  const known = id as string | number;
  if (params !== undefined && !isObject(params)) {
    return refused(200, RPC_CODES.invalidParams, '"params" must be an object', known);
  }
  return { kind: "request", request: { id: known, method, params: params ?? {} } };
}

/** A `tools/call` whose two preconditions hold. */
export interface ToolCall {
  readonly name: string;
  readonly arguments: JsonObject;
}

/** The tool and arguments of a `tools/call`, or the fault that stops it before any tool does. */
export function readToolCall(request: RpcRequest): ToolCall | RpcFault {
  const { name, arguments: given } = request.params;
  const status = 200;
  const code = RPC_CODES.invalidParams;
  if (typeof name !== "string") {
    return { status, code, message: '"name" of a tools/call must be a string', id: request.id };
  }
  if (given !== undefined && given !== null && !isObject(given)) {
    return { status, code, message: '"arguments" must be an object', id: request.id };
  }
  return { name, arguments: given ?? {} };
}

/** True when what was read is a fault. */
export function isFaulty(read: ToolCall | RpcFault): read is RpcFault {
  return "code" in read && "message" in read && !("arguments" in read);
}

/** True for a JSON object, not an array. */
export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function refused(
  status: number,
  code: number,
  message: string,
  id: string | number | null = null,
): Envelope {
  return { kind: "refused", fault: { status, code, message, id } };
}
