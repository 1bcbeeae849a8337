import assert from "node:assert/strict";
import { AREAS } from "./areas.ts";
import { mutate, trapsOf } from "./mutant.ts";

const ROOT = new URL("../../", import.meta.url);

function textOf(path: string): string {
  return Deno.readTextFileSync(new URL(path, ROOT));
}

Deno.test("every mutant still fits its file, and its test files are there", () => {
  for (const { name, mutants } of AREAS) {
    for (const mutant of mutants) {
      const where = `${name} ${trapsOf(mutant)}: ${mutant.why}`;
      assert.match(mutant.file, /^(?:src|plugins)\/(?!.*_test\.ts$)/, where);
      assert.doesNotThrow(() => mutate(textOf(mutant.file), mutant), where);
      assert.ok(mutant.tests.length > 0, where);
      for (const path of mutant.tests) {
        assert.match(path, /_test\.ts$/, where);
        assert.ok(textOf(path).includes(mutant.filter ?? "Deno.test("), `${where}: ${path}`);
      }
    }
  }
});

Deno.test("every trap is held by a mutant, or it is said why it has none", () => {
  for (const { name, traps, mutants, withoutMutant } of AREAS) {
    const held = new Set(mutants.flatMap(trapsOf));
    const excused = withoutMutant.flatMap(trapsOf);
    const all = Array.from({ length: traps }, (_, i) => i + 1);
    assert.deepEqual([...new Set([...held, ...excused])].sort((a, b) => a - b), all, name);
    assert.deepEqual(excused.filter((trap) => held.has(trap)), [], `${name}: held and excused`);
    assert.equal(new Set(excused).size, excused.length, `${name}: excused twice`);
  }
});
