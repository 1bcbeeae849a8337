/**
 * A home that is read-only and a disk that is full, met by the program itself. Each runs in a mount
 * namespace of its own, which needs root.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { freePort, isHealthy } from "../../scripts/daemon.ts";
import { findProgram } from "../../scripts/program.ts";
import { whereIs } from "../support/installer.ts";

const PROGRAM = findProgram();
const CAN_MOUNT = canMount();
if (!CAN_MOUNT) {
  console.log("Not run: read-only homes and full disks, since nothing can be mounted");
}

function canMount(): boolean {
  if (PROGRAM.prefix.length > 0 || whereIs("unshare") === null) return false;
  const args = ["--mount", "mount", "-t", "tmpfs", "tmpfs", "/mnt"];
  return new Deno.Command("unshare", { args, stderr: "null" }).outputSync().success;
}

interface Place extends Disposable {
  readonly root: string;
  readonly home: string;
  readonly data: string;
}

function newPlace(): Place {
  const root = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "daemon-disk-" }));
  const home = join(root, "home");
  for (const directory of [home, join(root, "bin"), join(root, "out")]) {
    Deno.mkdirSync(directory, { mode: 0o700 });
  }
  const dispose = () => Deno.removeSync(root, { recursive: true });
  return { root, home, data: join(home, ".theurian"), [Symbol.dispose]: dispose };
}

/** The shell line of a command; its outcome lands in the place's `out` folder under a name. */
function command(place: Place, name: string, line: string): string {
  const out = join(place.root, "out", name);
  return `cd '${place.root}'; env -i HOME='${place.home}' PATH='${place.root}/bin' ` +
    `'${PROGRAM.command}' ${line} --json > '${out}.out' 2> '${out}.err' && e=0 || e=$?; echo $e > '${out}.exit'`;
}

/** Runs shell lines in a mount namespace of their own. */
async function inNamespace(lines: readonly string[]): Promise<void> {
  const { code, stderr } = await new Deno.Command("unshare", {
    args: ["--mount", "sh", "-ec", lines.join("\n")],
  }).output();
  assert.equal(code, 0, new TextDecoder().decode(stderr));
}

function outcome(place: Place, name: string) {
  const text = (what: string) => Deno.readTextFileSync(join(place.root, "out", `${name}.${what}`));
  const document = (what: string) => text(what) === "" ? null : JSON.parse(text(what));
  return { exit: Number(text("exit")), out: document("out"), err: document("err") };
}

function readOnly({ home }: Place): string {
  return `mount --bind '${home}' '${home}'; mount -o remount,ro,bind '${home}'`;
}

/** A small disk at the home, filled to the last byte. */
function smallDisk({ home }: Place): string {
  return `mount -t tmpfs -o size=64k,mode=700 tmpfs '${home}'`;
}

function fill({ home }: Place): string {
  return `dd if=/dev/zero of='${home}/fill' bs=1k count=100 2> /dev/null || true`;
}

Deno.test({
  name: "a read-only home: every command refuses by name, and what only reads still answers",
  ignore: !CAN_MOUNT,
  async fn() {
    using place = newPlace();
    const port = freePort();
    await inNamespace([
      readOnly(place),
      command(place, "setup", `setup --port ${port}`),
      command(place, "start", `daemon start --foreground --port ${port}`),
      command(place, "rotate", "auth rotate"),
      command(place, "doctor", `doctor --port ${port}`),
      command(place, "status", `daemon status --port ${port}`),
      command(place, "auth", "auth status"),
      command(place, "list", "project list"),
    ]);
    const setup = outcome(place, "setup");
    assert.deepEqual([setup.exit, setup.err, setup.out.state], [1, null, "halted"]);
    assert.deepEqual(setup.out.changedPaths, []);
    const failed = setup.out.steps.find(({ id }: { id: string }) => id === "data-directory");
    assert.equal(failed.outcome, "failed");
    assert.match(failed.detail, /read-only/);
    for (const name of ["start", "rotate"]) {
      const { exit, out, err } = outcome(place, name);
      assert.deepEqual([exit, out], [1, null], name);
      assert.match(err.error, /read-only/);
      assert.notEqual(err.remedy, "");
    }
    assert.match(outcome(place, "rotate").err.error, /nothing was changed/);
    assert.equal(outcome(place, "doctor").out.healthy, false);
    for (const name of ["status", "auth", "list"]) assert.equal(outcome(place, name).exit, 0, name);
    assert.deepEqual([...Deno.readDirSync(place.home)], []);
  },
});

Deno.test({
  name: "a home that became read-only: setup has nothing to do, rotation keeps the old token",
  ignore: !CAN_MOUNT,
  async fn() {
    using place = newPlace();
    const port = freePort();
    await inNamespace([
      command(place, "first", `setup --port ${port}`),
      readOnly(place),
      command(place, "setup", `setup --port ${port}`),
      command(place, "start", `daemon start --foreground --port ${port}`),
      command(place, "rotate", "auth rotate"),
    ]);
    const token = Deno.readTextFileSync(join(place.data, "auth/mcp-token"));
    assert.match(token, /^[\w-]{43}$/);
    assert.deepEqual(outcome(place, "setup").out.changedPaths, []);
    assert.equal(outcome(place, "setup").exit, 0);
    assert.match(outcome(place, "start").err.error, /daemon\.lock.*read-only/);
    assert.match(outcome(place, "rotate").err.error, /nothing was changed.*read-only/);
  },
});

Deno.test({
  name:
    "a full disk before setup: halted by name, no half token, and setup goes on when there is room",
  ignore: !CAN_MOUNT,
  async fn() {
    using place = newPlace();
    const port = freePort();
    const list = (name: string) =>
      `find '${place.home}' -type f -size +0 > '${place.root}/out/${name}'`;
    await inNamespace([
      smallDisk(place),
      fill(place),
      command(place, "setup", `setup --port ${port}`),
      command(place, "start", `daemon start --foreground --port ${port}`),
      command(place, "rotate", "auth rotate"),
      list("full"),
      `rm '${place.home}/fill'`,
      command(place, "again", `setup --port ${port}`),
      `cp '${place.data}/auth/mcp-token' '${place.root}/out/token'`,
    ]);
    const setup = outcome(place, "setup");
    assert.deepEqual([setup.exit, setup.out.state], [1, "halted"]);
    assert.ok(setup.out.warnings.some((text: string) => /disk is full/.test(text)));
    for (const name of ["start", "rotate"]) {
      const { exit, out, err } = outcome(place, name);
      assert.deepEqual([exit, out], [1, null], name);
      assert.match(err.error, /mcp-token: the disk is full/);
      assert.match(err.remedy, /df -h/);
    }
    const left = Deno.readTextFileSync(join(place.root, "out/full"));
    assert.equal(left, `${place.home}/fill\n`, "no half file of ours");
    assert.equal(outcome(place, "again").out.state, "degraded");
    assert.match(Deno.readTextFileSync(join(place.root, "out/token")), /^[\w-]{43}$/);
  },
});

Deno.test({
  name: "a disk that fills up: the token stays whole, the daemon starts and serves",
  ignore: !CAN_MOUNT,
  async fn() {
    using place = newPlace();
    const port = freePort();
    const copy = (name: string) => `cp '${place.data}/auth/mcp-token' '${place.root}/out/${name}'`;
    const daemon = command(place, "start", `daemon start --foreground --port ${port}`);
    const serving = inNamespace([
      smallDisk(place),
      command(place, "setup", `setup --port ${port}`),
      copy("before"),
      fill(place),
      command(place, "rotate", "auth rotate"),
      copy("after"),
      `(${daemon}) & while [ ! -e '${place.root}/out/stop' ]; do sleep 0.05; done`,
      `kill $(ps -o pid= --ppid $! | head -n 1); wait`,
    ]);
    const deadline = performance.now() + 15_000;
    while (!await isHealthy(port) && performance.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const healthy = await isHealthy(port);
    Deno.writeTextFileSync(join(place.root, "out/stop"), "");
    await serving;
    assert.ok(healthy, JSON.stringify(outcome(place, "start")));
    assert.deepEqual([outcome(place, "start").exit, outcome(place, "start").err], [0, null]);
    const { exit, err } = outcome(place, "rotate");
    assert.equal(exit, 1);
    assert.match(err.error, /nothing was changed.*disk is full/);
    const token = (name: string) => Deno.readTextFileSync(join(place.root, "out", name));
    assert.equal(token("after"), token("before"));
  },
});
