import type { Handler } from "./_http_call.ts";
import { plainText } from "./_responses.ts";

/** Refuses two framings in one request (400): peers that disagree about its end smuggle a second. */
export function refuseAmbiguity(inside: Handler): Handler {
  return (call) =>
    call.headers.has("content-length") && call.headers.has("transfer-encoding")
      ? plainText(400, "Content-Length and Transfer-Encoding exclude each other")
      : inside(call);
}
