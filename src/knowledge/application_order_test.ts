import assert from "node:assert/strict";
import { applicationOrder } from "./application_order.ts";

const order = (edges: Record<string, string[]>) =>
  applicationOrder(Object.entries(edges).map(([id, dependsOn]) => ({ id, dependsOn })));

Deno.test("applicationOrder() takes whole layers: 2, 3, 1 when 1 depends on 2", () => {
  assert.deepEqual(order({ "1": ["2"], "2": [], "3": [] }).ids, ["2", "3", "1"]);
});

Deno.test("applicationOrder() sorts a layer by id whatever the order of the input", () => {
  // Keys that are no numbers keep their place in an object.
  assert.deepEqual(
    order({ m9: [], m5: ["m9"], m1: ["m9"], m2: [], m3: ["m5", "m2"] }).ids,
    ["m2", "m9", "m1", "m5", "m3"],
  );
});

Deno.test("applicationOrder() answers nothing for nothing", () => {
  assert.deepEqual(order({}).ids, []);
});

Deno.test("applicationOrder() names a cycle from its smallest member, not from one behind it", () => {
  assert.deepEqual(order({ "1": ["3"], "2": ["4"], "3": ["2"], "4": ["3"] }).cycle, [
    "2",
    "4",
    "3",
    "2",
  ]);
  assert.equal(order({ "1": ["3"], "2": ["4"], "3": ["2"], "4": ["3"] }).ids, null);
});

Deno.test("applicationOrder() names a migration that waits for itself", () => {
  assert.deepEqual(order({ "1": [], "2": ["2"] }).cycle, ["2", "2"]);
});

Deno.test("applicationOrder() orders a chain of ten thousand at once", () => {
  const chain: Record<string, string[]> = {};
  for (let i = 0; i < 10_000; i++) chain[`m${String(i).padStart(5, "0")}`] = [];
  const ids = Object.keys(chain);
  ids.slice(1).forEach((id, i) => chain[ids[i]!] = [id]);
  const started = performance.now();
  assert.deepEqual(order(chain).ids, ids.toReversed());
  assert.ok(performance.now() - started < 10_000);
});

Deno.test("applicationOrder() finds a cycle behind a long chain at once", () => {
  const chain: Record<string, string[]> = {};
  const ids = Array.from({ length: 10_000 }, (_, i) => `m${String(i).padStart(5, "0")}`);
  ids.forEach((id, i) => chain[id] = [ids[Math.min(i + 1, ids.length - 1)]!]);
  const started = performance.now();
  assert.deepEqual(order(chain).cycle, ["m09999", "m09999"]);
  assert.ok(performance.now() - started < 10_000);
});
