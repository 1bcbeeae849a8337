/**
 * The installers against releases on 127.0.0.1: what is right is installed at once, what is wrong is
 * neither installed nor run (cli-and-plugins.md 7).
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { TARGETS } from "../../scripts/release/targets.ts";
import { list, newPlace, type Place, release, said, whereIs } from "../support/installer.ts";
import { type FakeRelease, HERE, serveReleases } from "../support/release_server.ts";

const TOOLS = [
  ...["sh", "uname", "grep", "sed", "cut", "head", "mkdir", "mktemp", "tar", "gzip", "rm", "mv"],
  ...["chmod", "cat", "getconf", "sha256sum", "curl"],
];

const INSTALLED = [
  ".local",
  ".local/bin",
  ".local/bin/theurian",
  ".local/bin/theurian.sha256",
];

Deno.test("install.sh installs the latest release, and nothing but two files", async () => {
  using place = newPlace();
  await using server = await serveReleases([release(place, "0.7.0"), release(place, "0.6.0")]);
  const { code, out, err } = await place.install(["--base-url", server.url]);
  assert.deepEqual([code, err], [0, ""]);
  assert.deepEqual(place.listing(), INSTALLED);
  assert.equal(await said(join(place.bin, "theurian")), "0.7.0");
  assert.equal(Deno.statSync(join(place.bin, "theurian")).mode! & 0o777, 0o755);
  assert.match(out, /Installed theurian 0\.7\.0/);
  assert.ok(out.includes(`export PATH=${place.bin}:"$PATH"`), out);
  const check = new Deno.Command("sha256sum", { args: ["-c", "theurian.sha256"], cwd: place.bin });
  assert.equal((await check.output()).code, 0);
});

Deno.test("install.sh pins a version, also over a newer one, in any spelling of its options", async () => {
  using place = newPlace();
  await using server = await serveReleases([release(place, "0.7.0"), release(place, "0.6.0-rc.1")]);
  const bin = join(place.root, "odd 'place'");
  await place.install([`--base-url=${server.url}/`, `--bin-dir=${bin}`]);
  const pinned = ["--base-url", server.url, "--bin-dir", bin, "--version", "v0.6.0-rc.1"];
  const { code, out } = await place.install(pinned);
  assert.equal(code, 0);
  assert.equal(await said(join(bin, "theurian")), "0.6.0-rc.1");
  assert.ok(out.includes(`export PATH='`) && out.includes(`'\\''place'\\'''`), out);
  assert.deepEqual(list(bin), ["theurian", "theurian.sha256"]);
});

for (
  const [what, over, message] of [
    ["an archive of another content", {
      spoil: (bytes) => {
        const spoiled = bytes.slice();
        spoiled[bytes.length - 9]! ^= 1;
        return spoiled;
      },
    }, /checksum of theurian-0\.7\.0-.*\.tar\.gz is wrong/],
    ["a truncated archive", {
      spoil: (bytes) => bytes.slice(0, bytes.length / 2),
    }, /checksum of theurian-0\.7\.0-.*\.tar\.gz is wrong/],
    ["an empty archive", { spoil: () => new Uint8Array() }, /is wrong/],
    ["an executable that its archive names another digest for", {
      innerSum: `${"0".repeat(64)}  theurian\n`,
    }, /checksum of theurian is wrong/],
    ["an archive without a digest of its executable", { innerSum: "nothing\n" }, /is wrong/],
  ] as readonly (readonly [string, Partial<FakeRelease>, RegExp])[]
) {
  Deno.test(`install.sh refuses ${what}, runs nothing and keeps what was there`, async () => {
    using place = newPlace();
    await using good = await serveReleases([release(place, "0.6.0")]);
    await using bad = await serveReleases([release(place, "0.7.0", over)]);
    const fresh = await place.install(["--base-url", bad.url]);
    assert.equal(fresh.code, 1);
    assert.match(fresh.err, message);
    assert.match(fresh.err, /\nRun this script again/);
    assert.equal(fresh.out, "");
    assert.throws(() => Deno.statSync(place.ran), Deno.errors.NotFound);
    assert.deepEqual(place.listing(), [".local", ".local/bin"]);
    await place.install(["--base-url", good.url]);
    const before = Deno.readTextFileSync(join(place.bin, "theurian.sha256"));
    Deno.removeSync(place.ran);
    assert.equal((await place.install(["--base-url", bad.url])).code, 1);
    assert.throws(() => Deno.statSync(place.ran), Deno.errors.NotFound);
    assert.deepEqual(place.listing(), INSTALLED);
    assert.equal(Deno.readTextFileSync(join(place.bin, "theurian.sha256")), before);
    assert.equal(await said(join(place.bin, "theurian")), "0.6.0");
  });
}

Deno.test("install.sh keeps what was there when the new executable does not run or lies", async () => {
  using place = newPlace();
  await using good = await serveReleases([release(place, "0.6.0")]);
  await place.install(["--base-url", good.url]);
  const broken = new TextEncoder().encode("#!/bin/sh\necho 'no such library' >&2\nexit 127\n");
  for (const over of [{ program: broken }, { program: release(place, "0.6.9").program }]) {
    await using bad = await serveReleases([release(place, "0.7.0", over)]);
    const { code, err } = await place.install(["--base-url", bad.url]);
    assert.equal(code, 1);
    assert.match(err, /no such library|another version/);
    assert.equal(await said(join(place.bin, "theurian")), "0.6.0");
    assert.deepEqual(place.listing(), INSTALLED);
  }
});

Deno.test("install.sh tells an unknown version, an absent target and a dead server apart", async () => {
  using place = newPlace();
  await using server = await serveReleases([release(place, "0.7.0")]);
  const unknown = await place.install(["--base-url", server.url, "--version", "0.0.1"]);
  assert.equal(unknown.code, 1);
  assert.match(unknown.err, /no release 0\.0\.1/);
  const others = TARGETS.filter((target) => target !== HERE);
  await using elsewhere = await serveReleases([release(place, "0.7.0")], others);
  assert.match((await place.install(["--base-url", elsewhere.url])).err, /holds nothing for/);
  const pinned = await place.install(["--base-url", elsewhere.url, "--version", "0.7.0"]);
  assert.match(pinned.err, /lists no checksum for/);
  const dead = await place.install(["--base-url", "http://127.0.0.1:9"]);
  assert.equal(dead.code, 1);
  assert.deepEqual(place.listing(), [".local", ".local/bin"]);
});

Deno.test("install.sh --dry-run says what it would do and changes nothing", async () => {
  using place = newPlace();
  await using server = await serveReleases([release(place, "0.7.0")]);
  const { code, out } = await place.install(["--dry-run", "--base-url", server.url]);
  assert.equal(code, 0);
  assert.match(out, /Would download .*theurian-0\.7\.0/);
  assert.ok(out.includes(join(place.bin, "theurian")) && out.includes("Nothing was changed"));
  assert.deepEqual(place.listing(), []);
  assert.deepEqual(server.asked, ["/latest/download/SHA256SUMS"]);
});

Deno.test("install.sh never leaves a moment without a whole executable", async () => {
  using place = newPlace();
  await using old = await serveReleases([release(place, "0.6.0")]);
  await using next = await serveReleases([release(place, "0.7.0")]);
  await place.install(["--base-url", old.url]);
  let done = false;
  const installing = place.install(["--base-url", next.url]).finally(() => done = true);
  const seen = new Set<string>();
  while (!done) seen.add(await said(join(place.bin, "theurian")));
  assert.equal((await installing).code, 0);
  seen.add(await said(join(place.bin, "theurian")));
  assert.deepEqual([...seen], ["0.6.0", "0.7.0"]);
});

Deno.test("install.sh that is stopped in the middle leaves what was there", async () => {
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
    using place = newPlace();
    await using old = await serveReleases([release(place, "0.6.0")]);
    await place.install(["--base-url", old.url]);
    await using next = await serveReleases([release(place, "0.7.0")]);
    next.stall = true;
    const child = place.spawn(["--base-url", next.url]);
    while (!next.asked.some((path) => path.endsWith(".gz"))) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    // A terminal sends the signal to the whole group: the download ends too.
    const downloads = new Deno.Command("pkill", { args: ["-P", String(child.pid)] });
    child.kill(signal);
    await downloads.output();
    const { code } = await child.output();
    assert.ok([1, 130, 143].includes(code), `${code}`);
    assert.deepEqual(place.listing(), INSTALLED);
    assert.equal(await said(join(place.bin, "theurian")), "0.6.0");
  }
});

Deno.test("install.sh does not write over another installation", async () => {
  using place = newPlace();
  await using server = await serveReleases([release(place, "0.7.0")]);
  Deno.mkdirSync(place.bin, { recursive: true });
  const destination = join(place.bin, "theurian");
  const target = join(place.root, "other");
  Deno.writeTextFileSync(target, "precious");
  const plants: readonly (readonly [() => void, RegExp])[] = [
    [() => Deno.symlinkSync(target, destination), /symbolic link/],
    [() => Deno.symlinkSync("/nowhere", destination), /symbolic link/],
    [() => Deno.mkdirSync(destination), /no regular file/],
    [() => Deno.writeTextFileSync(destination, "#!/usr/bin/python3\n"), /another installation/],
  ];
  for (const [plant, message] of plants) {
    plant();
    const { code, err } = await place.install(["--base-url", server.url]);
    assert.equal(code, 1);
    assert.match(err, message);
    Deno.removeSync(destination, { recursive: true });
  }
  assert.equal(Deno.readTextFileSync(target), "precious");
  Deno.writeTextFileSync(destination, "\x7fELF an executable put there by hand");
  assert.equal((await place.install(["--base-url", server.url])).code, 0);
});

Deno.test("install.sh gives no hint where the folder is on the PATH, and names what hides it", async () => {
  using place = newPlace();
  await using server = await serveReleases([release(place, "0.7.0")]);
  const path = `${place.bin}:${Deno.env.get("PATH")}`;
  const clean = await place.install(["--base-url", server.url], { path });
  assert.doesNotMatch(clean.out, /PATH/);
  const hiding = join(place.root, "hiding");
  Deno.mkdirSync(hiding);
  Deno.writeTextFileSync(join(hiding, "theurian"), "#!/bin/sh\n", { mode: 0o755 });
  const hidden = await place.install(["--base-url", server.url], { path: `${hiding}:${path}` });
  assert.ok(hidden.out.includes(join(hiding, "theurian")), hidden.out);
});

Deno.test("install.sh is clear about what it cannot be asked", async () => {
  using place = newPlace();
  const lines = [
    ["--version", "../../x"],
    ["--version", "latest"],
    ["--version"],
    ["--bin-dir="],
    ["--base-url", "http://releases.example.org"],
    ["--base-url", "http://127.0.0.1.example.org/"],
    ["--force"],
    ["extra"],
  ];
  for (const args of lines) {
    const { code, out, err } = await place.install(args);
    assert.deepEqual([code, out], [2, ""], args.join(" "));
    assert.match(err, /^Error: .*\nUsage: install\.sh/);
  }
  const help = await place.install(["--help"]);
  assert.deepEqual([help.code, help.err], [0, ""]);
  assert.deepEqual(place.listing(), []);
});

/** A search path with nothing but the named tools. */
function pathOf(place: Place, tools: readonly string[]): string {
  const folder = Deno.makeTempDirSync({ dir: place.root });
  for (const tool of tools) {
    const real = whereIs(tool);
    if (real !== null) Deno.symlinkSync(real, join(folder, tool));
  }
  return folder;
}

Deno.test("install.sh needs few tools, and says which one is missing", async (t) => {
  using place = newPlace();
  await using server = await serveReleases([release(place, "0.7.0")]);
  const args = ["--base-url", server.url];
  const without = (tool: string) => TOOLS.filter((name) => name !== tool);
  const cases: readonly (readonly [string, readonly string[], RegExp | null])[] = [
    ["these tools are enough", TOOLS, null],
    ["wget instead of curl", [...without("curl"), "wget"], null],
    ["openssl instead of sha256sum", [...without("sha256sum"), "openssl"], null],
    ["shasum instead of sha256sum", [...without("sha256sum"), "shasum", "perl"], null],
    ["no way to download", without("curl"), /neither curl nor wget/],
    ["no way to compute a digest", without("sha256sum"), /no program that computes SHA-256/],
    ["no tar", without("tar"), /There is no tar/],
  ];
  for (const [what, tools, message] of cases) {
    await t.step(what, async () => {
      const { code, err } = await place.install(args, { path: pathOf(place, tools) });
      assert.equal(code, message === null ? 0 : 1, err);
      if (message !== null) assert.match(err, message);
    });
  }
});

Deno.test("install.sh runs in every shell of this machine", async (t) => {
  for (
    const shell of [["dash"], ["bash"], ["bash", "--posix"], ["busybox", "sh"], ["zsh"], ["ksh"]]
  ) {
    if (whereIs(shell[0]!) === null) continue;
    await t.step(shell.join(" "), async () => {
      using place = newPlace();
      await using server = await serveReleases([release(place, "0.7.0")]);
      const { code, err } = await place.install(["--base-url", server.url], { shell });
      assert.deepEqual([code, err], [0, ""]);
      assert.deepEqual(place.listing(), INSTALLED);
    });
  }
});
