import assert from "node:assert/strict";
import { targetPath } from "./_http_call.ts";

const TARGETS: readonly (readonly [string, string])[] = [
  ["/health", "/health"],
  ["/health?x=1", "/health"],
  ["/health?/../mcp", "/health"],
  ["/health#/mcp", "/health"],
  ["/health/../mcp", "/health/../mcp"],
  ["/mcp/../health", "/mcp/../health"],
  ["/mcp/./", "/mcp/./"],
  ["//health", "//health"],
  ["//evil/health", "//evil/health"],
  ["/%68ealth", "/%68ealth"],
  ["/HEALTH", "/HEALTH"],
  ["/health/", "/health/"],
  ["/health;x", "/health;x"],
  ["/health\\..\\mcp", "/health\\..\\mcp"],
  // Absolute form: the authority of the target is dropped, only the path counts.
  ["http://evil/mcp", "/mcp"],
  ["http://x/health@evil/mcp", "/health@evil/mcp"],
  ["https://evil/health/../mcp", "/health/../mcp"],
  ["http://localhost:7419/mcp", "/mcp"],
  ["http://a", ""],
  ["*", "*"],
  ["evil:80", "evil:80"],
];

for (const [target, path] of TARGETS) {
  Deno.test(`targetPath() reads ${JSON.stringify(target)} as ${path}`, () => {
    assert.equal(targetPath(target), path);
  });
}
