import assert from "node:assert/strict";
import { securityPage } from "../../scripts/permission_table.ts";
import { cliReference } from "../../scripts/write_cli_reference.ts";

Deno.test("docs/cli.md is what the command table says; `deno task docs` writes it", async () => {
  const page = Deno.readTextFileSync(new URL("../../docs/cli.md", import.meta.url));
  assert.equal(page, await cliReference());
});

Deno.test("the permissions in docs/security.md are the rows'; `deno task docs` writes them", async () => {
  const page = Deno.readTextFileSync(new URL("../../docs/security.md", import.meta.url));
  assert.equal(page, await securityPage());
});
