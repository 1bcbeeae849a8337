/**
 * The installers with the real executable, and what can be said of them without running them.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { CHECKOUT, findProgram } from "../../scripts/program.ts";
import { TARGETS } from "../../scripts/release/targets.ts";
import { newPlace, outputOfNewFile, release, said, whereIs } from "../support/installer.ts";
import { serveReleases } from "../support/release_server.ts";

const SHELLCHECK = whereIs("shellcheck");
if (SHELLCHECK === null) console.log("Not run: shellcheck, which is not installed");
Deno.test({
  name: "the shell scripts are clean for shellcheck",
  ignore: SHELLCHECK === null,
  async fn() {
    const scripts = [...Deno.readDirSync(join(CHECKOUT, "scripts"))]
      .filter(({ name }) => name.endsWith(".sh")).map(({ name }) => name);
    const { code, stdout } = await new Deno.Command(SHELLCHECK!, {
      args: ["-x", ...scripts.map((name) => `scripts/${name}`)],
      cwd: CHECKOUT,
    }).output();
    assert.equal(code, 0, new TextDecoder().decode(stdout));
  },
});

const PROGRAM = findProgram();
Deno.test({
  name: "what install.sh installs knows whether it is still what its release was",
  ignore: PROGRAM.prefix.length > 0,
  async fn() {
    using place = newPlace();
    const version = await said(PROGRAM.command);
    const program = Deno.readFileSync(PROGRAM.command);
    await using server = await serveReleases([{ version, program }]);
    const { code, err } = await place.install(["--base-url", server.url]);
    assert.deepEqual([code, err], [0, ""]);
    const installed = join(place.bin, "theurian");
    const integrity = async () => {
      const { stdout } = await outputOfNewFile(
        new Deno.Command(installed, {
          args: ["doctor", "--json"],
          cwd: place.root,
          clearEnv: true,
          env: { HOME: place.home, PATH: "" },
        }),
      );
      const { steps } = JSON.parse(new TextDecoder().decode(stdout));
      return steps.find(({ id }: { id: string }) => id === "artifact-integrity").status;
    };
    assert.equal(await integrity(), "satisfied");
    // One byte of the embedded program's text, which is what an attacker would change.
    const at = lastIndexOf(program, new TextEncoder().encode("was asked to stop"));
    program[at]! ^= 0x20;
    Deno.removeSync(installed);
    Deno.writeFileSync(installed, program, { mode: 0o755 });
    assert.equal(await integrity(), "conflicting");
    Deno.removeSync(join(place.bin, "theurian.sha256"));
    assert.equal(await integrity(), "not-applicable");
  },
});

function lastIndexOf(bytes: Uint8Array, part: Uint8Array): number {
  for (let at = bytes.length - part.length; at >= 0; at--) {
    if (part.every((byte, i) => bytes[at + i] === byte)) return at;
  }
  throw new Error("The text is not there");
}

const PWSH = whereIs("pwsh");
if (PWSH === null) console.log("Not run: install.ps1, since there is no PowerShell");
Deno.test({
  name: "install.ps1 plans without a change and refuses a wrong checksum",
  ignore: PWSH === null,
  async fn() {
    using place = newPlace();
    const windows = TARGETS.filter(({ archive }) => archive === "zip");
    await using good = await serveReleases([release(place, "0.7.0")], windows);
    await using bad = await serveReleases([
      release(place, "0.7.0", { spoil: (bytes) => bytes.slice(0, -1) }),
    ], windows);
    const bin = join(place.root, "bin");
    const install = async (...args: string[]) => {
      const { code, stdout, stderr } = await new Deno.Command(PWSH!, {
        args: [
          "-NoProfile",
          "-File",
          join(CHECKOUT, "scripts/install.ps1"),
          "-BinDir",
          bin,
          ...args,
        ],
        env: { HOME: place.home },
      }).output();
      return { code, text: new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr) };
    };
    const planned = await install("-DryRun", "-BaseUrl", good.url);
    assert.equal(planned.code, 0, planned.text);
    assert.match(planned.text, /Nothing was changed/);
    assert.throws(() => Deno.statSync(bin), Deno.errors.NotFound);
    const refused = await install("-BaseUrl", bad.url);
    assert.equal(refused.code, 1, refused.text);
    assert.match(refused.text, /checksum of .* is wrong/);
    assert.deepEqual([...Deno.readDirSync(bin)], []);
    assert.equal((await install("-Version", "../x")).code, 2);
  },
});
