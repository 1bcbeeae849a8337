import assert from "node:assert/strict";
import plugin from "./house_rules.ts";

/** Ids of the rules that fire on a source, without the plugin's name. */
function fired(path: string, source: string): string[] {
  return Deno.lint.runPlugin(plugin, path, source).map(({ id }) => id.replace("house/", ""));
}

function firesOnly(rule: string, path: string, sources: readonly string[]): void {
  for (const source of sources) assert.deepEqual(fired(path, source), [rule], source);
}

function isQuiet(path: string, sources: readonly string[]): void {
  for (const source of sources) assert.deepEqual(fired(path, source), [], source);
}

const FILES = [
  `import * as fs from "node:fs";`,
  `import { open } from "node:fs/promises";`,
  `const fs = await import("node:fs");`,
  `export { readFileSync } from "node:fs";`,
  `Deno.readTextFileSync("x");`,
  `await Deno.open("x");`,
  `const w = Deno.writeFile;`,
  `Deno.makeTempDirSync();`,
  `Deno.lstatSync("x");`,
];
const PROGRAMS = [
  `new Deno.Command("git");`,
  `Deno.kill(1);`,
  `import { spawn } from "node:child_process";`,
];
const SQLITE = [`import { DatabaseSync } from "node:sqlite";`];
const YAML = [`import { load } from "js-yaml";`, `import type { Event } from "js-yaml";`];

Deno.test("one-door fires on files, programs, SQLite and YAML anywhere else", () => {
  for (const path of ["main.ts", "src/index/a.ts", "src/platform/a.ts", "src/cli/output.ts"]) {
    firesOnly("one-door", path, [...FILES, ...PROGRAMS, ...SQLITE, ...YAML]);
  }
});

Deno.test("one-door is quiet in the doors, for what each is the door of", () => {
  isQuiet("src/platform/files/a.ts", FILES);
  isQuiet("src/platform/process.ts", PROGRAMS);
  isQuiet("src/platform/sqlite/a.ts", SQLITE);
  isQuiet("src/platform/yaml/a.ts", YAML);
  firesOnly("one-door", "src/platform/yaml/a.ts", FILES);
  firesOnly("one-door", "src/platform/files/a.ts", SQLITE);
  isQuiet("src/index/a.ts", [
    `import { a } from "../platform/sqlite/mod.ts";`,
    `Deno.cwd(); Deno.removeSignalListener("SIGINT", f);`,
  ]);
});

Deno.test("one-door leaves tests and scripts alone", () => {
  for (const path of ["src/index/a_test.ts", "tests/fault/a.ts", "scripts/a.ts"]) {
    isQuiet(path, [...FILES, ...PROGRAMS, ...SQLITE, ...YAML]);
  }
});

const EDGES = [
  `Deno.exit(1);`,
  `Deno.exitCode = 1;`,
  `Deno.env.get("HOME");`,
  `Deno.stdout.writeSync(x);`,
  `console.log(1);`,
  `globalThis.x = 1; console.error;`,
  `prompt("x");`,
  `import process from "node:process";`,
];

Deno.test("edges-only fires on exit, printing and the environment inside logic", () => {
  for (const path of ["src/index/a.ts", "src/cli/run.ts", "src/platform/files/a.ts"]) {
    firesOnly("edges-only", path, EDGES);
  }
});

Deno.test("edges-only is quiet in main and the command line's output", () => {
  isQuiet("main.ts", EDGES);
  isQuiet("src/cli/output.ts", EDGES);
  isQuiet("src/cli/output_stream.ts", EDGES);
  isQuiet("src/index/a_test.ts", EDGES);
});

Deno.test("private-files fires on a private file or folder of another folder", () => {
  firesOnly("private-files", "src/index/a.ts", [
    `import { a } from "../index/sub/_b.ts";`,
    `import type { A } from "./sub/_b.ts";`,
    `export * from "./sub/_inner/b.ts";`,
    `const b = await import("./sub/_b.ts");`,
  ]);
  assert.deepEqual(fired("src/search/a.ts", `import { a } from "../index/_b.ts";`).sort(), [
    "folder-face",
    "private-files",
  ]);
});

Deno.test("private-files is quiet in the same folder, below it and in tests", () => {
  isQuiet("src/index/a.ts", [`import { a } from "./_b.ts";`, `import { a } from "./_in/b.ts";`]);
  isQuiet("src/index/_in/a.ts", [`import { a } from "../_b.ts";`]);
  isQuiet("src/index/in/a.ts", [`import { a } from "../_b.ts";`]);
  isQuiet("src/index/a_test.ts", [`import { a } from "../search/_b.ts";`]);
  isQuiet("tests/fault/a.ts", [`import { a } from "../../src/index/_b.ts";`]);
});

Deno.test("folder-face fires on a file inside of another area", () => {
  firesOnly("folder-face", "src/search/a.ts", [
    `import { a } from "../index/chunk_text.ts";`,
    `import type { A } from "../review/findings/model.ts";`,
    `const a = await import("../index/chunk_text.ts");`,
    `export { a } from "../platform/files/read_file.ts";`,
  ]);
});

Deno.test("folder-face is quiet for mod.ts, shared files, platform's files and the own area", () => {
  isQuiet("src/search/a.ts", [
    `import { a } from "../index/mod.ts";`,
    `import { a } from "../review/findings/mod.ts";`,
    `import type { Item } from "../knowledge/model.ts";`,
    `import { TheurianError } from "../platform/errors.ts";`,
    `import { a } from "./b/c.ts";`,
    `import { Ajv2020 } from "ajv/dist/2020.js";`,
  ]);
  isQuiet("src/search/paths/a.ts", [`import { a } from "../b.ts";`]);
  isQuiet("main.ts", [`import { run } from "./src/cli/run.ts";`]);
});

Deno.test("error-form fires on a message or remedy of another form", () => {
  firesOnly("error-form", "src/index/a.ts", [
    `new TheurianError("internal", "cannot do it", { remedy: "x" });`,
    `new TheurianError("internal", "Cannot do it.", { remedy: "x" });`,
    `new TheurianError("internal", "Cannot do it!", { remedy: "x" });`,
    "new TheurianError('internal', `cannot do ${it}`, { remedy: 'x' });",
    "new TheurianError('internal', `Cannot ${it}.`, { remedy: 'x' });",
    `new TheurianError("internal", "Cannot " + it + " now.", { remedy: "x" });`,
    `new TheurianError("internal", "Cannot do it", { remedy: " " });`,
    `new TheurianError("internal", "Cannot do it", {});`,
    `new TheurianError("internal", "Cannot do it");`,
  ]);
});

Deno.test("error-form is quiet on the house's form and on what is computed", () => {
  isQuiet("src/index/a.ts", [
    `new TheurianError("internal", "Cannot do it: why", { remedy: "Type this" });`,
    "new TheurianError('internal', `Cannot do ${it}`, { remedy });",
    "new TheurianError('internal', `${what} cannot be done`, { remedy: r(), exit: 4 });",
    `new TheurianError(fault, message, options);`,
    `new TheurianError("internal", message, { ...shared, exit: 1 });`,
    `new RangeError("anything.");`,
  ]);
});

Deno.test("file-size fires on more than 400 lines, except in tables", () => {
  const lines = (count: number) => "x();\n".repeat(count);
  assert.deepEqual(fired("src/index/a.ts", lines(401)), ["file-size"]);
  isQuiet("src/index/a.ts", [lines(400)]);
  isQuiet("src/index/words_table.ts", [lines(401)]);
  isQuiet("src/index/a_test.ts", [lines(401)]);
});

Deno.test("file-size fires on functions of more than 60 lines", () => {
  const body = (count: number) => "{\n" + "x();\n".repeat(count - 2) + "}";
  for (const head of ["function f() ", "const f = function () ", "const f = () => "]) {
    assert.deepEqual(fired("src/index/a.ts", head + body(61)), ["file-size"], head);
    isQuiet("src/index/a.ts", [head + body(60)]);
  }
  assert.deepEqual(fired("src/index/a.ts", `class A { m() ${body(61)} }`), ["file-size"]);
});
