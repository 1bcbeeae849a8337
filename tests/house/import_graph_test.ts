import assert from "node:assert/strict";
import { join } from "node:path";
import {
  backwardImports,
  type Import,
  importCycles,
  importGraph,
  importsOf,
  incompleteFaces,
  ROOT,
  sourceFiles,
} from "./import_graph.ts";

const edge = (from: string, to: string, more: Partial<Import> = {}): Import => ({
  from: `src/${from}`,
  to: `src/${to}`,
  typeOnly: false,
  lazy: false,
  ...more,
});

Deno.test("the areas of src import one way", () => {
  assert.deepEqual(backwardImports(importGraph()), []);
});

Deno.test("no file of src imports itself through others", () => {
  assert.deepEqual(importCycles(importGraph()), []);
});

Deno.test("each mod.ts of src lists the public files of its folder and no private one", () => {
  const read = (path: string) => Deno.readTextFileSync(join(ROOT, path));
  assert.deepEqual(incompleteFaces(sourceFiles(), read), []);
});

Deno.test("the graph is read from the code and not empty", () => {
  const graph = importGraph();
  assert.ok(graph.length > 300);
  assert.ok(graph.some(({ from, to }) => {
    return from === "src/platform/git.ts" && to === "src/platform/process.ts";
  }));
  for (const { from, to } of graph) {
    assert.ok(Deno.statSync(join(ROOT, to)).isFile, `${from}: ${to}`);
  }
});

Deno.test("importsOf() sees each form of import and skips comments and packages", () => {
  const source = `
    /** import { example } from "./in_comment.ts"; */
    // import { other } from "./in_comment.ts";
    import { a, type B } from "./a.ts";
    import type { C } from "../knowledge/model.ts";
    import { type D, type E } from "./d.ts";
    import "./effect.ts";
    import {
      many,
    } from "./many.ts";
    export * from "./star.ts";
    export { x } from "./x.ts";
    const lazy = () => import("./lazy.ts");
    import yaml from "js-yaml";
  `;
  const found = importsOf("src/index/file.ts", source);
  assert.deepEqual(
    found.map(({ to, typeOnly, lazy }) => [to.replace("src/index/", ""), typeOnly, lazy]),
    [
      ["a.ts", false, false],
      ["src/knowledge/model.ts", true, false],
      ["d.ts", true, false],
      ["effect.ts", false, false],
      ["many.ts", false, false],
      ["star.ts", false, false],
      ["x.ts", false, false],
      ["lazy.ts", false, true],
    ],
  );
});

Deno.test("backwardImports() fires on a later layer, on a neighbour and on an unknown area", () => {
  assert.deepEqual(
    backwardImports([
      edge("index/a.ts", "platform/errors.ts"),
      edge("cli/a.ts", "daemon/mod.ts"),
      edge("index/a.ts", "index/b.ts"),
    ]),
    [],
  );
  assert.deepEqual(
    backwardImports([
      edge("platform/a.ts", "knowledge/model.ts", { typeOnly: true }),
      edge("index/a.ts", "review/mod.ts"),
      edge("daemon/a.ts", "setup/mod.ts", { lazy: true }),
      edge("misc/a.ts", "platform/errors.ts"),
    ]),
    [
      "src/platform/a.ts imports src/knowledge/model.ts",
      "src/index/a.ts imports src/review/mod.ts",
      "src/daemon/a.ts imports src/setup/mod.ts",
      "src/misc/a.ts: no layer for this area",
    ],
  );
});

Deno.test("importCycles() fires on a circle of evaluated imports and not on types or lazy ones", () => {
  const circle = [edge("a/x.ts", "a/y.ts"), edge("a/y.ts", "a/z.ts"), edge("a/z.ts", "a/x.ts")];
  assert.deepEqual(importCycles(circle), ["src/a/x.ts → src/a/y.ts → src/a/z.ts"]);
  assert.deepEqual(importCycles([edge("a/x.ts", "a/x.ts")]), ["src/a/x.ts"]);
  assert.deepEqual(
    importCycles([...circle.slice(0, 2), edge("a/z.ts", "a/x.ts", { lazy: true })]),
    [],
  );
  const typed = edge("a/z.ts", "a/x.ts", { typeOnly: true });
  assert.deepEqual(importCycles([...circle.slice(0, 2), typed]), []);
});

Deno.test("incompleteFaces() fires on a public file left out and on a private one listed", () => {
  const files = ["src/a/mod.ts", "src/a/one.ts", "src/a/two.ts", "src/a/_own.ts", "src/b/x.ts"];
  const faces = (text: string) => incompleteFaces(files, () => text);
  assert.deepEqual(faces(`export * from "./one.ts";\nexport { two } from "./two.ts";`), []);
  assert.deepEqual(
    faces(`export * from "./one.ts";\nexport * from "./_own.ts";`),
    [
      "src/a/mod.ts lists the private src/a/_own.ts",
      "src/a/mod.ts does not list src/a/two.ts",
    ].sort(),
  );
});
