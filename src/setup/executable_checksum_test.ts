import assert from "node:assert/strict";
import { join } from "node:path";
import { sha256Hex } from "../platform/hash.ts";
import { newMachine } from "./_testing/machine.ts";
import { runDoctor } from "./doctor.ts";
import { checksumPath, verifyExecutable } from "./executable_checksum.ts";
import { runSetup } from "./run_setup.ts";
import { runUninstall } from "./uninstall.ts";

function place(): { executable: string; sums: string } & Disposable {
  const root = Deno.makeTempDirSync({ prefix: "setup-checksum-" });
  const executable = join(root, "theurian");
  Deno.writeTextFileSync(executable, "the program");
  const dispose = () => Deno.removeSync(root, { recursive: true });
  return { executable, sums: checksumPath(executable), [Symbol.dispose]: dispose };
}

Deno.test("verifyExecutable() compares with the line that the installer left", () => {
  using here = place();
  const digest = sha256Hex("the program");
  assert.deepEqual(verifyExecutable(here.executable), { kind: "unrecorded" });
  for (const line of [`${digest}  theurian\n`, `${digest} *theurian.exe\r\n`, `${digest}  x`]) {
    Deno.writeTextFileSync(here.sums, line);
    assert.deepEqual(verifyExecutable(here.executable), { kind: "same", digest });
  }
  const recorded = "0".repeat(64);
  Deno.writeTextFileSync(here.sums, `${recorded}  theurian\n`);
  assert.deepEqual(verifyExecutable(here.executable), { kind: "other", digest, recorded });
});

Deno.test("verifyExecutable() sees one changed byte anywhere in a file of many chunks", () => {
  using here = place();
  const bytes = new Uint8Array((9 << 20) + 7);
  Deno.writeFileSync(here.executable, bytes);
  Deno.writeTextFileSync(here.sums, `${sha256Hex(bytes)}  theurian\n`);
  assert.equal(verifyExecutable(here.executable).kind, "same");
  for (const at of [0, 4 << 20, bytes.length - 1]) {
    const changed = bytes.slice();
    changed[at] = 1;
    Deno.writeFileSync(here.executable, changed);
    assert.equal(verifyExecutable(here.executable).kind, "other", `${at}`);
  }
});

for (const text of ["", "no digest\n", `${"a".repeat(63)}  theurian\n`, `${"A".repeat(64)}  x\n`]) {
  Deno.test(`verifyExecutable() reads no checksum from ${JSON.stringify(text)}`, () => {
    using here = place();
    Deno.writeTextFileSync(here.sums, text);
    assert.deepEqual(verifyExecutable(here.executable), { kind: "malformed" });
  });
}

Deno.test("artifact-integrity tells a right, a wrong and an absent checksum apart", async () => {
  await using machine = newMachine();
  const world = await machine.world();
  await runSetup(world, { dryRun: false, approveConflicts: false });
  const sums = checksumPath(world.executable!);
  const look = async () => {
    const report = await runDoctor(world);
    const step = report.steps.find(({ id }) => id === "artifact-integrity")!;
    return { status: step.status, problems: report.problemCount, detail: step.detail };
  };
  assert.deepEqual(await look(), { status: "not-applicable", problems: 0, detail: "" });
  const digest = sha256Hex(Deno.readFileSync(world.executable!));
  Deno.writeTextFileSync(sums, `${digest}  theurian\n`);
  assert.equal((await look()).status, "satisfied");
  Deno.writeTextFileSync(world.executable!, "# changed\n", { append: true });
  const changed = await look();
  assert.deepEqual([changed.status, changed.problems], ["conflicting", 1]);
  assert.ok(changed.detail.includes(digest));
  Deno.removeSync(sums);
  Deno.symlinkSync("/etc/hostname", sums);
  assert.equal((await look()).status, "conflicting");
});

Deno.test("setup asks before it goes on with an executable that is not its release's", async () => {
  await using machine = newMachine();
  const world = await machine.world();
  Deno.writeTextFileSync(checksumPath(world.executable!), `${"0".repeat(64)}  theurian\n`);
  const asked = await runSetup(world, { dryRun: false, approveConflicts: false });
  assert.equal(asked.state, "awaiting-consent");
  assert.deepEqual(machine.listing(), []);
});

Deno.test("uninstall names what the installer put into place, and keeps it", async () => {
  await using machine = newMachine();
  const world = await machine.world();
  const sums = checksumPath(world.executable!);
  assert.ok(!(await runUninstall(world, true)).kept.includes(sums));
  Deno.writeTextFileSync(sums, "x");
  const { kept } = await runUninstall(world, false);
  assert.ok(kept.includes(world.executable!) && kept.includes(sums));
  assert.ok(Deno.statSync(sums).isFile && Deno.statSync(world.executable!).isFile);
});
