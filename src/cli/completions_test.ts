import assert from "node:assert/strict";
import { GROUPS, loadCommands } from "./commands.ts";
import { completionTree } from "./completions/tree.ts";
import { runForTest } from "./test_world.ts";

async function script(shell: string): Promise<string> {
  const { exit, stdout, stderr } = await runForTest(["completions", shell], { environment: {} });
  assert.deepEqual([exit, stderr], [0, ""]);
  return stdout;
}

function output(program: string, args: string[], stdin?: string): string {
  const folder = Deno.makeTempDirSync({ prefix: "theurian-completions-" });
  try {
    const file = `${folder}/script`;
    if (stdin !== undefined) Deno.writeTextFileSync(file, stdin);
    const { code, stdout, stderr } = new Deno.Command(program, {
      args: args.map((arg) => arg.replace("{}", file)),
    }).outputSync();
    assert.equal(code, 0, new TextDecoder().decode(stderr));
    return new TextDecoder().decode(stdout);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

function isInstalled(program: string): boolean {
  try {
    return new Deno.Command(program, { args: ["--version"] }).outputSync().success;
  } catch {
    return false;
  }
}

Deno.test("completionTree() has a point for every word of every command", async () => {
  const paths = new Set((await completionTree(GROUPS)).map((node) => node.path));
  for (const { path } of await loadCommands()) {
    for (let i = 1; i <= path.length; i++) assert(paths.has(path.slice(0, i).join(" ")));
  }
  assert.equal(paths.has(""), true);
});

Deno.test("completions prints the script alone, or shell and script", async () => {
  const { stdout } = await runForTest(["completions", "bash", "--json"]);
  const document = JSON.parse(stdout);
  assert.deepEqual(Object.keys(document).sort(), ["script", "shell"]);
  assert.equal(document.script, await script("bash"));
});

Deno.test("completions of an unknown shell is a usage error", async () => {
  const { exit, stdout, stderr } = await runForTest(["completions", "tcsh"]);
  assert.deepEqual([exit, stdout], [2, ""]);
  assert.match(stderr, /must be one of bash, zsh, fish, powershell/);
});

Deno.test("no script holds a control character but the line feed", async () => {
  for (const shell of ["bash", "zsh", "fish", "powershell"]) {
    // deno-lint-ignore no-control-regex
    assert(!/[\u0000-\u0009\u000b-\u001f\u007f]/.test(await script(shell)), shell);
  }
});

Deno.test("bash completes commands, options and choices at every depth", async () => {
  const text = await script("bash");
  const complete = (...words: string[]) => {
    const line = `source {}; COMP_WORDS=(theurian ${
      words.map((word) => `'${word}'`).join(" ")
    }); COMP_CWORD=${words.length}; _theurian; echo "\${COMPREPLY[@]}"`;
    return output("bash", ["--norc", "-c", line], text).trim().split(" ");
  };
  assert(complete("").includes("project"));
  assert.deepEqual(complete("proj"), ["project"]);
  assert.deepEqual(complete("project", "reg"), ["register"]);
  assert.deepEqual(complete("project", "register", "--p"), ["--project-id"]);
  assert.deepEqual(complete("project", "register", "--project-id", "x"), [""]);
  assert.deepEqual(complete("completions", "f"), ["fish"]);
  assert.deepEqual(complete("propose", "--kind", "conv"), ["convention"]);
  assert(complete("compat", "check", "--").includes("--declaration"));
});

Deno.test("the scripts are sound for the shells that are here", async () => {
  for (
    const [shell, args] of [["bash", ["-n", "{}"]], ["zsh", ["-n", "{}"]], ["fish", [
      "-n",
      "{}",
    ]]] as const
  ) {
    if (isInstalled(shell)) output(shell, [...args], await script(shell));
  }
  if (isInstalled("shellcheck")) {
    output("shellcheck", ["--shell=bash", "--severity=warning", "{}"], await script("bash"));
  }
  if (isInstalled("fish")) {
    const line = "source {}; complete -C 'theurian project reg'";
    assert.match(output("fish", ["-N", "-c", line], await script("fish")), /^register\t/);
  }
});
