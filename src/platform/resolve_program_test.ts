import assert from "node:assert/strict";
import { inheritedVariables, resolveProgram, setProgramEnvironment } from "./resolve_program.ts";

/** Runs with a search path of two folders, of which the first one holds what is no program. */
function withPrograms(work: (first: string, second: string) => void): void {
  const folder = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "platform-programs-" }));
  const [first, second] = [`${folder}/first`, `${folder}/second`] as const;
  try {
    Deno.mkdirSync(`${first}/tool`, { recursive: true });
    Deno.writeTextFileSync(`${first}/plain`, "", { mode: 0o644 });
    Deno.mkdirSync(second);
    for (const name of ["tool", "plain", "only"]) {
      Deno.writeTextFileSync(`${second}/${name}`, "#!/bin/sh\n", { mode: 0o755 });
    }
    Deno.symlinkSync("only", `${second}/linked`);
    setProgramEnvironment({ path: `relative:.:${first}::${second}`, home: folder });
    work(first, second);
  } finally {
    setProgramEnvironment({ path: "" });
    Deno.removeSync(folder, { recursive: true });
  }
}

Deno.test("resolveProgram() takes the first executable file, links as found, no relative folder", () => {
  withPrograms((_first, second) => {
    assert.equal(resolveProgram("tool"), `${second}/tool`);
    assert.equal(resolveProgram("plain"), `${second}/plain`);
    assert.equal(resolveProgram("linked"), `${second}/linked`);
    assert.equal(resolveProgram("none"), null);
  });
});

Deno.test("resolveProgram() never runs what lies in the current directory", () => {
  withPrograms((_first, second) => {
    // In a process of its own: the tests beside this one share the directory.
    const module = new URL("./resolve_program.ts", import.meta.url).href;
    const { stdout } = new Deno.Command(Deno.execPath(), {
      args: [
        "eval",
        `const { resolveProgram, setProgramEnvironment } = await import(${JSON.stringify(module)});
         setProgramEnvironment({ path: ".:" });
         console.log(JSON.stringify(resolveProgram("only")));`,
      ],
      cwd: second,
      stderr: "inherit",
    }).outputSync();
    assert.equal(new TextDecoder().decode(stdout).trim(), "null");
  });
});

Deno.test("setProgramEnvironment() hands no relative folder on to programs", () => {
  withPrograms((first, second) => {
    assert.equal(inheritedVariables()["PATH"], `${first}:${second}`);
  });
});

Deno.test("resolveProgram() looks a name up once and forgets when the environment is set", () => {
  withPrograms((first, second) => {
    assert.equal(resolveProgram("only"), `${second}/only`);
    Deno.writeTextFileSync(`${first}/only`, "", { mode: 0o755 });
    assert.equal(resolveProgram("only"), `${second}/only`);
    setProgramEnvironment({ path: first });
    assert.equal(resolveProgram("only"), `${first}/only`);
  });
});

Deno.test("setProgramEnvironment() with an empty path keeps the usual places", () => {
  setProgramEnvironment({ path: "" });
  assert.match(inheritedVariables()["PATH"]!, /\/usr\/bin/);
  assert.equal(inheritedVariables()["HOME"], undefined);
  assert.notEqual(resolveProgram("sh"), null);
});
