/**
 * The messages that the SDK answers (daemon-and-setup.md 4.5). It sees messages that we checked and cut
 * down to what an answer needs; every refusal is worded here.
 *
 * @module
 */

import {
  createMcpHandler,
  isLegacyRequest,
  ProtocolError,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { parseExactJson, withRawIntegers } from "../platform/exact_json.ts";
import type { JsonObject, JsonValue } from "../platform/json.ts";
import { errorKind } from "../platform/errors.ts";
import { cut } from "../platform/text.ts";
import type { HttpAnswer, HttpCall } from "./_http_call.ts";
import type { McpSurface, RequestHandler } from "./_mcp_surface.ts";
import { isHandshake, LEGACY_METHODS, serverFacts } from "./_plain_request.ts";
import { LEGACY_VERSIONS, MODERN_VERSION } from "./_protocol_versions.ts";
import { jsonText, RPC_CODES, rpcError, type RpcFault } from "./_responses.ts";
import {
  isFaulty,
  isObject,
  readToolCall,
  type RpcRequest,
  type ToolCall,
} from "./_rpc_envelope.ts";
import { rpcWords } from "./_rpc_words.ts";

const MODERN_METHODS = new Set(["server/discover", "tools/list", "tools/call"]);

/** Answers what is left to the SDK. */
export function sdkDispatch(surface: McpSurface): RequestHandler {
  const calls = new WeakMap<Request, ToolCall | RpcFault>();
  const modern = createMcpHandler(
    ({ requestInfo }) => newServer(surface, calls.get(requestInfo!)!),
    { legacy: "reject", onerror: (error) => surface.log("debug", "mcp-refused", errorKind(error)) },
  );
  return async (call, asked) => {
    const message = trimmed(asked);
    const request = sdkRequest(call);
    const legacy = await isLegacyRequest(request, message);
    const fault = legacy ? legacyFault(call, asked) : modernFault(asked);
    if (fault !== null) return rpcError(fault);
    const toolCall = readToolCall(asked);
    if (legacy) return await answerLegacy(surface, request, message, toolCall);
    calls.set(request, toolCall);
    return await ours(await modern.fetch(request, { parsedBody: message }));
  };
}

function legacyFault(call: HttpCall, request: RpcRequest): RpcFault | null {
  const { id, method } = request;
  const version = call.headers.get("mcp-protocol-version")?.trim();
  const versions: readonly string[] = LEGACY_VERSIONS;
  if (version && method !== "initialize" && !versions.includes(version)) {
    const supported = [MODERN_VERSION, ...LEGACY_VERSIONS];
    return {
      status: 400,
      code: RPC_CODES.invalidRequest,
      message: `This protocol version is not served; served are ${supported.join(", ")}`,
      id,
    };
  }
  if (!LEGACY_METHODS.has(method)) return unknownMethod(request, 200);
  if (method === "initialize" && !isHandshake(request.params)) {
    return {
      status: 200,
      code: RPC_CODES.invalidParams,
      message: '"initialize" needs protocolVersion, capabilities and clientInfo',
      id,
    };
  }
  return null;
}

function modernFault(request: RpcRequest): RpcFault | null {
  return MODERN_METHODS.has(request.method) ? null : unknownMethod(request, 404);
}

function unknownMethod({ id, method }: RpcRequest, status: number): RpcFault {
  const data = /^[\w$./-]{1,120}$/.test(method) ? { data: method } : {};
  return { status, code: RPC_CODES.methodNotFound, message: "Method not found", id, ...data };
}

/**
 * The message without what the SDK has no use for. Tool arguments stay with us: the SDK would walk
 * and copy them, and dump what it dislikes.
 */
function trimmed({ id, method, params }: RpcRequest): JsonObject {
  const kept: Record<string, JsonValue> = {};
  if (isObject(params["_meta"])) kept["_meta"] = params["_meta"];
  if (method === "tools/call") {
    if (params["name"] !== undefined) kept["name"] = params["name"];
    kept["arguments"] = {};
  }
  if (method === "initialize") {
    kept["protocolVersion"] = params["protocolVersion"] ?? "";
    kept["capabilities"] = {};
    kept["clientInfo"] = { name: "client", version: "0" };
  }
  return { jsonrpc: "2.0", id, method, params: kept };
}

/** The request as the SDK wants it: both types accepted, no body, only the headers it reads. */
function sdkRequest(call: HttpCall): Request {
  const headers = new Headers({
    "accept": "application/json, text/event-stream",
    "content-type": "application/json",
  });
  for (const name of ["mcp-protocol-version", "mcp-method", "mcp-name"]) {
    const value = call.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  return new Request("http://127.0.0.1/mcp", { method: "POST", headers });
}

async function answerLegacy(
  surface: McpSurface,
  request: Request,
  message: JsonObject,
  toolCall: ToolCall | RpcFault,
): Promise<HttpAnswer> {
  const server = newServer(surface, toolCall);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await ours(await transport.handleRequest(request, { parsedBody: message }));
  } finally {
    await server.close();
  }
}

/** A server for one message; nothing is kept between two. */
function newServer(surface: McpSurface, toolCall: ToolCall | RpcFault): Server {
  const { serverInfo, capabilities } = serverFacts(surface);
  const server = new Server(serverInfo, { capabilities, instructions: surface.instructions });
  server.setRequestHandler("tools/list", () => ({ tools: surface.listing as never[] }));
  server.setRequestHandler("tools/call", async () => {
    if (isFaulty(toolCall)) throw new ProtocolError(toolCall.code, toolCall.message);
    const json = await surface.callTool(toolCall.name, toolCall.arguments);
    const result = parseExactJson(json, { fractions: "number", maxDepth: Infinity });
    return withRawIntegers(result) as never;
  });
  return server;
}

/** The SDK's answer under our headers; an error keeps its code and takes our words. */
async function ours(response: Response): Promise<HttpAnswer> {
  const text = await response.text();
  if (response.ok && text.startsWith('{"result":')) {
    return jsonText(response.status, text);
  }
  const { id, error } = JSON.parse(text) as { id: string | number | null; error: RpcFault };
  const message = rpcWords(error.code);
  const versions = error.code === RPC_CODES.unsupportedVersion && isObject(error.data)
    ? { data: { supported: [MODERN_VERSION], requested: shown(error.data["requested"]) } }
    : {};
  return rpcError({ status: response.status, code: error.code, message, id, ...versions });
}

function shown(requested: JsonValue | undefined): string {
  return typeof requested === "string" ? cut(requested, 120) : "";
}
