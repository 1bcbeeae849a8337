/**
 * The unit as systemd itself reads it, where systemd is installed: it need not run.
 *
 * @module
 */

import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { systemdUnit } from "./systemd_unit.ts";

const ANALYZE = "/usr/bin/systemd-analyze";
const IS_THERE = isThere(ANALYZE);
if (!IS_THERE) console.log("Not run: the unit against systemd itself, which is not installed");

function isThere(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}

/** What `systemd-analyze` says of a unit for an executable and a data directory below `root`. */
function analyze(root: string, name: string, args: readonly string[]) {
  const executable = join(root, name, "theurian");
  const dataDirectory = join(root, name, "data");
  Deno.mkdirSync(dataDirectory, { recursive: true });
  Deno.copyFileSync("/bin/true", executable);
  const unit = join(root, "theurian.service");
  Deno.writeTextFileSync(unit, systemdUnit({ executable, dataDirectory, port: 7419 }));
  const { code, stdout, stderr } = new Deno.Command(ANALYZE, {
    args: [...args, unit],
    cwd: dirname(unit),
    env: { XDG_RUNTIME_DIR: root },
  }).outputSync();
  const decoder = new TextDecoder();
  return { code, out: decoder.decode(stdout), err: decoder.decode(stderr) };
}

Deno.test({
  name: "systemd finds no fault in the unit, whatever the paths hold",
  ignore: !IS_THERE,
  fn() {
    const root = Deno.makeTempDirSync({ prefix: "setup-unit-" });
    try {
      for (const name of ["plain", "a b", "a$b", "a%n", "é", "#x", ";", "@", "a=b"]) {
        const { code, err } = analyze(root, name, ["verify", "--user"]);
        assert.deepEqual([code, err], [0, ""], name);
      }
    } finally {
      Deno.removeSync(root, { recursive: true });
    }
  },
});

Deno.test({
  name: "systemd would find a fault: the check above can fail",
  ignore: !IS_THERE,
  fn() {
    const root = Deno.makeTempDirSync({ prefix: "setup-unit-" });
    try {
      analyze(root, "plain", ["verify", "--user"]);
      const unit = join(root, "theurian.service");
      Deno.writeTextFileSync(
        unit,
        Deno.readTextFileSync(unit).replace("Type=simple", "ProtectHome=read-write"),
      );
      const { stderr } = new Deno.Command(ANALYZE, {
        args: ["verify", "--user", unit],
        env: { XDG_RUNTIME_DIR: root },
      }).outputSync();
      assert.match(new TextDecoder().decode(stderr), /protect home/i);
    } finally {
      Deno.removeSync(root, { recursive: true });
    }
  },
});

Deno.test({
  name: "systemd counts what the unit gives up",
  ignore: !IS_THERE,
  fn() {
    const root = Deno.makeTempDirSync({ prefix: "setup-unit-" });
    try {
      const { code, out } = analyze(root, "plain", ["security", "--offline=true", "--no-pager"]);
      assert.equal(code, 0);
      for (const name of ["NoNewPrivileges=", "RestrictSUIDSGID=", "LockPersonality="]) {
        assert.match(out, new RegExp(`✓ ${name}`), name);
      }
    } finally {
      Deno.removeSync(root, { recursive: true });
    }
  },
});
