/**
 * A release of this machine's target, built twice from two places: the same bytes, holding what is
 * promised and nothing of the machine (cli-and-plugins.md 7).
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { CHECKOUT, findProgram } from "../../scripts/program.ts";
import { archiveName, billName } from "../../scripts/release/targets.ts";
import { CORE_VERSION } from "../../src/compat/versions.ts";
import { runtimeOf } from "../support/executable_parts.ts";
import { HERE } from "../support/release_server.ts";

const PROGRAM = findProgram();
const CAN_BUILD = PROGRAM.prefix.length === 0 && Deno.build.os === "linux";
if (!CAN_BUILD) {
  console.log("Not run: building a release, since there is no executable to take apart");
}

const SOURCES = [
  ...["main.ts", "src", "schemas", "scripts", "deno.json", "deno.lock"],
  ...["LICENSE", "NOTICE", "README.md"],
];

async function run(program: string, args: readonly string[], cwd: string, env = {}) {
  const { code, stdout, stderr } = await new Deno.Command(program, { args: [...args], cwd, env })
    .output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  assert.equal(code, 0, `${program} ${args.join(" ")}: ${text(stderr)}`);
  return text(stdout);
}

/** A release built in a copy of the sources; answers with the folder it is in. */
async function release(root: string, name: string, runtime: string): Promise<string> {
  const copy = join(root, name);
  Deno.mkdirSync(copy, { recursive: true });
  await run("cp", ["-R", ...SOURCES.map((source) => join(CHECKOUT, source)), copy], root);
  const output = join(root, `out-${name.replaceAll("/", "-")}`);
  await run(
    Deno.execPath(),
    [
      ...["run", "--quiet", "--no-check", "--allow-read", "--allow-write", "--allow-env"],
      ...["--allow-run", join(copy, "scripts/release.ts")],
      ...[`--target=${HERE.triple}`, `--output=${output}`],
    ],
    copy,
    { DENORT_BIN: runtime, SOURCE_DATE_EPOCH: "1700000000" },
  );
  return output;
}

Deno.test({
  name: "two releases of the same sources are the same, and hold what ships and nothing else",
  ignore: !CAN_BUILD,
  async fn(t) {
    const root = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "release-build-" }));
    try {
      const runtime = join(root, "runtime");
      Deno.writeFileSync(runtime, runtimeOf(Deno.readFileSync(PROGRAM.command)), { mode: 0o755 });
      const first = await release(root, "one", runtime);
      const again = await release(root, "deep/down/below", runtime);
      const sums = Deno.readTextFileSync(join(first, "SHA256SUMS"));
      await t.step("the same bytes wherever they are built", () => {
        assert.equal(Deno.readTextFileSync(join(again, "SHA256SUMS")), sums);
      });
      await t.step("every file is there and sums up", async () => {
        const names = [...Deno.readDirSync(first)].map(({ name }) => name).sort();
        const archive = archiveName(CORE_VERSION, HERE);
        assert.deepEqual(
          names,
          [
            "SHA256SUMS",
            "install.ps1",
            "install.sh",
            archive,
            billName(CORE_VERSION),
          ].sort(),
        );
        await run("sha256sum", ["--check", "--strict", "SHA256SUMS"], first);
        assert.deepEqual(sums.trim().split("\n").map((line) => line.slice(66)), names.slice(1));
      });
      await t.step(
        "the archive unpacks to five files, and its executable runs by itself",
        async () => {
          await run("tar", ["-xzf", archiveName(CORE_VERSION, HERE)], first);
          await run("sha256sum", ["--check", "--strict", "theurian.sha256"], first);
          for (const name of ["LICENSE", "README"]) {
            assert.ok(Deno.statSync(join(first, name)).isFile);
          }
          const said = await run("env", ["-i", "PATH=", "./theurian", "version", "--json"], first);
          assert.equal(JSON.parse(said).version, CORE_VERSION);
        },
      );
      await t.step("it asks for no newer C library than the installing page says", () => {
        const text = new TextDecoder("latin1").decode(Deno.readFileSync(runtime));
        const asked = [...text.matchAll(/\0GLIBC_2\.(\d+)(?=\0)/g)].map(([, minor]) =>
          Number(minor)
        );
        const page = Deno.readTextFileSync(join(CHECKOUT, "docs/install.md"));
        assert.equal(/glibc 2\.(\d+)/.exec(page)![1], String(Math.max(...asked)));
      });
      await t.step("the bill and the notices name what ships, and no library of the tests", () => {
        const bill = JSON.parse(Deno.readTextFileSync(join(first, billName(CORE_VERSION))));
        const names = bill.components.map(({ group, name }: { group?: string; name: string }) =>
          group === undefined ? name : `${group}/${name}`
        );
        assert.ok(names.includes("deno") && names.includes("@modelcontextprotocol/server"));
        for (const name of ["fast-check", "@modelcontextprotocol/client", "@noble/hashes"]) {
          assert.ok(!names.includes(name), name);
        }
        const notice = Deno.readTextFileSync(join(first, "NOTICE"));
        for (const name of names) assert.ok(notice.includes(`${name} `), name);
      });
      await t.step("nothing of the builder's machine is in the executable", () => {
        const bytes = Deno.readFileSync(join(first, "theurian"));
        const payload = bytes.subarray(runtimeOf(bytes).length);
        const text = new TextDecoder("latin1").decode(payload);
        for (const trace of [root, Deno.env.get("HOME")!, CHECKOUT, "/npm/"]) {
          assert.ok(!text.includes(`${trace}/`) && !text.includes(`${trace}"`), trace);
        }
      });
    } finally {
      Deno.removeSync(root, { recursive: true });
    }
  },
});
