/**
 * The executable as a process: streams, exit codes, a reader that goes away. Uses the compiled binary
 * where `THEURIAN_BINARY` names one, else the source under the same flags.
 *
 * @module
 */

import assert from "node:assert/strict";
import { grantFlags } from "../../src/platform/grants.ts";

const MAIN = new URL("../../main.ts", import.meta.url).pathname;
const named = Deno.env.get("THEURIAN_BINARY");
const BINARY = named === "source" ? undefined : named;

function words(args: readonly string[]): [string, ...string[]] {
  return BINARY === undefined
    ? [Deno.execPath(), "run", "--quiet", "--no-check", ...grantFlags(), MAIN, ...args]
    : [BINARY, ...args];
}

function command(words: readonly string[], options: Deno.CommandOptions = {}): Deno.Command {
  const [program, ...args] = words;
  const env = {
    HOME: "/nonexistent",
    PATH: Deno.env.get("PATH") ?? "",
    // The runtime finds its cache of libraries through the home directory.
    ...(BINARY === undefined ? { DENO_DIR: cacheDirectory() } : {}),
    ...options.env,
  };
  return new Deno.Command(program!, { ...options, args, env, clearEnv: true });
}

function cacheDirectory(): string {
  return Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`;
}

function run(args: readonly string[], options: Deno.CommandOptions = {}) {
  return outputOf(words(args), options);
}

async function outputOf(program: readonly string[], options: Deno.CommandOptions) {
  const { code, stdout, stderr } = await command(program, options).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  const lines = text(stderr).split("\n").filter((line) => !line.includes("Failed to resolve"));
  return { code, stdout: text(stdout), stderr: lines.join("\n") };
}

Deno.test("version is the same text under any locale, time zone, width or directory", async () => {
  const plain = await run(["version", "--json"]);
  assert.deepEqual([plain.code, plain.stderr], [0, ""]);
  const env = {
    LANG: "ja_JP.UTF-8",
    TZ: "Asia/Tokyo",
    COLUMNS: "20",
    NO_COLOR: "",
    FORCE_COLOR: "1",
  };
  const other = await run(["version", "--json"], { env, cwd: "/proc" });
  assert.equal(other.stdout, plain.stdout);
  assert.equal(other.code, 0);
});

Deno.test("help goes to stdout with 0, and to stderr with 2 when nothing was asked", async () => {
  const asked = await run(["--help"]);
  assert.deepEqual([asked.code, asked.stderr], [0, ""]);
  const bare = await run([]);
  assert.deepEqual([bare.code, bare.stdout], [2, ""]);
  assert.equal(bare.stderr, asked.stdout);
});

Deno.test("no output holds an escape character, whatever the terminal asks for", async () => {
  const env = { FORCE_COLOR: "3", CLICOLOR_FORCE: "1", TERM: "xterm-256color" };
  for (const args of [["--help"], ["bogus"], ["version"], ["project", "list"]]) {
    const { stdout, stderr } = await run(args, { env });
    assert(!(stdout + stderr).includes("\u001b"));
  }
});

Deno.test("a reader that closes early ends the command quietly, and not with 0", async () => {
  const child = command(words(["--help"]), { stdout: "piped", stderr: "piped" }).spawn();
  await child.stdout.cancel();
  const { code } = await child.status;
  const stderr = await new Response(child.stderr).text();
  assert(!/error|panic|BrokenPipe|at file/.test(stderr), stderr);
  assert.notEqual(code, 0);
});

Deno.test("an interrupt ends a waiting command with 130 and no part of a document", async () => {
  const folder = Deno.makeTempDirSync({ prefix: "theurian-interrupt-" });
  const data = `${folder}/data`;
  Deno.mkdirSync(data);
  const lock = Deno.openSync(`${data}/registry.lock`, { create: true, write: true });
  await lock.lock(true);
  new Deno.Command("git", { args: ["init", "-q", folder] }).outputSync();
  const child = command(words(["project", "register", "--json"]), {
    cwd: folder,
    stdout: "piped",
    stderr: "piped",
    env: { THEURIAN_DATA_DIR: data },
  }).spawn();
  await new Promise((done) => setTimeout(done, 1_500));
  child.kill("SIGINT");
  const { code, stdout } = await child.output();
  assert.deepEqual([code, stdout.length], [130, 0]);
  lock.close();
  Deno.removeSync(folder, { recursive: true });
});

Deno.test("the port is the flag's, whatever THEURIAN_PORT says", async () => {
  const env = { THEURIAN_PORT: "17999", THEURIAN_HOST: "192.0.2.1" };
  const { code, stdout } = await run(["daemon", "status", "--json"], { env });
  assert.equal(code, 0);
  assert.equal(JSON.parse(stdout).endpoint, "http://127.0.0.1:7419/mcp");
});

Deno.test("an empty PATH is named where Git is needed, and asks nothing of the rest", async () => {
  const folder = Deno.makeTempDirSync({ prefix: "theurian-path-" });
  const options = { cwd: folder, env: { PATH: "", THEURIAN_DATA_DIR: `${folder}/data` } };
  new Deno.Command("git", { args: ["init", "-q", folder] }).outputSync();
  const { code, stdout, stderr } = await run(["migrate", "status", "--json"], options);
  assert.deepEqual([code, stdout], [1, ""]);
  const { error, remedy } = JSON.parse(stderr);
  assert.match(error, /git: it was not on the PATH/);
  assert.match(remedy, /^Set PATH/);
  const status = await run(["project", "status", "--json"], options);
  assert.equal(status.code, 0);
  assert.equal(JSON.parse(status.stdout).registered, null);
  Deno.removeSync(folder, { recursive: true });
});

Deno.test({
  name: "what a waiting command is at shows on a terminal, and never in a pipe",
  ignore: new Deno.Command("sh", { args: ["-c", "command -v script"] }).outputSync().code !== 0,
  fn: async () => {
    const folder = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "theurian-progress-" }));
    const options = { cwd: folder, env: { THEURIAN_DATA_DIR: `${folder}/data` } };
    new Deno.Command("git", { args: ["init", "-q", folder] }).outputSync();
    await run(["init"], options);
    const path = `${folder}/.theurian/runtime/write.lock`;
    const apply = words(["migrate", "apply", "--allow-uncommitted", "--json"]);
    const quoted = apply.map((word) => `'${word}'`).join(" ");
    const outcome = async (program: readonly string[]) => {
      const lock = Deno.openSync(path, { create: true, write: true });
      await lock.lock(true);
      setTimeout(() => lock.close(), 2_000);
      const { stdout, stderr } = await outputOf(program, { ...options, stdin: "null" });
      return stdout + stderr;
    };
    const terminal = await outcome([
      ..."script --quiet --return --command".split(" "),
      `${quoted} > '${folder}/document'`,
      "/dev/null",
    ]);
    assert.match(terminal, /\rWaiting for the write lock/);
    assert.match(terminal, /\r *\r$/, "the line is taken back");
    JSON.parse(Deno.readTextFileSync(`${folder}/document`));
    Deno.removeSync(`${folder}/.theurian/state`, { recursive: true });
    JSON.parse(await outcome(apply));
    Deno.removeSync(folder, { recursive: true });
  },
});
