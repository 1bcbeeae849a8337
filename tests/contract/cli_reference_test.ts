import assert from "node:assert/strict";
import { cliReference } from "../../scripts/write_cli_reference.ts";

Deno.test("docs/cli.md is what the command table says; `deno task docs` writes it", async () => {
  const page = Deno.readTextFileSync(new URL("../../docs/cli.md", import.meta.url));
  assert.equal(page, await cliReference());
});
