/**
 * A daemon's first start that meets a full disk at any step: no half token is ever left, and the next
 * start has one (daemon-and-setup.md 5.1).
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { dataPaths, openDataDirectory, readOrMintToken } from "../../src/daemon/mod.ts";
import { isFault } from "../../src/platform/errors.ts";
import { setWritePointHook } from "../../src/platform/files/_write_points.ts";

Deno.test("a start that meets a full disk at any step mints a whole token or none", () => {
  const parent = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "fault-token-" }));
  let steps = 0;
  try {
    for (let met = true; met;) {
      const directory = join(parent, String(steps));
      met = false;
      let count = 0;
      setWritePointHook((step) => {
        if (step === "remove" || ++count !== steps + 1) return;
        met = true;
        throw Object.assign(new Error("no space"), { code: "ENOSPC" });
      });
      try {
        readOrMintToken(openDataDirectory(directory));
      } catch (error) {
        assert.ok(isFault(error) && error.exit === 1 && met, String(error));
      } finally {
        setWritePointHook(null);
      }
      const token = readOrMintToken(openDataDirectory(directory));
      assert.match(token, /^[\w-]{43}$/);
      const names = [...Deno.readDirSync(join(directory, "auth"))].map(({ name }) => name);
      assert.deepEqual(names, ["mcp-token"], `step ${steps + 1}`);
      assert.equal(Deno.statSync(dataPaths(directory).token).mode! & 0o777, 0o600);
      steps += met ? 1 : 0;
    }
    assert.ok(steps >= 6, `only ${steps} steps`);
  } finally {
    Deno.removeSync(parent, { recursive: true });
  }
});
