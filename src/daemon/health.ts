import type { Handler } from "./_http_call.ts";
import { json, jsonText, plainText } from "./_responses.ts";

/** Tells our daemon from another implementation's on the same port (decision 27). */
export const IMPLEMENTATION = "theurian-deno";

/** What `/health` publishes, in this order; nothing about projects or knowledge. */
export interface HealthFacts {
  readonly status: "ok";
  readonly version: string;
  readonly protocolVersion: string;
  readonly dataDir: string;
  readonly startedAt: string;
  readonly implementation: string;
}

/** Answers `GET` and `HEAD` of `/health` (daemon-and-setup.md 4.2). */
export function answerHealth(facts: HealthFacts): Handler {
  return (call) => {
    if (call.method === "GET") return json(200, { ...facts });
    if (call.method !== "HEAD") return plainText(405, "Method not allowed", { allow: "GET, HEAD" });
    return jsonText(200, null);
  };
}
