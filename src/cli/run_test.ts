import assert from "node:assert/strict";
import { TheurianError } from "../platform/errors.ts";
import type { CommandGroup, CommandModule, CommandRow, OptionRow } from "./command.ts";
import { OutputClosed } from "./output.ts";
import { NO_PERMISSIONS } from "./permission_rows.ts";
import { runForTest } from "./test_world.ts";

const text = (name: string, required = false): OptionRow => ({
  name,
  summary: `The ${name}`,
  required,
  value: { placeholder: "TEXT", type: "text" },
});

function row(path: [string, ...string[]], run: CommandModule["run"], more: object = {}) {
  return {
    path,
    summary: `Run ${path.join(" ")}.`,
    permissions: NO_PERMISSIONS,
    load: () => Promise.resolve({ run }),
    ...more,
  } satisfies CommandRow;
}

const refuse = () => {
  throw new TheurianError("migration-invalid", "Cannot read the migration", { remedy: "Mend it" });
};

const ROWS: Record<string, readonly CommandRow[]> = {
  version: [row(["version"], () => ({ document: { b: 1, a: "é\u009b" } }))],
  migrate: [
    row(
      ["migrate", "apply"],
      (input) => ({ document: { path: input.arguments["PATH"] ?? null } }),
      {
        arguments: [{ name: "PATH", summary: "Where [daemon] is" }],
        options: [{ name: "allow-uncommitted", summary: "Take uncommitted migrations" }],
      },
    ),
    row(["migrate", "refuse"], refuse),
    row(["migrate", "usage"], () => {
      throw new TheurianError("usage", "These two exclude each other", { remedy: "-" });
    }),
    row(["migrate", "crash"], () => {
      throw new RangeError("value: hunter2");
    }),
    row(["migrate", "stop"], () => {
      throw new TheurianError("interrupted", "Stopped", { remedy: "-" });
    }),
    row(["migrate", "partly"], () => ({
      document: { clean: false },
      exit: 1,
      failure: { error: "Cannot build", remedy: "Build again" },
    })),
    row(["migrate", "words"], () => ({ document: { a: 1 }, text: "first\nsecond" })),
  ],
  propose: [
    row(["propose"], () => ({ document: { drafted: true } }), {
      options: [text("title", true), text("owner", true), { name: "local", summary: "Local" }],
    }),
    row(["propose", "accept"], (input) => ({ document: { id: input.arguments["ID"] } }), {
      arguments: [{ name: "ID", summary: "The proposal", required: true }],
    }),
  ],
};
const GROUPS: readonly CommandGroup[] = Object.entries(ROWS).map(([name, rows]) => ({
  name,
  summary: `All of ${name}`,
  rows: () => Promise.resolve(rows),
}));

const run = (...args: string[]) => runForTest(args, { groups: GROUPS });
const usageOf = (outcome: { exit: number; stdout: string; stderr: string }) => {
  assert.deepEqual([outcome.exit, outcome.stdout], [2, ""]);
  return outcome.stderr;
};

Deno.test("a result is one sorted document under --json, and lines in its own order without", async () => {
  const json = await run("version", "--json");
  assert.deepEqual(json, {
    exit: 0,
    stdout: '{\n  "a": "é\\u009b",\n  "b": 1\n}\n',
    stderr: "",
  });
  assert.equal((await run("version")).stdout, "b: 1\na: é\\x9b\n");
});

Deno.test("a failure leaves stdout empty and prints error and remedy to stderr", async () => {
  const json = await run("migrate", "refuse", "--json");
  assert.deepEqual([json.exit, json.stdout], [4, ""]);
  assert.deepEqual(JSON.parse(json.stderr), {
    error: "Cannot read the migration",
    remedy: "Mend it",
  });
  const human = await run("migrate", "refuse");
  assert.deepEqual(human, {
    exit: 4,
    stdout: "",
    stderr: "error: Cannot read the migration\nMend it\n",
  });
});

Deno.test("a result may come with a failure of its own, after it", async () => {
  const { exit, stdout, stderr } = await run("migrate", "partly", "--json");
  assert.equal(exit, 1);
  assert.deepEqual(JSON.parse(stdout), { clean: false });
  assert.deepEqual(JSON.parse(stderr), { error: "Cannot build", remedy: "Build again" });
});

Deno.test("a command may print its own lines for a person", async () => {
  assert.equal((await run("migrate", "words")).stdout, "first\nsecond\n");
  assert.deepEqual(JSON.parse((await run("migrate", "words", "--json")).stdout), { a: 1 });
});

Deno.test("an internal fault is one line without its message and without a trace", async () => {
  const { exit, stdout, stderr } = await run("migrate", "crash");
  assert.deepEqual([exit, stdout], [1, ""]);
  assert.match(stderr, /^error: Internal fault \(RangeError\)[^\n]*\n[^\n]+\n$/);
  assert(!stderr.includes("hunter2"));
  const debug = await runForTest(["migrate", "crash"], {
    groups: GROUPS,
    environment: { THEURIAN_DEBUG: "1" },
  });
  assert.match(debug.stderr, /run_test\.ts/);
});

Deno.test("an interrupt exits 130 without a word", async () => {
  assert.deepEqual(await run("migrate", "stop"), { exit: 130, stdout: "", stderr: "" });
});

Deno.test("a reader that went away ends the command quietly, and not with 0", async () => {
  const out = () => {
    throw new OutputClosed();
  };
  let stderr = "";
  const { exit } = await runForTest(["version", "--json"], {
    groups: GROUPS,
    world: { terminal: { out, err: (line) => stderr += line, errIsTerminal: false } },
  });
  assert.deepEqual([exit, stderr], [1, ""]);
});

Deno.test("a usage error has three parts on stderr, or two keys under --json", async () => {
  const human = usageOf(await run("migrate", "apply", "--bogus"));
  assert.match(
    human,
    /^Usage: theurian migrate apply \[OPTIONS\] \[PATH\]\nTry 'theurian migrate apply --help' for help\.\n\nError: There is no option "--bogus"\n$/,
  );
  for (const args of [["migrate", "bogus", "--json"], ["migrate", "apply", "--json", "a", "b"]]) {
    const document = JSON.parse(usageOf(await run(...args)));
    assert.deepEqual(Object.keys(document).sort(), ["error", "remedy"]);
  }
});

Deno.test("a command may find its own command line unusable", async () => {
  assert.match(usageOf(await run("migrate", "usage")), /Error: These two exclude each other\n$/);
});

Deno.test("nothing and a bare group show help on stderr and exit 2", async () => {
  assert.match(usageOf(await run()), /^Usage: theurian COMMAND[^]*Commands:\n {2}version/);
  assert.match(usageOf(await run("migrate")), /^Usage: theurian migrate COMMAND/);
  assert.match(usageOf(await run("propose")), /^Usage: theurian propose /);
  assert.match(usageOf(await run("migrate", "--json")), /"error": "No command was given"/);
});

Deno.test("--help shows every level on stdout and exits 0", async () => {
  for (const args of [[], ["migrate"], ["migrate", "apply"], ["propose"], ["propose", "accept"]]) {
    const { exit, stdout, stderr } = await run(...args, "--help");
    assert.deepEqual([exit, stderr], [0, ""]);
    assert(stdout.startsWith(`Usage: theurian ${args.join(" ")}`.trimEnd()), stdout);
    assert(!/[ \t]\n/.test(stdout) && stdout.endsWith("\n"));
  }
});

Deno.test("help is printed literally, with brackets", async () => {
  assert.match((await run("migrate", "apply", "--help")).stdout, /Where \[daemon\] is/);
});

Deno.test("-h is no option", async () => {
  assert.match(usageOf(await run("-h")), /no option "-h"/);
});

Deno.test("--version and -V print the version payload and win over a command", async () => {
  for (const args of [["--version"], ["-V"], ["-V", "migrate", "apply"], ["--version", "bogus"]]) {
    assert.equal((await run(...args)).stdout, "b: 1\na: é\\x9b\n");
  }
  for (const args of [["--version", "--json"], ["--json", "-V"]]) {
    assert.match((await run(...args)).stdout, /^\{\n {2}"a"/);
  }
});

Deno.test("an unknown word names the nearest known one, and no value", async () => {
  assert.match(usageOf(await run("migrat")), /no command "migrat", did you mean migrate\?/);
  assert.match(usageOf(await run("migrate", "aply")), /did you mean apply\?/);
  assert(!usageOf(await run("pass=hunter2")).includes("hunter2"));
});

Deno.test("--json belongs to the leaf verb: before a subcommand it is without effect", async () => {
  assert.equal((await run("propose", "--json", "accept", "x")).stdout, "id: x\n");
  assert.deepEqual(JSON.parse((await run("propose", "accept", "x", "--json")).stdout), { id: "x" });
  // Before every command it would be without effect too: better told than ignored.
  const { exit, stdout, stderr } = await run("--json", "propose", "accept", "x");
  assert.deepEqual([exit, stdout], [2, ""]);
  assert.match(JSON.parse(stderr).error, /--json goes behind the command/);
});

Deno.test("options of a draft together with a subcommand are refused, sorted by name", async () => {
  const fault = usageOf(
    await run("propose", "--title", "T", "--local", "--owner=o", "accept", "x"),
  );
  assert.match(fault, /Error: --local, --owner, --title cannot be given together with "accept"/);
});

Deno.test("a value that equals a verb is a value", async () => {
  const { exit, stdout } = await run("propose", "--title", "accept", "--owner", "accept");
  assert.deepEqual([exit, stdout], [0, "drafted: true\n"]);
});

Deno.test("all missing required options are named at once", async () => {
  assert.match(usageOf(await run("propose", "--local")), /Missing options --title, --owner/);
});

Deno.test("a lazily read data directory follows the environment", async () => {
  const groups: CommandGroup[] = [{
    name: "where",
    summary: "",
    rows: () =>
      Promise.resolve([
        row(["where"], (_, context) => ({ document: { at: context.dataDirectory } })),
      ]),
  }];
  const at = async (environment: Record<string, string>, cwd = "/work/here") =>
    await runForTest(["where"], { groups, environment, cwd });
  assert.equal((await at({ HOME: "/home/ada" })).stdout, "at: /home/ada/.theurian\n");
  assert.equal((await at({ HOME: "/h", THEURIAN_DATA_DIR: "" })).stdout, "at: /h/.theurian\n");
  assert.equal((await at({ THEURIAN_DATA_DIR: "data/../d" })).stdout, "at: /work/here/d\n");
  assert.equal((await at({ THEURIAN_DATA_DIR: "/x/./y/" })).stdout, "at: /x/y\n");
  const none = await at({});
  assert.equal(none.exit, 1);
  assert.match(none.stderr, /THEURIAN_DATA_DIR/);
});
