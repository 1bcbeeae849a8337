/**
 * `compat check` as the executable that ships: what it touches on the machine, and how fast it
 * starts beside another implementation (compat.md section 1).
 *
 * The other implementation is named by `THEURIAN_PEER`; without it, without `strace` or without an
 * executable the tests say so and do not run.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { findProgram } from "../../scripts/program.ts";

const program = findProgram();
const isExecutable = program.prefix.length === 0;
const peer = Deno.env.get("THEURIAN_PEER") ?? "";

const FLAGS = [
  ...["compat", "check", "--plugin-version", "0.2.1", "--core-minimum", "0.5.0"],
  ...["--core-maximum-exclusive", "0.7.0", "--protocol-version", "theurian/v1", "--json"],
];
const DECLARATION = "pluginVersion: 0.1.0\ncoreCompatibility:\n  minimum: 0.6.0-dev.0\n" +
  "  maximumExclusive: 0.7.0\nprotocolVersion: theurian/v1\n";

/** What any program on this runtime opens before it runs a line of ours, all of it read only. */
const RUNTIME =
  /^\/(?:proc\/|sys\/|lib|usr\/lib|etc\/(?:ld\.so|localtime|nsswitch|host)|dev\/(?:null|u?random))/;

function hasStrace(): boolean {
  try {
    return new Deno.Command("strace", { args: ["-V"], stdout: "null", stderr: "null" })
      .outputSync().success;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/** Lines of system calls on files, sockets and processes of one run. */
function traced(folder: string, args: readonly string[]): string[] {
  const log = join(folder, "..", `${folder.split("/").at(-1)}.trace`);
  try {
    const { success, stderr } = new Deno.Command("strace", {
      args: [
        ...["-f", "-qq", "-e", "trace=%file,%network,%process", "-o", log],
        ...["-E", "PATH=/nowhere", "-E", `HOME=${folder}`, program.command, ...args],
      ],
      cwd: folder,
      clearEnv: true,
      env: { PATH: Deno.env.get("PATH") ?? "" },
    }).outputSync();
    assert(success, new TextDecoder().decode(stderr));
    return Deno.readTextFileSync(log).split("\n").map((line) => line.replace(/^\d+\s+/, ""));
  } finally {
    Deno.removeSync(log);
  }
}

/** Paths that were opened and are none of the runtime's own. */
function opened(lines: readonly string[]): string[] {
  const paths: string[] = [];
  for (const line of lines) {
    const [, path, flags] = /^open(?:at)?\((?:AT_FDCWD, )?"([^"]*)", ([A-Z_|0-9]+)/.exec(line) ??
      [];
    if (path === undefined || / = -1 /.test(line)) continue;
    assert(path === "/dev/null" || !/WRONLY|RDWR|CREAT|TRUNC|APPEND/.test(flags!), line);
    if (!RUNTIME.test(path) && path !== program.command) paths.push(path);
  }
  return [...new Set(paths)];
}

const canTrace = isExecutable && hasStrace();
Deno.test({
  name: "compat check reads the declaration alone, writes, starts and connects to nothing" +
    (canTrace ? "" : " (did not run: it wants strace and an executable)"),
  ignore: !canTrace,
  fn: () => {
    const folder = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "theurian-compat-" }));
    try {
      Deno.writeTextFileSync(join(folder, "it.yaml"), DECLARATION);
      // The trace is seen to catch a command that reads more.
      const registry = join(folder, ".theurian/projects.json");
      Deno.mkdirSync(join(folder, ".theurian"));
      Deno.writeTextFileSync(registry, "{}");
      assert.deepEqual(opened(traced(folder, ["project", "list"])), [registry]);
      const byFlags = traced(folder, FLAGS);
      assert.deepEqual(opened(byFlags), []);
      const byFile = traced(folder, ["compat", "check", "--declaration", "it.yaml", "--json"]);
      assert.deepEqual(opened(byFile), [join(folder, "it.yaml")]);
      for (const lines of [byFlags, byFile]) {
        assert(lines.length > 10);
        assert.equal(lines.filter((line) => /^execve/.test(line)).length, 1);
        const forbidden =
          /^(?:connect|bind|listen|sendto|socket\((?!AF_UNIX)|mkdir|rmdir|unlink|rename|link|symlink|chmod|fchmodat|truncate|creat|kill|tgkill)/;
        assert.deepEqual(lines.filter((line) => forbidden.test(line)), []);
      }
      assert.deepEqual([...Deno.readDirSync(folder)].map(({ name }) => name).sort(), [
        ".theurian",
        "it.yaml",
      ]);
    } finally {
      Deno.removeSync(folder, { recursive: true });
    }
  },
});

const RUNS = 15;
const canCompare = isExecutable && peer !== "";
Deno.test({
  name: "compat check takes at most a fifth of the other implementation's time" +
    (canCompare ? "" : " (did not run: THEURIAN_PEER names none, or there is no executable)"),
  ignore: !canCompare,
  fn: () => {
    const folder = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "theurian-compat-" }));
    try {
      const time = (command: string) => {
        const start = performance.now();
        const { code } = new Deno.Command(command, {
          args: FLAGS,
          cwd: folder,
          clearEnv: true,
          env: { HOME: folder, PATH: "/usr/bin:/bin", THEURIAN_DATA_DIR: join(folder, "data") },
        }).outputSync();
        assert.equal(code, 0);
        return performance.now() - start;
      };
      const median = (list: number[]) => list.sort((a, b) => a - b)[list.length >> 1]!;
      time(program.command);
      time(peer);
      // In turns, so that both meet the same machine.
      const pairs = Array.from(
        { length: RUNS },
        () => [time(program.command), time(peer)] as const,
      );
      const ours = median(pairs.map(([a]) => a));
      const theirs = median(pairs.map(([, b]) => b));
      console.log(
        `start of compat check: ${ours.toFixed(0)} ms against ${theirs.toFixed(0)} ms, ` +
          `ratio ${(ours / theirs).toFixed(3)}`,
      );
      assert(ours <= theirs / 5);
    } finally {
      Deno.removeSync(folder, { recursive: true });
    }
  },
});
