/**
 * What each command may still do, in an executable: the shipped runtime, the shipped options, the
 * program's own way to a command, and behind every row a module that tries everything. What the row
 * withholds is first seen to succeed (daemon-and-setup.md 11.2, decision 37).
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { bundleProgram, removeDirectory } from "../../scripts/bundle.ts";
import { compileProgram } from "../../scripts/compile.ts";
import { CHECKOUT, findProgram } from "../../scripts/program.ts";
import type { CommandRow, PermissionRow } from "../../src/cli/command.ts";
import { loadCommands } from "../../src/cli/commands.ts";
import {
  ALWAYS_READ,
  GRANTED_ENVIRONMENT,
  GRANTED_HOST,
  GRANTED_PROGRAMS,
  GRANTED_SYSTEM,
} from "../../src/platform/grants.ts";
import { optionsOf, runtimeOf } from "../support/executable_parts.ts";
import type { Tried } from "../support/hostile_program.ts";
import { type Acts, NEVER } from "../support/permission_probe.ts";

const PROGRAM = findProgram();
const IS_EXECUTABLE = PROGRAM.prefix.length === 0 && Deno.build.os === "linux";
if (!IS_EXECUTABLE) console.log("Not run: permissions of the executable, which was not built");

const FOLDER = "tests/support";
// The program's own entry keeps the bundle's paths counted from the root.
const ENTRIES = ["main.ts", `${FOLDER}/hostile_program.ts`, `${FOLDER}/hostile_worker.ts`];

interface Hostile extends AsyncDisposable {
  readonly root: string;
  readonly executable: string;
  run(args: readonly string[]): Promise<unknown>;
}

/** Compiles the hostile program around the runtime of the shipped executable. */
async function buildHostile(): Promise<Hostile> {
  const root = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "release-hostile-" }));
  const checkout = new URL(`file://${CHECKOUT}/`);
  const from = new URL(`dist/.build-${crypto.randomUUID()}/`, checkout);
  const [executable, runtime] = [join(root, "hostile"), join(root, "runtime")];
  Deno.writeFileSync(runtime, runtimeOf(Deno.readFileSync(PROGRAM.command)), { mode: 0o755 });
  try {
    assert.equal(await bundleProgram(checkout, new URL("bundle/", from), ENTRIES), "done");
    assert.ok(
      await compileProgram({
        from,
        program: `bundle/${FOLDER}/hostile_program.js`,
        include: ["bundle"],
        output: executable,
        bundled: true,
        runtime,
      }),
    );
  } catch (error) {
    Deno.removeSync(root, { recursive: true });
    throw error;
  } finally {
    await removeDirectory(from);
  }
  const bin = join(root, "bin");
  Deno.mkdirSync(bin);
  for (const name of GRANTED_PROGRAMS) {
    Deno.writeTextFileSync(join(bin, name), "#!/bin/sh\n", { mode: 0o755 });
  }
  return {
    root,
    executable,
    async run(args) {
      const { code, stdout, stderr } = await new Deno.Command(executable, {
        args: [...args],
        cwd: root,
        clearEnv: true,
        env: { HOME: root, PATH: bin, THEURIAN_DATA_DIR: join(root, "made") },
      }).output();
      const text = new TextDecoder();
      assert.equal(code, 0, `${args.join(" ")}: ${text.decode(stderr)}`);
      return JSON.parse(text.decode(stdout));
    },
    [Symbol.asyncDispose]: () => Deno.remove(root, { recursive: true }),
  };
}

/** Options that change what a command keeps. */
const WIDER: Readonly<Record<string, readonly string[]>> = {
  "compat check": ["--declaration", "x"],
  "daemon start": ["--foreground"],
};

/** A command line that reaches a row. */
function wordsFor({ path, arguments: positionals, options, json }: CommandRow): string[] {
  const named = (options ?? []).filter(({ required }) => required)
    .flatMap((
      { name, value },
    ) => [`--${name}`, String(value?.choices?.[0] ?? value?.minimum ?? "x")]);
  const placed = (positionals ?? []).filter(({ required }) => required)
    .map(({ choices }) => choices?.[0] ?? "x");
  return [...path, ...placed, ...named, ...(json === false ? [] : ["--json"])];
}

function everything(): Acts {
  const acts: Record<string, boolean> = { net: true, read: true, write: true, "sys:uid": true };
  for (const name of GRANTED_PROGRAMS) acts[`run:${name}`] = true;
  for (const name of GRANTED_ENVIRONMENT) acts[`env:${name}`] = true;
  for (const name of NEVER) acts[name] = false;
  return acts;
}

/** What a row keeps of everything. */
function keptBy(row: PermissionRow): Acts {
  const acts: Record<string, boolean> = {
    ...everything(),
    net: row.net,
    read: row.read,
    write: row.write,
    "sys:uid": row.sys.includes("uid"),
  };
  for (const name of GRANTED_PROGRAMS) acts[`run:${name}`] = row.run.includes(name);
  for (const name of GRANTED_ENVIRONMENT) {
    acts[`env:${name}`] = ALWAYS_READ.includes(name) || row.env.includes(name);
  }
  return acts;
}

/** What serving keeps of a row: no program, no environment, no fact of the system. */
function servingOf(row: PermissionRow): Acts {
  const none: Record<string, boolean> = { "sys:uid": false };
  for (const name of GRANTED_PROGRAMS) none[`run:${name}`] = false;
  for (const name of GRANTED_ENVIRONMENT) none[`env:${name}`] = false;
  return { ...keptBy(row), ...none };
}

Deno.test({
  name: "the executable is compiled with the granted permissions and with nothing else",
  ignore: !IS_EXECUTABLE,
  fn() {
    const { permissions, code_cache_key, argv } = optionsOf(Deno.readFileSync(PROGRAM.command));
    const nothing = Object.fromEntries(
      Object.keys(permissions).filter((name) => !name.startsWith("allow_")).map((
        name,
      ) => [name, null]),
    );
    assert.deepEqual(permissions, {
      ...nothing,
      allow_env: [...GRANTED_ENVIRONMENT],
      allow_net: [GRANTED_HOST],
      allow_run: [...GRANTED_PROGRAMS],
      allow_sys: [...GRANTED_SYSTEM],
      allow_ffi: null,
      // Everything: single paths cannot be taken back, so files are contained by code.
      allow_read: [],
      allow_write: [],
      allow_import: ["none.invalid:1"],
      deny_import: [],
      prompt: false,
    });
    assert.equal(code_cache_key, null, "compiled code is neither read nor written elsewhere");
    assert.deepEqual(argv, []);
  },
});

Deno.test({
  name: "every command of the executable keeps exactly what its row lists",
  ignore: !IS_EXECUTABLE,
  async fn() {
    await using hostile = await buildHostile();
    const permissionsOf = (path: string) => optionsOf(Deno.readFileSync(path)).permissions;
    assert.deepEqual(permissionsOf(hostile.executable), permissionsOf(PROGRAM.command));
    const rows = await loadCommands();
    assert.ok(rows.length > 35);
    for (const row of rows) {
      const name = row.path.join(" ");
      const wider = WIDER[name];
      assert.equal(wider !== undefined, row.narrowed !== undefined, name);
      const lines = [wordsFor(row), ...(wider === undefined ? [] : [[...wordsFor(row), ...wider]])];
      const keeps: PermissionRow[] = [];
      for (const line of lines) {
        const { kept, before, after, serving } = await hostile.run(line) as Tried;
        const what = line.join(" ");
        assert.deepEqual(before, everything(), `${what}, before the drop`);
        assert.deepEqual(after, keptBy(kept), what);
        assert.deepEqual(serving, servingOf(kept), `${what}, when it serves`);
        for (const [act, may] of Object.entries(keptBy(kept))) {
          assert.ok(!may || keptBy(row.permissions)[act], `${what} keeps ${act} beyond its row`);
        }
        keeps.push(kept);
      }
      if (wider === undefined) assert.deepEqual(keeps, [row.permissions], name);
      else assert.notDeepEqual(keeps[0], keeps[1], name);
    }
  },
});

Deno.test({
  name: "a tool's thread of the executable reads, writes where it may, and does nothing else",
  ignore: !IS_EXECUTABLE,
  async fn() {
    await using hostile = await buildHostile();
    const inside = join(hostile.root, "inside");
    Deno.mkdirSync(inside);
    const outside = join(hostile.root, "outside");
    const tried = await hostile.run(["--thread", inside, outside]) as Record<string, Acts>;
    const reads = Object.fromEntries(Object.keys(everything()).map((act) => [act, act === "read"]));
    assert.deepEqual(tried["inside"], { ...reads, write: true });
    assert.deepEqual(tried["outside"], reads);
    assert.throws(() => Deno.statSync(outside), Deno.errors.NotFound);
  },
});
