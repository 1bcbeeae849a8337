import assert from "node:assert/strict";
import { Ajv2020 } from "ajv/dist/2020.js";
import versionSchema from "../../schemas/cli/version.schema.json" with { type: "json" };
import { runForTest } from "./test_world.ts";
import { platformName } from "./version.ts";

Deno.test("version --json fits its published schema exactly", async () => {
  const validate = new Ajv2020().compile(versionSchema);
  for (const args of [["version", "--json"], ["--version", "--json"], ["-V", "--json"]]) {
    const { exit, stdout, stderr } = await runForTest(args, { environment: {} });
    assert.deepEqual([exit, stderr], [0, ""]);
    assert(validate(JSON.parse(stdout)), JSON.stringify(validate.errors));
  }
});

Deno.test("platformName() uses each system's own name of the machine", () => {
  assert.equal(platformName("linux", "x86_64"), "linux-x86_64");
  assert.equal(platformName("linux", "aarch64"), "linux-aarch64");
  assert.equal(platformName("darwin", "aarch64"), "darwin-arm64");
  assert.equal(platformName("darwin", "x86_64"), "darwin-x86_64");
  assert.equal(platformName("windows", "x86_64"), "windows-AMD64");
});
