import assert from "node:assert/strict";
import { join } from "node:path";
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

/** What each shell has to offer at these points: every word given, and none of the others. */
const POINTS: readonly (readonly [line: string, offered: string, absent: string])[] = [
  ["theurian proj", "project", "migrate"],
  ["theurian project ", "register unregister list status", "apply"],
  ["theurian project register --", "--project-id --json --help", "--limit"],
  ["theurian completions ", "bash zsh fish powershell", "tcsh"],
  ["theurian propose --kind c", "convention", "incident"],
  ["theurian propose acc", "accept", "discard"],
  [
    "theurian compat check --core-",
    "--core-minimum --core-maximum-exclusive --core-version",
    "--json",
  ],
  ["theurian compat check --declaration comp", "compatibility.yaml", "other.txt"],
];

/**
 * Prints what an interactive shell shows when TAB is pressed behind a line, twice, and the line as it
 * stands then.
 */
const DRIVER = `
zmodload zsh/zpty
zpty shell "$1"
zpty -w shell "$2"
local out
zpty -r -m shell out '*START-2*'
zpty -w -n shell "$3"$'\\t\\t'
sleep 1
zpty -w -n shell $'\\x01'"echo LINE "$'\\n'
zpty -w -n shell "echo END-\$((1+1))"$'\\n'
zpty -r -m shell out '*END-2*'
print -r -- "$out"
zpty -d shell
`;

function pressTab(folder: string, shell: "bash" | "zsh", line: string): string {
  const [start, prepare] = shell === "bash"
    ? [
      "bash --norc --noprofile -i",
      `PS1='> '; bind 'set enable-bracketed-paste off'; source ${folder}/script; cd ${folder}/files; ` +
      "echo START-$((1+1))",
    ]
    : [
      "zsh -f -i",
      `PS1='> '; unsetopt beep; autoload -Uz compinit; fpath=(${folder} $fpath); compinit -D -u; ` +
      `setopt no_list_ambiguous; cd ${folder}/files; echo START-$((1+1))`,
    ];
  const { code, stdout, stderr } = new Deno.Command("zsh", {
    args: ["-f", join(folder, "driver"), start, prepare, line],
    clearEnv: true,
    env: {
      PATH: Deno.env.get("PATH") ?? "",
      HOME: folder,
      TERM: shell === "bash" ? "xterm" : "dumb",
      COLUMNS: "200",
    },
    stdin: "null",
  }).outputSync();
  assert.equal(code, 0, new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout);
}

async function withScripts(shell: string, work: (folder: string) => void): Promise<void> {
  const folder = Deno.makeTempDirSync({ prefix: "theurian-completions-" });
  try {
    const text = await script(shell);
    Deno.writeTextFileSync(join(folder, shell === "zsh" ? "_theurian" : "script"), text);
    Deno.writeTextFileSync(join(folder, "driver"), DRIVER);
    Deno.mkdirSync(join(folder, "files"));
    for (const name of ["compatibility.yaml", "other.txt"]) {
      Deno.writeTextFileSync(join(folder, "files", name), "");
    }
    work(folder);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

for (const shell of ["bash", "zsh"] as const) {
  const ready = isInstalled(shell) && isInstalled("zsh");
  Deno.test({
    name: `an interactive ${shell} offers what can follow` +
      (ready ? "" : " (did not run: it wants zsh, whose pseudo-terminal presses the key)"),
    ignore: !ready,
    fn: () =>
      withScripts(shell, (folder) => {
        for (const [line, offered, absent] of POINTS) {
          const shown = pressTab(folder, shell, line);
          const words = shown.split(/\s+/);
          for (const word of offered.split(" ")) {
            assert(words.includes(word), `${line}: no ${word} in ${JSON.stringify(shown)}`);
          }
          assert(!words.includes(absent), `${line}: ${absent} in ${JSON.stringify(shown)}`);
        }
      }),
  });
}

Deno.test({
  name: "fish offers what can follow" + (isInstalled("fish") ? "" : " (did not run: it is absent)"),
  ignore: !isInstalled("fish"),
  fn: () =>
    withScripts("fish", (folder) => {
      for (const [line, offered, absent] of POINTS) {
        const { code, stdout, stderr } = new Deno.Command("fish", {
          args: ["-N", "-c", `source ${folder}/script; complete -C '${line}'`],
          cwd: join(folder, "files"),
          clearEnv: true,
          env: { PATH: Deno.env.get("PATH") ?? "", HOME: folder },
        }).outputSync();
        assert.equal(code, 0, new TextDecoder().decode(stderr));
        const words = new TextDecoder().decode(stdout).split("\n").map((row) =>
          row.split("\t")[0]!
        );
        for (const word of offered.split(" ")) assert(words.includes(word), `${line}: ${words}`);
        assert(!words.includes(absent), `${line}: ${words}`);
      }
    }),
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
});
