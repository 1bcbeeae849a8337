/**
 * The service under a real systemd, for a real user: set up, killed, stopped, started, removed.
 * THEURIAN_SYSTEMD_ROOT names the root of a bare system that boots (docs/release.md says how to make
 * one); it is booted in a container, by root.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { findProgram } from "../../scripts/program.ts";

const ROOT = Deno.env.get("THEURIAN_SYSTEMD_ROOT") ?? "";
const PROGRAM = findProgram();
const CAN_RUN = ROOT !== "" && PROGRAM.prefix.length === 0;
if (!CAN_RUN) {
  console.log("Not run: the service under a real systemd; THEURIAN_SYSTEMD_ROOT names none");
}

/** What is run in the container, one name and one line each, as a user of its own. */
const LINES: readonly (readonly [name: string, line: string])[] = [
  ["setup", "theurian setup --json"],
  ["again", "theurian setup --json"],
  ["enabled", "systemctl --user is-enabled theurian.service"],
  ["doctor", "theurian doctor --json"],
  ["verify", "systemd-analyze verify --user .config/systemd/user/theurian.service"],
  ["kill", "kill -9 $(systemctl --user show -p MainPID --value theurian.service); sleep 7"],
  ["revived", "theurian daemon status --json"],
  ["logs", "theurian daemon logs --json"],
  ["stop", "theurian daemon stop --json"],
  ["stopped", "theurian daemon status --json"],
  ["start", "theurian daemon start --json"],
  ["rotate", "theurian auth rotate --json"],
  ["restart", "theurian daemon restart --json"],
  ["uninstall", "theurian uninstall --json"],
  ["gone", "theurian daemon status --json"],
  ["odd", "THEURIAN_DATA_DIR='/home/prover/my 100%h data' theurian setup --json"],
  ["oddStatus", "theurian daemon status --json"],
  ["oddGone", "theurian uninstall --json && rm -r 'my 100%h data'"],
  ["left", "find . -mindepth 1 -not -path './.theurian/*' -newer /proof/started"],
];

const UNIT = `[Unit]
After=user@1234.service systemd-user-sessions.service
Wants=user@1234.service

[Service]
Type=oneshot
ExecStart=/bin/sh /proof/run.sh

[Install]
WantedBy=multi-user.target
`;

const SCRIPT = `#!/bin/sh
i=0
while [ ! -S /run/user/1234/bus ] && [ $i -lt 30 ]; do i=$((i + 1)); sleep 1; done
touch /proof/started
sleep 1
while IFS='\t' read -r name line; do
  setpriv --reuid=1234 --regid=1234 --init-groups env -i HOME=/home/prover \\
    PATH=/usr/local/bin:/usr/bin:/bin XDG_RUNTIME_DIR=/run/user/1234 \\
    sh -c "cd /home/prover && $line" > "/proof/$name.out" 2> "/proof/$name.err" < /dev/null
  echo $? > "/proof/$name.exit"
done < /proof/lines
touch /proof/done
`;

function prepare(): void {
  const put = (path: string, text: string) => Deno.writeTextFileSync(join(ROOT, path), text);
  const run = (...args: string[]) =>
    new Deno.Command("chroot", { args: [ROOT, ...args], stderr: "null" }).outputSync();
  Deno.mkdirSync(join(ROOT, "proof"));
  run("useradd", "--create-home", "--uid", "1234", "--shell", "/bin/sh", "prover");
  Deno.mkdirSync(join(ROOT, "var/lib/systemd/linger"), { recursive: true });
  put("var/lib/systemd/linger/prover", "");
  put("proof/run.sh", SCRIPT);
  put("proof/lines", LINES.map(([name, line]) => `${name}\t${line}\n`).join(""));
  put("etc/systemd/system/proof.service", UNIT);
  Deno.mkdirSync(join(ROOT, "etc/systemd/system/multi-user.target.wants"), { recursive: true });
  const wanted = join(ROOT, "etc/systemd/system/multi-user.target.wants/proof.service");
  Deno.symlinkSync("/etc/systemd/system/proof.service", wanted);
  Deno.copyFileSync(PROGRAM.command, join(ROOT, "usr/local/bin/theurian"));
}

function cleanUp(): void {
  new Deno.Command("chroot", { args: [ROOT, "userdel", "--remove", "prover"], stderr: "null" })
    .outputSync();
  for (
    const path of [
      "proof",
      "etc/systemd/system/proof.service",
      "etc/systemd/system/multi-user.target.wants/proof.service",
      "var/lib/systemd/linger/prover",
      "usr/local/bin/theurian",
    ]
  ) {
    try {
      Deno.removeSync(join(ROOT, path), { recursive: true });
    } catch {
      // Not there.
    }
  }
}

/** Boots the system and waits until everything was run. */
async function boot(): Promise<void> {
  const child = new Deno.Command("systemd-nspawn", {
    args: ["--quiet", "-D", ROOT, "--register=no", "--keep-unit", "--boot"],
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  const deadline = performance.now() + 120_000;
  while (performance.now() < deadline && !isThere(join(ROOT, "proof/done"))) {
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  child.kill("SIGTERM"); // Asks the system inside to power off.
  const insist = setTimeout(() => child.kill("SIGKILL"), 30_000);
  await child.status;
  clearTimeout(insist);
}

function isThere(path: string): boolean {
  try {
    Deno.statSync(path);
    return true;
  } catch {
    return false;
  }
}

Deno.test({
  name: "a user's systemd installs, restarts, stops, starts and forgets the service",
  ignore: !CAN_RUN,
  async fn() {
    cleanUp();
    prepare();
    try {
      await boot();
      const text = (name: string, what: string) =>
        Deno.readTextFileSync(join(ROOT, "proof", `${name}.${what}`));
      const exits = LINES.map(([name]) => [name, text(name, "exit").trim()]);
      assert.deepEqual(exits.filter(([, exit]) => exit !== "0"), [], text("setup", "err"));
      const said = (name: string) => JSON.parse(text(name, "out"));
      assert.deepEqual([said("setup").state, said("setup").warnings], ["converged", []]);
      assert.deepEqual([said("again").state, said("again").changedPaths], ["converged", []]);
      assert.equal(text("enabled", "out").trim(), "enabled");
      assert.equal(said("doctor").problemCount, 0);
      assert.equal(text("verify", "err"), "");
      assert.deepEqual([said("revived").state, said("revived").listening], ["running", true]);
      assert.notEqual(said("logs").count, 0);
      assert.equal(said("stop").stopped, true);
      assert.equal(said("stopped").state, "installed-stopped");
      assert.equal(said("start").decision, "start");
      assert.equal(said("rotate").daemonRestarted, true);
      assert.equal(said("restart").restarted, true);
      assert.equal(said("uninstall").removed.length, 1);
      assert.equal(said("gone").state, "not-installed");
      assert.equal(said("odd").state, "converged", "a path with spaces and specifiers");
      assert.equal(said("oddStatus").runningDataDir, "/home/prover/my 100%h data");
      assert.equal(text("left", "out"), "./.theurian\n");
    } finally {
      cleanUp();
    }
  },
});
