/**
 * The handshake family's `tools/call`, which is nearly every message there is, answered without the
 * SDK: it adds nothing to such an answer, and builds a server, a transport and another request for
 * it, which took half the time of a read.
 *
 * @module
 */

import type { HttpAnswer, HttpCall } from "./_http_call.ts";
import { jsonText } from "./_responses.ts";
import { isObject, type RpcRequest } from "./_rpc_envelope.ts";

/** Keys of `_meta` by which the stateless family claims a message. */
const CLAIMS = "io.modelcontextprotocol/";

/**
 * True for a `tools/call` that says nothing the SDK would judge: no claim of the stateless family in
 * headers or `_meta`, no malformed progress token. `versions` are those of the handshake family.
 */
export function isPlainToolCall(
  { headers }: HttpCall,
  { method, params }: RpcRequest,
  versions: readonly string[],
): boolean {
  if (method !== "tools/call") return false;
  const version = headers.get("mcp-protocol-version");
  if (version !== null && !versions.includes(version)) return false;
  if (headers.has("mcp-method") || headers.has("mcp-name")) return false;
  const meta = params["_meta"];
  if (meta === undefined) return true;
  if (!isObject(meta)) return false;
  const token = meta["progressToken"];
  return (token === undefined || typeof token === "string" || Number.isSafeInteger(token)) &&
    !Object.keys(meta).some((key) => key.startsWith(CLAIMS));
}

/** A result, given as JSON text, as the SDK answers it. */
export function toolAnswer({ id }: RpcRequest, result: string): HttpAnswer {
  return jsonText(200, `{"result":${result},"jsonrpc":"2.0","id":${JSON.stringify(id)}}`);
}
