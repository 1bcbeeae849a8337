import assert from "node:assert/strict";
import { join } from "node:path";
import { tokenSource } from "./_token_source.ts";
import { readToken, writeNewToken } from "./token_store.ts";

Deno.test("tokenSource() follows a rotation, lets nobody in over a spoiled file, and heals", () => {
  const directory = Deno.makeTempDirSync({ prefix: "daemon-source-" });
  const events: string[] = [];
  try {
    const first = writeNewToken(directory);
    const token = tokenSource(directory, (_level, event) => events.push(event));
    assert.equal(token(), first);
    const second = writeNewToken(directory);
    assert.notEqual(second, first);
    assert.equal(token(), second);
    const path = join(directory, "auth", "mcp-token");
    Deno.chmodSync(path, 0o644);
    assert.equal(token(), null);
    assert.equal(token(), null);
    Deno.chmodSync(path, 0o600);
    assert.equal(token(), second);
    Deno.removeSync(path);
    assert.equal(token(), null);
    assert.deepEqual(events, ["token-unusable", "token-missing"]);
    assert.equal(token.length, 0);
  } finally {
    Deno.removeSync(directory, { recursive: true });
  }
});

Deno.test("tokenSource() tries again what failed, though the file looks the same, and tells it once", () => {
  const directory = Deno.makeTempDirSync({ prefix: "daemon-source-" });
  const events: string[] = [];
  let failures = 3;
  try {
    const written = writeNewToken(directory);
    const token = tokenSource(directory, (_level, event) => events.push(event), (at) => {
      if (failures-- > 0) throw new Error("it was replaced while it was being opened");
      return readToken(at);
    });
    for (let i = 0; i < 3; i++) assert.equal(token(), null);
    assert.equal(token(), written);
    assert.deepEqual(events, ["token-unusable"]);
  } finally {
    Deno.removeSync(directory, { recursive: true });
  }
});
