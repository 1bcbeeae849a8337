import assert from "node:assert/strict";
import { conceptPath, sidecarExtension } from "./bundle_paths.ts";

Deno.test("conceptPath() makes directories of dots and steps aside for reserved names", () => {
  const cases: [string, string][] = [
    ["leaf", "leaf.md"],
    ["a.b.leaf", "a/b/leaf.md"],
    ["index", "index_item.md"],
    ["a.b.log", "a/b/log_item.md"],
    ["a.index.b", "a/index/b.md"],
    ["theurian-bundle", "theurian-bundle_item.md"],
    ["a.theurian-bundle", "a/theurian-bundle.md"],
  ];
  for (const [itemId, path] of cases) assert.equal(conceptPath(itemId), path);
});

Deno.test("sidecarExtension() has an extension for every media type, and never .md", () => {
  const cases: [string, string][] = [
    ["application/json", ".json"],
    ["application/schema+json", ".json"],
    ["application/yaml", ".yaml"],
    ["text/x-yaml", ".yaml"],
    ["application/vnd.oai+yaml", ".yaml"],
    ["text/plain", ".txt"],
    ["text/x-markdown", ".txt"],
    ["application/vnd.oai.openapi", ".txt"],
  ];
  for (const [type, extension] of cases) assert.equal(sidecarExtension(type), extension);
});
