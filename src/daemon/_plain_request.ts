/**
 * What clients of the handshake family ask for, which is nearly every message there is, answered
 * without the SDK. To such an answer it adds nothing; it builds a server, a transport and another
 * request for it, which took half the time of a read, and loading it took most of a first handshake.
 *
 * @module
 */

import type { JsonObject, JsonValue } from "../platform/json.ts";
import type { HttpAnswer, HttpCall } from "./_http_call.ts";
import type { McpSurface } from "./_mcp_surface.ts";
import { LEGACY_VERSIONS } from "./_protocol_versions.ts";
import { jsonText } from "./_responses.ts";
import { isObject, type RpcRequest } from "./_rpc_envelope.ts";

/** Keys of `_meta` by which the stateless family claims a message. */
const CLAIMS = "io.modelcontextprotocol/";

/** Methods of the handshake family; their plain requests are answered here. */
export type PlainMethod = "initialize" | "ping" | "tools/list" | "tools/call";

/** The same for asking. */
export const LEGACY_METHODS: ReadonlySet<string> = new Set<PlainMethod>([
  "initialize",
  "ping",
  "tools/list",
  "tools/call",
]);

/**
 * The method of a request that says nothing the SDK would judge: no claim of the stateless family in
 * headers or `_meta`, no malformed progress token, no version to settle on; `null` for any other.
 */
export function plainMethodOf(
  { headers }: HttpCall,
  { method, params }: RpcRequest,
): PlainMethod | null {
  if (!LEGACY_METHODS.has(method)) return null;
  const version = headers.get("mcp-protocol-version");
  if (version !== null && !isLegacyVersion(version)) return null;
  if (headers.has("mcp-method") || headers.has("mcp-name")) return null;
  if (!isPlainMeta(params["_meta"])) return null;
  if (method !== "initialize") return method as PlainMethod;
  return isHandshake(params) && isLegacyVersion(params["protocolVersion"]) ? method : null;
}

function isLegacyVersion(version: JsonValue | undefined): boolean {
  return (LEGACY_VERSIONS as readonly unknown[]).includes(version);
}

function isPlainMeta(meta: JsonValue | undefined): boolean {
  if (meta === undefined) return true;
  if (!isObject(meta)) return false;
  const token = meta["progressToken"];
  return (token === undefined || typeof token === "string" || Number.isSafeInteger(token)) &&
    !Object.keys(meta).some((key) => key.startsWith(CLAIMS));
}

/** True when `initialize` names all it has to. */
export function isHandshake({ protocolVersion, capabilities, clientInfo }: JsonObject): boolean {
  return typeof protocolVersion === "string" && isObject(capabilities) && isObject(clientInfo) &&
    typeof clientInfo["name"] === "string" && typeof clientInfo["version"] === "string";
}

/** What the server says of itself in the handshake, as far as it hangs on no request. */
export function serverFacts({ version }: Pick<McpSurface, "version">) {
  return {
    serverInfo: { name: "theurian", title: "Theurian", version },
    capabilities: { tools: { listChanged: false } },
  };
}

/** Answers the plain requests that no tool is asked by. */
export function plainAnswer(
  surface: Pick<McpSurface, "version" | "instructions" | "listing">,
  method: Exclude<PlainMethod, "tools/call">,
  request: RpcRequest,
): HttpAnswer {
  if (method === "ping") return resultAnswer(request, "{}");
  if (method === "tools/list") {
    return resultAnswer(request, JSON.stringify({ tools: surface.listing }));
  }
  const protocolVersion = request.params["protocolVersion"];
  const { instructions } = surface;
  const result = { protocolVersion, ...serverFacts(surface), instructions };
  return resultAnswer(request, JSON.stringify(result));
}

/** A result, given as JSON text, as the SDK answers it. */
export function resultAnswer({ id }: RpcRequest, result: string): HttpAnswer {
  return jsonText(200, `{"result":${result},"jsonrpc":"2.0","id":${JSON.stringify(id)}}`);
}
