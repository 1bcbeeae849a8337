import type { BodyHandler } from "./_http_call.ts";
import { RPC_CODES, rpcError } from "./_responses.ts";

/** Refuses any method but POST (405): no session to delete and no stream to open is ever offered. */
export function requirePost(inside: BodyHandler): BodyHandler {
  return (call, body) =>
    call.method === "POST" ? inside(call, body) : rpcError({
      status: 405,
      code: RPC_CODES.invalidRequest,
      message: "Only POST is served here",
    }, { allow: "POST" });
}
