/**
 * The pages for whoever runs and releases Theurian name everything there is to name.
 *
 * @module
 */

import assert from "node:assert/strict";
import { basename, join } from "node:path";
import { CHECKOUT } from "../../scripts/program.ts";
import { archiveName, TARGETS } from "../../scripts/release/targets.ts";
import { dataPaths } from "../../src/daemon/mod.ts";
import { STEP_IDS } from "../../src/setup/mod.ts";

function page(name: string): string {
  return Deno.readTextFileSync(join(CHECKOUT, "docs", name));
}

/** First cells of the table lines below a heading. */
function firstCells(text: string, heading: string): string[] {
  const section = text.split(`\n## ${heading}\n`)[1]!.split("\n## ")[0]!;
  return [...section.matchAll(/^\| `([^`]+)`/gm)].map(([, cell]) => cell!);
}

Deno.test("troubleshooting has a line for every step of doctor, in its order", () => {
  assert.deepEqual(firstCells(page("operations.md"), "When something is wrong"), [...STEP_IDS]);
});

Deno.test("the data directory's table names every file that is kept there", () => {
  const named = firstCells(page("operations.md"), "The data directory").map((cell) =>
    basename(cell)
  );
  const { auth: _directory, ...files } = dataPaths("/d");
  for (const path of [...Object.values(files), "/d/built-here.json", "/d/registry.lock"]) {
    assert.ok(named.includes(basename(path)), path);
  }
});

Deno.test("setup's states and their exit codes are all there", () => {
  const states = firstCells(page("operations.md"), "Setting up");
  const source = Deno.readTextFileSync(join(CHECKOUT, "src/cli/setup.ts"));
  const table = source.split("EXIT_OF")[1]!.split("};")[0]!;
  const rows = [...table.matchAll(/"([a-z-]+)": (\d)/g)];
  assert.equal(rows.length, states.length);
  for (const [, state, exit] of rows) {
    assert.match(page("operations.md"), new RegExp(`\\| \`${state}\` +\\| ${exit} +\\|`), state);
  }
});

Deno.test("the installing page names every archive", () => {
  for (const target of TARGETS) {
    assert.ok(page("install.md").includes(archiveName("VERSION", target)));
  }
});

Deno.test("the releasing page lists the jobs of the workflow, in their order", () => {
  const workflow = Deno.readTextFileSync(join(CHECKOUT, ".github/workflows/release.yml"));
  const jobs = [...workflow.split("\njobs:\n")[1]!.matchAll(/^ {2}([a-z]+):$/gm)];
  assert.deepEqual(
    firstCells(page("release.md"), "The gate, in its order"),
    jobs.map(([, name]) => name),
  );
});
