import assert from "node:assert/strict";
import type { CommandRow } from "./command.ts";
import { parseOptions } from "./parse_options.ts";
import { NO_PERMISSIONS } from "./permission_rows.ts";

const text = (name: string, more: object = {}) => ({
  name,
  summary: "",
  value: { placeholder: "TEXT", type: "text" as const },
  ...more,
});

const ROW: CommandRow = {
  path: ["do", "it"],
  summary: "Do it.",
  arguments: [{ name: "PATH", summary: "" }],
  options: [
    text("title"),
    text("label", { repeatable: true }),
    { name: "dry-run", summary: "" },
    {
      name: "port",
      summary: "",
      value: { placeholder: "INT", type: "integer", minimum: 1, maximum: 65535, default: 7419 },
    },
    {
      name: "kind",
      summary: "",
      value: { placeholder: "KIND", type: "text", choices: ["a", "b"] },
    },
  ],
  permissions: NO_PERMISSIONS,
  load: () => Promise.reject(new Error("not loaded")),
};

function input(...args: string[]) {
  const parsed = parseOptions(ROW, args);
  assert(parsed.kind === "input", JSON.stringify(parsed));
  return parsed.input;
}

function fault(...args: string[]): string {
  const parsed = parseOptions(ROW, args);
  assert(parsed.kind === "usage", JSON.stringify(parsed));
  return parsed.message;
}

Deno.test("parseOptions() gives defaults: flags false, lists empty, values as the row says", () => {
  assert.deepEqual(input().options, { label: [], dryRun: false, port: 7419 });
  assert.deepEqual(input().arguments, {});
  assert.equal(input().json, false);
});

Deno.test("parseOptions() mixes options and positionals in any order", () => {
  for (
    const args of [
      ["x", "--title", "T", "--dry-run"],
      ["--dry-run", "--title=T", "x"],
      ["--title", "T", "x", "--dry-run"],
    ]
  ) {
    const { options, arguments: positionals } = input(...args);
    assert.deepEqual([options["title"], options["dryRun"], positionals["PATH"]], ["T", true, "x"]);
  }
});

Deno.test("parseOptions() takes the argument after a value option whatever it looks like", () => {
  assert.equal(input("--title", "--json").options["title"], "--json");
  assert.equal(input("--title", "--json").json, false);
  assert.equal(input("--title", "--").options["title"], "--");
  assert.equal(input("--title", "-x").options["title"], "-x");
  assert.equal(input("--title", "").options["title"], "");
  assert.equal(input("--title=").options["title"], "");
  assert.equal(input("--title=a=b").options["title"], "a=b");
});

Deno.test("parseOptions() lets the last of a repeated option count", () => {
  assert.equal(input("--title", "a", "--title", "b").options["title"], "b");
  assert.deepEqual(input("--label", "b", "--label=a", "--label", "b").options["label"], [
    "b",
    "a",
    "b",
  ]);
});

Deno.test("parseOptions() ends options at a double dash", () => {
  assert.equal(input("--", "--json").arguments["PATH"], "--json");
  assert.equal(input("--", "--json").json, false);
  assert.equal(input("-").arguments["PATH"], "-");
});

Deno.test("parseOptions() knows no abbreviations and no short options", () => {
  assert.match(fault("--titl", "x"), /no option "--titl", did you mean --title\?/);
  assert.match(fault("-h"), /no option "-h"/);
  assert.match(fault("--dry-runs"), /did you mean --dry-run\?/);
});

Deno.test("parseOptions() never repeats what may be a misplaced value", () => {
  assert(!fault("--token=hunter2").includes("hunter2"));
  assert(!fault("--unknown thing").includes("thing"));
  assert(!fault("a", "hunter2").includes("hunter2"));
  assert(!fault("--port", "hunter2").includes("hunter2"));
  assert(!fault("--kind", "hunter2").includes("hunter2"));
});

Deno.test("parseOptions() bounds integers and names the range", () => {
  assert.equal(input("--port", "65535").options["port"], 65535);
  assert.equal(input("--port", "+1").options["port"], 1);
  for (const value of ["0", "65536", "-1", "1.5", "0x10", "", " 1", "1e3", "٣", "9".repeat(30)]) {
    assert.match(fault("--port", value), /--port must be an integer from 1 to 65535/, value);
  }
});

Deno.test("parseOptions() names the choices of a closed option", () => {
  assert.equal(input("--kind", "b").options["kind"], "b");
  assert.match(fault("--kind", "B"), /must be one of a, b/);
});

Deno.test("parseOptions() refuses a missing value, a value of a flag, too many arguments", () => {
  assert.match(fault("--title"), /--title needs a value/);
  assert.match(fault("--dry-run=yes"), /--dry-run takes no value/);
  assert.match(fault("--json=1"), /--json takes no value/);
  assert.match(fault("a", "b"), /at most 1/);
});

Deno.test("parseOptions() names all missing required options in one message", () => {
  const row: CommandRow = {
    ...ROW,
    options: [text("a", { required: true }), text("b", { required: true }), text("c")],
  };
  const parsed = parseOptions(row, []);
  assert(parsed.kind === "usage");
  assert.equal(parsed.message, "Missing options --a, --b");
});

Deno.test("parseOptions() gives a variadic argument all that is left", () => {
  const row: CommandRow = {
    ...ROW,
    arguments: [{ name: "PATH", summary: "", required: true, variadic: true }],
  };
  const parsed = parseOptions(row, ["a", "--dry-run", "b"]);
  assert(parsed.kind === "input");
  assert.deepEqual(parsed.input.arguments["PATH"], ["a", "b"]);
  const none = parseOptions(row, []);
  assert(none.kind === "usage" && /Missing argument PATH/.test(none.message));
});

Deno.test("parseOptions() finds --help wherever it stands, but not as a value", () => {
  assert.equal(parseOptions(ROW, ["--bogus", "--help"]).kind, "help");
  assert.equal(parseOptions(ROW, ["a", "b", "--help"]).kind, "help");
  assert.equal(parseOptions(ROW, ["--title", "--help"]).kind, "input");
});

Deno.test("parseOptions() has no --json where stdout carries a protocol", () => {
  assert.equal(parseOptions({ ...ROW, json: false }, ["--json"]).kind, "usage");
});
