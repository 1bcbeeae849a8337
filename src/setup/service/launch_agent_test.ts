import assert from "node:assert/strict";
import { join } from "node:path";
import { setProgramEnvironment } from "../../platform/resolve_program.ts";
import { findServiceManager } from "./service_manager.ts";

const LAUNCHCTL = `#!/bin/sh
state="\${0%/*}"
echo "$*" >> "$state/log"
case "$1" in
  bootstrap|kickstart) : > "$state/active" ;;
  bootout) [ -f "$state/active" ] || exit 3; rm -f "$state/active" ;;
  kill) rm -f "$state/active" ;;
  print) [ -f "$state/active" ] || exit 113; printf '{\\n\\tpid = 42\\n}\\n' ;;
esac
`;

Deno.test("a LaunchAgent is bootstrapped, restarted, stopped and removed in its user's domain", async () => {
  const home = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "setup-agent-" }));
  const bin = join(home, "bin");
  Deno.mkdirSync(bin);
  Deno.writeTextFileSync(join(bin, "launchctl"), LAUNCHCTL, { mode: 0o755 });
  setProgramEnvironment({ path: `${bin}:/usr/bin:/bin`, home });
  try {
    const find = (userId: () => number | null) =>
      findServiceManager({ system: "darwin", home, configHome: null, session: {}, userId });
    assert.equal(await find(() => null), null);
    const manager = (await find(() => 501))!;
    assert.equal(manager.platform, "launchagent");
    const plist = join(home, "Library/LaunchAgents/dev.theurian.daemon.plist");
    assert.equal(manager.definitionPath, plist);
    assert.equal(await manager.state(), "not-installed");
    const facts = { executable: "/opt/theurian", dataDirectory: home, port: 7419 };
    assert.equal((await manager.install(manager.define(facts))).code, 0);
    assert.equal(await manager.state(), "running");
    assert.equal(manager.compare(Deno.readTextFileSync(plist), manager.define(facts)), null);
    await manager.stop();
    assert.equal(await manager.state(), "installed-stopped");
    await manager.restart();
    assert.equal(await manager.state(), "running");
    assert.equal((await manager.uninstall()).code, 0);
    assert.equal(await manager.state(), "not-installed");
    const target = "gui/501/dev.theurian.daemon";
    assert.deepEqual(
      Deno.readTextFileSync(join(bin, "log")).trim().split("\n").filter((line) =>
        !line.startsWith("print")
      ),
      [
        `bootout ${target}`,
        `bootstrap gui/501 ${plist}`,
        `kickstart ${target}`,
        `kill SIGTERM ${target}`,
        `kickstart -k ${target}`,
        `bootout ${target}`,
      ],
    );
  } finally {
    setProgramEnvironment({ path: Deno.env.get("PATH") ?? "" });
    Deno.removeSync(home, { recursive: true });
  }
});
