import assert from "node:assert/strict";
import { targetPath } from "./_http_call.ts";

const TARGETS: readonly (readonly [string, string | null, string])[] = [
  ["http://127.0.0.1:7419/health", "127.0.0.1:7419", "/health"],
  ["http://127.0.0.1:7419/health?x=1", "127.0.0.1:7419", "/health"],
  ["http://127.0.0.1:7419/health?/../mcp", "127.0.0.1:7419", "/health"],
  ["http://127.0.0.1:7419/health/../mcp", "127.0.0.1:7419", "/health/../mcp"],
  ["http://127.0.0.1:7419/mcp/../health", "127.0.0.1:7419", "/mcp/../health"],
  ["http://127.0.0.1:7419/mcp/./", "127.0.0.1:7419", "/mcp/./"],
  ["http://127.0.0.1:7419//health", "127.0.0.1:7419", "//health"],
  ["http://127.0.0.1:7419/%68ealth", "127.0.0.1:7419", "/%68ealth"],
  ["http://127.0.0.1:7419/HEALTH", "127.0.0.1:7419", "/HEALTH"],
  ["http://127.0.0.1:7419/health/", "127.0.0.1:7419", "/health/"],
  ["http://127.0.0.1:7419/health;x", "127.0.0.1:7419", "/health;x"],
  ["http://127.0.0.1:7419/health\\..\\mcp", "127.0.0.1:7419", "/health\\..\\mcp"],
  // A host that tries to carry the exempt path in front of the real one.
  ["http://x/health?/mcp", "x/health?", "/mcp"],
  ["http://x/health#/mcp", "x/health#", "/mcp"],
  ["http://x/health/mcp", "x/health", "/mcp"],
  ["http://a b/mcp", "a b", "/mcp"],
  // Absolute form: the authority of the target is dropped, only the path counts.
  ["http://evil/mcp", "127.0.0.1:7419", "/mcp"],
  ["https://evil/health/../mcp", "127.0.0.1:7419", "/health/../mcp"],
  ["http://localhost:7419/mcp", null, "/mcp"],
  ["http://a", "a", ""],
];

for (const [url, host, path] of TARGETS) {
  Deno.test(`targetPath() reads ${JSON.stringify(url)} sent to ${host} as ${path}`, () => {
    assert.equal(targetPath(url, host), path);
  });
}
