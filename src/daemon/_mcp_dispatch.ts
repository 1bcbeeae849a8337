/**
 * Both protocol families from one endpoint (daemon-and-setup.md 4.5). The SDK sees messages that we
 * checked and cut down to what an answer needs; every refusal is worded here.
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
import type { BodyHandler, HttpAnswer, HttpCall } from "./_http_call.ts";
import type { Log } from "./log.ts";
import { isPlainToolCall, toolAnswer } from "./_plain_tool_call.ts";
import { empty, jsonText, RPC_CODES, rpcError, type RpcFault } from "./_responses.ts";
import {
  isFaulty,
  isObject,
  readEnvelope,
  readToolCall,
  type RpcRequest,
  type ToolCall,
} from "./_rpc_envelope.ts";
import type { CallTool } from "./_run_tool.ts";

/** The stateless family's one revision. */
export const MODERN_VERSION = "2026-07-28";

/** Revisions of the handshake family, newest first. */
export const LEGACY_VERSIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] as const;

const LEGACY_METHODS = new Set(["initialize", "ping", "tools/list", "tools/call"]);
const MODERN_METHODS = new Set(["server/discover", "tools/list", "tools/call"]);

/** What the server says of itself and can do. */
export interface McpSurface {
  readonly version: string;
  readonly instructions: string;
  /** Entries of `tools/list`. */
  readonly listing: readonly JsonObject[];
  readonly callTool: CallTool;
  readonly log: Log;
}

/** Answers MCP messages that passed the HTTP checks. */
export function mcpDispatch(surface: McpSurface): BodyHandler {
  const calls = new WeakMap<Request, ToolCall | RpcFault>();
  const modern = createMcpHandler(
    ({ requestInfo }) => newServer(surface, calls.get(requestInfo!)!),
    { legacy: "reject", onerror: (error) => surface.log("debug", "mcp-refused", errorKind(error)) },
  );
  return async (call, body) => {
    const isModern = call.headers.get("mcp-protocol-version")?.trim() === MODERN_VERSION;
    const envelope = readEnvelope(body, isModern);
    if (envelope.kind === "notice") return empty(202);
    if (envelope.kind === "refused") return rpcError(envelope.fault);
    if (isPlainToolCall(call, envelope.request, LEGACY_VERSIONS)) {
      const toolCall = readToolCall(envelope.request);
      if (isFaulty(toolCall)) return rpcError(toolCall);
      return await answerPlainly(surface, envelope.request, toolCall);
    }
    const message = trimmed(envelope.request);
    const request = sdkRequest(call);
    const legacy = await isLegacyRequest(request, message);
    const fault = legacy ? legacyFault(call, envelope.request) : modernFault(envelope.request);
    if (fault !== null) return rpcError(fault);
    const toolCall = readToolCall(envelope.request);
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

function isHandshake({ protocolVersion, capabilities, clientInfo }: JsonObject): boolean {
  return typeof protocolVersion === "string" && isObject(capabilities) && isObject(clientInfo) &&
    typeof clientInfo["name"] === "string" && typeof clientInfo["version"] === "string";
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

async function answerPlainly(
  { callTool, log }: McpSurface,
  request: RpcRequest,
  { name, arguments: input }: ToolCall,
): Promise<HttpAnswer> {
  try {
    return toolAnswer(request, await callTool(name, input));
  } catch (error) {
    log("error", "tool-call-defect", errorKind(error));
    const code = RPC_CODES.internalError;
    return rpcError({ status: 200, code, message: WORDS.get(code)!, id: request.id });
  }
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
  const server = new Server(
    { name: "theurian", title: "Theurian", version: surface.version },
    { capabilities: { tools: { listChanged: false } }, instructions: surface.instructions },
  );
  server.setRequestHandler("tools/list", () => ({ tools: surface.listing as never[] }));
  server.setRequestHandler("tools/call", async () => {
    if (isFaulty(toolCall)) throw new ProtocolError(toolCall.code, toolCall.message);
    const json = await surface.callTool(toolCall.name, toolCall.arguments);
    const result = parseExactJson(json, { fractions: "number", maxDepth: Infinity });
    return withRawIntegers(result) as never;
  });
  return server;
}

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

/** The SDK's answer under our headers; an error keeps its code and takes our words. */
async function ours(response: Response): Promise<HttpAnswer> {
  const text = await response.text();
  if (response.ok && text.startsWith('{"result":')) {
    return jsonText(response.status, text);
  }
  const { id, error } = JSON.parse(text) as { id: string | number | null; error: RpcFault };
  const message = WORDS.get(error.code) ?? "The message cannot be served";
  const versions = error.code === RPC_CODES.unsupportedVersion && isObject(error.data)
    ? { data: { supported: [MODERN_VERSION], requested: shown(error.data["requested"]) } }
    : {};
  return rpcError({ status: response.status, code: error.code, message, id, ...versions });
}

function shown(requested: JsonValue | undefined): string {
  return typeof requested === "string" ? cut(requested, 120) : "";
}
