/**
 * Both protocol families from one endpoint (daemon-and-setup.md 4.5): what needs no judging is
 * answered here, everything else by the SDK, which is loaded by the first message that needs it.
 *
 * @module
 */

import { errorKind } from "../platform/errors.ts";
import type { BodyHandler, HttpAnswer } from "./_http_call.ts";
import type { McpSurface, RequestHandler } from "./_mcp_surface.ts";
import { plainAnswer, plainMethodOf, resultAnswer } from "./_plain_request.ts";
import { MODERN_VERSION } from "./_protocol_versions.ts";
import { empty, RPC_CODES, rpcError } from "./_responses.ts";
import { isFaulty, readEnvelope, readToolCall, type RpcRequest } from "./_rpc_envelope.ts";
import { rpcWords } from "./_rpc_words.ts";

async function loadSdk(surface: McpSurface): Promise<RequestHandler> {
  return (await import("./_sdk_dispatch.ts")).sdkDispatch(surface);
}

/** Answers MCP messages that passed the HTTP checks. */
export function mcpDispatch(
  surface: McpSurface,
  load: (surface: McpSurface) => Promise<RequestHandler> = loadSdk,
): BodyHandler {
  let loading: Promise<RequestHandler> | null = null;
  return async (call, body) => {
    const isModern = call.headers.get("mcp-protocol-version")?.trim() === MODERN_VERSION;
    const envelope = readEnvelope(body, isModern);
    if (envelope.kind === "notice") return empty(202);
    if (envelope.kind === "refused") return rpcError(envelope.fault);
    const { request } = envelope;
    const method = plainMethodOf(call, request);
    if (method === "tools/call") return await answerToolCall(surface, request);
    if (method !== null) return plainAnswer(surface, method, request);
    loading ??= load(surface);
    return await (await loading)(call, request);
  };
}

async function answerToolCall(
  { callTool, log }: McpSurface,
  request: RpcRequest,
): Promise<HttpAnswer> {
  const call = readToolCall(request);
  if (isFaulty(call)) return rpcError(call);
  try {
    return resultAnswer(request, await callTool(call.name, call.arguments));
  } catch (error) {
    log("error", "tool-call-defect", errorKind(error));
    const code = RPC_CODES.internalError;
    return rpcError({ status: 200, code, message: rpcWords(code), id: request.id });
  }
}
