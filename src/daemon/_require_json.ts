import type { Handler } from "./_http_call.ts";
import { plainText, RPC_CODES, rpcError } from "./_responses.ts";

/** True for `application/json`, with or without parameters. */
export function isJsonType(contentType: string): boolean {
  return contentType.split(";", 1)[0]!.trim().toLowerCase() === "application/json";
}

/** Refuses a POST that does not declare JSON: 400, or 415 for a type that merely looks like it. */
export function requireJson(inside: Handler): Handler {
  return (call) => {
    if (call.method !== "POST") return inside(call);
    const type = call.headers.get("content-type") ?? "";
    if (isJsonType(type)) return inside(call);
    if (!type.toLowerCase().startsWith("application/json")) {
      return plainText(400, "Content-Type must be application/json");
    }
    return rpcError({
      status: 415,
      code: RPC_CODES.invalidRequest,
      message: "Content-Type must be application/json",
    });
  };
}
