import assert from "node:assert/strict";
import { join } from "node:path";
import { isFault } from "./errors.ts";
import { grantFlags } from "./grants.ts";
import { endProgramsWithin, type ProcessRequest, runProcess } from "./process.ts";

const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const sh = (script: string, more: Partial<ProcessRequest> = {}) =>
  runProcess({ program: "sh", args: ["-c", script], cwd: "/", timeoutMs: 10_000, ...more });

/** Whether a process still runs; one that has ended but is not collected yet does not. */
async function runs(pid: string): Promise<boolean> {
  const { stdout } = await sh(`ps -o stat= -p ${pid} || true`);
  const state = decode(stdout).trim();
  return state !== "" && !state.startsWith("Z");
}

Deno.test("endProgramsWithin() ends a program before its own limit", async () => {
  endProgramsWithin(200);
  try {
    const start = performance.now();
    await assert.rejects(() => sh("sleep 30"), (error) => isFault(error, "process-timeout"));
    assert(performance.now() - start < 5_000);
  } finally {
    endProgramsWithin(Infinity);
  }
  assert.equal((await sh("exit 0")).code, 0);
});

Deno.test("runProcess() ends a git that hangs, though git is what ends programs", async () => {
  const folder = Deno.makeTempDirSync({ prefix: "theurian-process-" });
  try {
    Deno.writeTextFileSync(join(folder, "git"), "#!/bin/sh\nexec sleep 30\n", { mode: 0o755 });
    const script = join(import.meta.dirname!, "../../tests/support/hung_git_probe.ts");
    const start = performance.now();
    const { code, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "--quiet", "--no-check", ...grantFlags(), script],
      env: { PATH: `${folder}:/usr/bin:/bin` },
      signal: AbortSignal.timeout(20_000),
    }).output();
    assert.equal(code, 0, decode(stderr));
    assert(performance.now() - start < 10_000);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});

Deno.test("runProcess() gives output, errors and the exit code", async () => {
  const result = await sh("echo out; echo err >&2; exit 3");
  assert.deepEqual([result.code, decode(result.stdout), decode(result.stderr)], [
    3,
    "out\n",
    "err\n",
  ]);
});

Deno.test("runProcess() hands arguments over as they are, with no shell between", async () => {
  const args = ["%s|", "a b", "$HOME", ";exit", "", "-n", "'", "\n"];
  const result = await runProcess({ program: "printf", args, cwd: "/", timeoutMs: 10_000 });
  assert.equal(decode(result.stdout), "a b|$HOME|;exit||-n|'|\n|");
});

Deno.test("runProcess() feeds input, and takes a program that does not read it", async () => {
  const large = new Uint8Array(2_000_000).fill(0x61);
  assert.equal(decode((await sh("wc -c", { stdin: large })).stdout).trim(), "2000000");
  assert.equal((await sh("exit 0", { stdin: large })).code, 0);
  assert.equal(decode((await sh("cat")).stdout), "");
});

Deno.test("runProcess() passes on nothing of the environment but what is named", async () => {
  Deno.env.set("PLATFORM_TEST_SECRET", "secret");
  try {
    const { stdout } = await sh("env", {
      env: { GOOD: "1", LD_PRELOAD: "/x.so", DYLD_INSERT_LIBRARIES: "/x" },
    });
    const names = decode(stdout).trim().split("\n").map((line) => line.split("=")[0]!);
    assert.deepEqual(
      names.filter((name) => !["PWD", "OLDPWD", "SHLVL", "_", "HOME"].includes(name)).sort(),
      ["GOOD", "LC_ALL", "PATH"],
    );
  } finally {
    Deno.env.delete("PLATFORM_TEST_SECRET");
  }
});

Deno.test("runProcess() gives a program that gets only its own variables no other", async () => {
  const { stdout } = await runProcess({
    program: "/usr/bin/env",
    args: [],
    cwd: "/",
    timeoutMs: 10_000,
    env: { ONE: "1" },
    onlyEnv: true,
  });
  assert.equal(decode(stdout).trim(), "ONE=1");
});

Deno.test("runProcess() answers 127 when there is no such program", async () => {
  const request = { program: "no-such-program-here", args: [], cwd: "/", timeoutMs: 1000 };
  assert.equal((await runProcess(request)).code, 127);
});

Deno.test("runProcess() refuses a folder that is not there and a file that is no program", async () => {
  const failed = (error: unknown) => isFault(error, "process-failed");
  await assert.rejects(sh("true", { cwd: "/no/such/folder" }), failed);
  await assert.rejects(
    runProcess({ program: "/etc/passwd", args: [], cwd: "/", timeoutMs: 1000 }),
    failed,
  );
});

Deno.test("runProcess() ends the whole process group at the time limit", async () => {
  const folder = Deno.makeTempDirSync({ prefix: "platform-process-" });
  try {
    const started = performance.now();
    await assert.rejects(
      sh(`sleep 60 & echo $! > pids; sh -c 'echo $$ >> pids; sleep 60' & echo $$ >> pids; wait`, {
        cwd: folder,
        timeoutMs: 400,
      }),
      (error) => isFault(error, "process-timeout"),
    );
    assert.ok(performance.now() - started < 5000);
    const pids = Deno.readTextFileSync(`${folder}/pids`).trim().split("\n");
    assert.equal(pids.length, 3);
    for (const pid of pids) assert.equal(await runs(pid), false, pid);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});

Deno.test("runProcess() ends a program that prints beyond the limit, and takes the limit itself", async () => {
  const limit = 100_000;
  const exact = await sh(`head -c ${limit} /dev/zero`, { maxOutputBytes: limit });
  assert.equal(exact.stdout.length, limit);
  for (const script of ["yes", "yes >&2"]) {
    await assert.rejects(
      sh(script, { maxOutputBytes: limit }),
      (error) => isFault(error, "process-output"),
    );
  }
});

Deno.test("runProcess() ends the program when its own process is interrupted", async () => {
  const probe = new URL("../../tests/support/interrupt_probe.ts", import.meta.url).pathname;
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    const child = new Deno.Command(Deno.execPath(), {
      args: ["run", "--no-prompt", "--allow-read", "--allow-run=git", probe],
      stdout: "piped",
      stderr: "inherit",
    }).spawn();
    const output = new Response(child.stdout).text();
    await new Promise((resolve) => setTimeout(resolve, 700));
    child.kill(signal);
    const { fault, group } = JSON.parse(await output);
    assert.equal((await child.status).code, 130);
    assert.equal(fault, "interrupted");
    assert.ok(group.length >= 1);
    for (const pid of group) assert.equal(await runs(pid), false, pid);
  }
});

Deno.test("the process group is ended under the flags that are shipped", async () => {
  const child = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--no-prompt",
      "--allow-read",
      "--allow-run=git",
      new URL("../../tests/support/end_group_probe.ts", import.meta.url).pathname,
    ],
  }).output();
  const { fault, group, direct } = JSON.parse(decode(child.stdout));
  assert.equal(direct, "NotCapable", "the probe must not be able to signal a group by itself");
  assert.equal(fault, "process-timeout");
  assert.ok(group.length >= 2, "the probe must have found its own children");
  for (const pid of group) assert.equal(await runs(pid), false, pid);
});
