import type { JsonObject } from "../platform/json.ts";
import type { HttpAnswer, HttpCall } from "./_http_call.ts";
import type { Log } from "./log.ts";
import type { RpcRequest } from "./_rpc_envelope.ts";
import type { CallTool } from "./_run_tool.ts";

/** What the server says of itself and can do. */
export interface McpSurface {
  readonly version: string;
  readonly instructions: string;
  /** Entries of `tools/list`. */
  readonly listing: readonly JsonObject[];
  readonly callTool: CallTool;
  readonly log: Log;
}

/** Answers a request that passed the envelope checks. */
export type RequestHandler = (call: HttpCall, request: RpcRequest) => Promise<HttpAnswer>;
