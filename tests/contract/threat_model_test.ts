/**
 * The threat model names a test for every control, and the test is there under that name.
 *
 * @module
 */

import assert from "node:assert/strict";
import { dirname, join } from "node:path";

const ROOT = new URL("../../", import.meta.url).pathname;
const PAGE = "docs/security.md";

interface Row {
  readonly id: string;
  readonly proofs: readonly (readonly [name: string, path: string])[];
}

/** Rows of the tables whose first column is an id. */
function rows(page: string): Row[] {
  return page.split("\n").flatMap((line) => {
    const id = /^\| ([A-Z]\d+) +\|/.exec(line)?.[1];
    if (id === undefined) return [];
    const links = [...line.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)];
    return [{ id, proofs: links.map(([, name, path]) => [name!, path!] as const) }];
  });
}

/** True when the file declares a test whose name holds `name`. */
function declares(path: string, name: string): boolean {
  const text = Deno.readTextFileSync(path);
  const names = [...text.matchAll(/Deno\.test\(\s*(?:\{\s*name:\s*)?(["'`])([^]*?)\1/g)];
  const runners = [...text.matchAll(/withRunner\(\s*(["'`])([^]*?)\1/g)];
  return [...names, ...runners].some((match) => match[2]!.includes(name));
}

function faultsOf(page: string, base: string): string[] {
  return rows(page).flatMap(({ id, proofs }) => {
    if (proofs.length === 0) return [`${id} has no proof`];
    return proofs.flatMap(([name, target]) => {
      const path = join(base, target);
      if (!/_test\.ts$/.test(path)) return [`${id} names no test: ${target}`];
      try {
        return declares(path, name) ? [] : [`${id}: ${target} has no test "${name}"`];
      } catch {
        return [`${id}: there is no ${target}`];
      }
    });
  });
}

Deno.test("every row of the threat model links to a test that exists", () => {
  const page = Deno.readTextFileSync(join(ROOT, PAGE));
  assert.deepEqual(faultsOf(page, dirname(join(ROOT, PAGE))), []);
  const ids = rows(page).map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length);
  assert.ok(ids.length > 40, `${ids.length}`);
});

Deno.test("a row without a proof, or with one that is not there, is found", () => {
  const here = "tests/contract/threat_model_test.ts";
  const good = `| A1 | x | y | [every row of the threat model](${here}) |`;
  assert.deepEqual(faultsOf(good, ROOT), []);
  for (
    const bad of [
      "| A1 | x | y | none |",
      `| A1 | x | y | [no such test](${here}) |`,
      "| A1 | x | y | [x](tests/contract/absent_test.ts) |",
      "| A1 | x | y | [x](README.md) |",
    ]
  ) assert.equal(faultsOf(bad, ROOT).length, 1, bad);
});
