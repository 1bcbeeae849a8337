/**
 * The tools over standard input and output: one JSON-RPC message a line, the same checks, schemas
 * and refusals as over HTTP (cli-and-plugins.md 3.2).
 *
 * @module
 */

import type { JsonValue } from "../platform/json.ts";
import { realPath } from "../platform/files/mod.ts";
import { refuseShared } from "./data_directory.ts";
import { INSTRUCTIONS } from "./_instructions.ts";
import type { HttpCall } from "./_http_call.ts";
import { HeaderLines } from "./_http_head.ts";
import { MAX_BODY_BYTES } from "./_limit_body.ts";
import { mcpDispatch } from "./_mcp_dispatch.ts";
import { RPC_CODES } from "./_responses.ts";
import { isObject } from "./_rpc_envelope.ts";
import { toolCaller } from "./_run_tool.ts";
import type { ServeOptions } from "./serve.ts";
import { splitLines } from "./_split_lines.ts";
import { toolThreads } from "./_tool_lanes.ts";

/** What serving over the standard streams takes. */
export interface StdioOptions extends Omit<ServeOptions, "port" | "announce" | "protocolVersion"> {
  readonly wire: {
    input(): ReadableStream<Uint8Array>;
    send(line: string): void;
  };
}

/** Serves until the input ends and every request of it is answered. */
export async function serveStdio(options: StdioOptions): Promise<void> {
  const dataDirectory = realPath(options.dataDirectory) ?? options.dataDirectory;
  options.dropRights();
  refuseShared(dataDirectory);
  const grant = options.readGrant(dataDirectory);
  const toolset = await options.loadTools();
  using threads = toolThreads(toolset.workerUrl, dataDirectory);
  const context = {
    dataDirectory,
    grant,
    toolNames: toolset.tools.map((tool) => tool.name),
  };
  const { log, version, wire } = options;
  const callTool = toolCaller({ ...toolset, lanes: threads.lanes, context: () => context, log });
  const surface = { version, instructions: INSTRUCTIONS, listing: toolset.listing, callTool, log };
  const dispatch = mcpDispatch(surface);
  const answering = new Set<Promise<void>>();
  for await (const line of splitLines(wire.input(), MAX_BODY_BYTES)) {
    if (line === null) wire.send(TOO_LONG);
    else {
      const answer = answerLine(line);
      answering.add(answer);
      // One that failed stays, and fails the whole at the end.
      answer.then(() => answering.delete(answer), () => {});
    }
  }
  await Promise.all(answering);

  async function answerLine(line: Uint8Array): Promise<void> {
    const { body } = await dispatch(callOf(line), line);
    if (body !== null && body !== "") wire.send(body);
  }
}

const TOO_LONG = JSON.stringify({
  jsonrpc: "2.0",
  id: null,
  error: { code: RPC_CODES.invalidRequest, message: "The message is too large" },
});

/**
 * The message as a call. Over these streams there are no headers: what the stateless family says in
 * them is taken from the message itself, so that they cannot disagree.
 */
function callOf(line: Uint8Array): HttpCall {
  const headers = new HeaderLines();
  const { method, version, name } = claimsOf(line);
  if (version !== null) {
    headers.append("mcp-protocol-version", version);
    if (method !== null) headers.append("mcp-method", method);
    if (name !== null) headers.append("mcp-name", name);
  }
  return { method: "POST", path: "/mcp", headers, body: null };
}

const NO_CLAIMS = { method: null, version: null, name: null };

function claimsOf(line: Uint8Array) {
  let message: JsonValue;
  try {
    message = JSON.parse(new TextDecoder().decode(line));
  } catch {
    return NO_CLAIMS;
  }
  const params = isObject(message) ? message["params"] : undefined;
  const meta = isObject(params) ? params["_meta"] : undefined;
  if (!isObject(message) || !isObject(params) || !isObject(meta)) return NO_CLAIMS;
  return {
    method: headerText(message["method"]),
    version: headerText(meta["io.modelcontextprotocol/protocolVersion"]),
    name: headerText(params["name"]),
  };
}

/** Text that may stand in a header. */
function headerText(value: JsonValue | undefined): string | null {
  return typeof value === "string" && /^[\x21-\x7e]{1,200}$/.test(value) ? value : null;
}
