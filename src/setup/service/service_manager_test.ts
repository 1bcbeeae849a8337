import assert from "node:assert/strict";
import { join } from "node:path";
import { newMachine } from "../_testing/machine.ts";
import {
  findServiceManager,
  noServiceManager,
  type ServiceEnvironment,
} from "./service_manager.ts";

const environment = (home: string, over: Partial<ServiceEnvironment> = {}): ServiceEnvironment => ({
  system: "linux",
  home,
  configHome: null,
  session: {},
  userId: () => 1000,
  ...over,
});

Deno.test("a user's systemd goes from not-installed over running to installed-stopped", async () => {
  await using machine = newMachine();
  const manager = (await findServiceManager(environment(machine.home)))!;
  assert.deepEqual([manager.platform, manager.service], ["systemd-user", "theurian.service"]);
  assert.equal(await manager.state(), "not-installed");
  await manager.install("[Unit]\n");
  assert.equal(Deno.readTextFileSync(manager.definitionPath), "[Unit]\n");
  assert.equal(await manager.state(), "running");
  await manager.stop();
  assert.equal(await manager.state(), "installed-stopped");
  await manager.restart();
  assert.equal(await manager.state(), "running");
  await manager.uninstall();
  assert.equal(await manager.state(), "not-installed");
});

Deno.test("the unit lies below XDG_CONFIG_HOME when that is set to an absolute path", async () => {
  await using machine = newMachine();
  const at = async (configHome: string) =>
    (await findServiceManager(environment(machine.home, { configHome })))!.definitionPath;
  assert.equal(await at("/cfg"), "/cfg/systemd/user/theurian.service");
  const usual = join(machine.home, ".config/systemd/user/theurian.service");
  assert.equal(await at("relative"), usual);
});

Deno.test("a link at the unit or its temporary refuses the installation", async () => {
  await using machine = newMachine();
  const manager = (await findServiceManager(environment(machine.home)))!;
  const target = join(machine.root, "target");
  Deno.writeTextFileSync(target, "precious");
  Deno.mkdirSync(join(manager.definitionPath, ".."), { recursive: true });
  for (const path of [manager.definitionPath, `${manager.definitionPath}.tmp`]) {
    Deno.symlinkSync(target, path);
    const { code, output } = await manager.install("[Unit]\n");
    assert.equal(code, 126);
    assert.match(output, /symbolic link/);
    assert.equal(Deno.readTextFileSync(target), "precious");
    Deno.removeSync(path);
  }
});

Deno.test("there is no manager without its program, a home, or a user session", async () => {
  {
    await using bare = newMachine({ manager: null });
    assert.equal(await findServiceManager(environment(bare.home)), null);
  }
  await using machine = newMachine();
  const none = { home: null };
  assert.equal(await findServiceManager(environment(machine.home, none)), null);
  for (const system of ["windows", "darwin", "freebsd"] as const) {
    assert.equal(await findServiceManager(environment(machine.home, { system })), null, system);
  }
  for (const said of ["offline", "Failed to connect to user scope bus via local transport"]) {
    await using container = newMachine({ manager: said });
    assert.equal(await findServiceManager(environment(container.home)), null, said);
  }
});

Deno.test("a degraded or starting manager is one that can be used", async () => {
  for (const said of ["degraded", "starting", "maintenance", ""]) {
    await using machine = newMachine({ manager: said });
    assert.notEqual(await findServiceManager(environment(machine.home)), null, said);
  }
});

Deno.test("noServiceManager() names the way without one", () => {
  const start = noServiceManager("start the daemon as a service", "windows");
  assert.equal(start.exit, 1);
  assert.match(start.message, /on Windows yet/);
  assert.match(start.remedy, /daemon start --foreground/);
  assert.match(noServiceManager("stop the daemon", "linux").remedy, /Ctrl-C/);
});
