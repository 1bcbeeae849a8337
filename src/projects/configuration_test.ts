import assert from "node:assert/strict";
import { join } from "node:path";
import { isFault } from "../platform/errors.ts";
import { readConfiguration } from "./configuration.ts";
import { projectPaths } from "./project_paths.ts";

function project(config?: string | Uint8Array) {
  const root = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "theurian-config-" }));
  Deno.mkdirSync(join(root, ".theurian"));
  const file = join(root, ".theurian/config.yaml");
  if (typeof config === "string") Deno.writeTextFileSync(file, config);
  else if (config !== undefined) Deno.writeFileSync(file, config);
  return {
    root,
    file,
    read: () => readConfiguration(projectPaths(root)),
    [Symbol.dispose]: () => Deno.removeSync(root, { recursive: true }),
  };
}

function refusal(config: string | Uint8Array): string {
  using tree = project(config);
  try {
    tree.read();
  } catch (error) {
    assert(isFault(error, "configuration-invalid"), String(error));
    assert.equal(error.exit, 1);
    return `${error.message}; ${error.remedy}`;
  }
  return assert.fail(`accepted: ${config}`);
}

Deno.test("readConfiguration() gives the defaults where the file says nothing", () => {
  for (
    const config of [
      undefined,
      "",
      "\n# only a comment\n",
      "---\n",
      "~\n",
      "security:\nproviders:\n",
      "providers:\n  review:\n",
      "unknown: [1, 2]\n",
      "providers:\n  review:\n    repositories: []\n",
    ]
  ) {
    using tree = project(config);
    const { secretScan, repositories, redactParticipantNames } = tree.read();
    assert.deepEqual([secretScan, repositories, redactParticipantNames], ["block", [], false]);
  }
});

Deno.test("readConfiguration() reads the settings in force", () => {
  using tree = project(
    'security:\n  secretScan: "off"\nproviders:\n  review:\n    redactParticipantNames: yes\n' +
      "    repositories:\n      - Acme/api.v2\n      - a/..b\n",
  );
  const { secretScan, repositories, redactParticipantNames } = tree.read();
  assert.deepEqual([secretScan, repositories, redactParticipantNames], [
    "off",
    ["Acme/api.v2", "a/..b"],
    true,
  ]);
});

Deno.test("readConfiguration() never guesses a secret policy", () => {
  assert.match(refusal("security:\n  secretScan: off\n"), /boolean false.*in quotes/);
  for (const value of ["no", "BLOCK", "blok", "''", "null", "", "[]", "{a: 1}", "1", "~"]) {
    assert.match(refusal(`security:\n  secretScan: ${value}\n`), /"block", "warn" or "off"/);
  }
});

Deno.test("readConfiguration() describes what is too long to be repeated by its type", () => {
  const text = refusal(`security:\n  secretScan: ${"x".repeat(201)}\n`);
  assert(!text.includes("xxxx") && text.includes("more than 200 characters"));
  assert.match(refusal("security:\n  secretScan: [a, b]\n"), /it is a list/);
  assert.match(refusal('security:\n  secretScan: "\\e[2J"\n'), /\\x1b\[2J/);
});

Deno.test("readConfiguration() refuses a whole list for one bad repository", () => {
  for (
    const entry of [
      ...["one", "a/b/c", "../b", "a/..", "./b", "a/.", "a b/c", "/b", "a/", "é/b", "1", "[a/b]"],
      `a/${"x".repeat(200)}`,
      '"a/b\\n"',
    ]
  ) {
    refusal(`providers:\n  review:\n    repositories: [good/one, ${entry}]\n`);
  }
  refusal("providers:\n  review:\n    repositories: a/b\n");
});

Deno.test("readConfiguration() refuses a redaction that is no boolean", () => {
  for (const value of ['"true"', "1", "null", "[]"]) {
    refusal(`providers:\n  review:\n    redactParticipantNames: ${value}\n`);
  }
});

Deno.test("readConfiguration() refuses sections, roots and files that cannot be read as meant", () => {
  refusal("security: block\n");
  refusal("providers:\n  review: [a]\n");
  refusal("- a\n");
  refusal("text\n");
  refusal("a: [\n");
  refusal("security:\n  secretScan: warn\nsecurity:\n  secretScan: block\n");
  refusal("a: &x 1\nb: *x\n");
  refusal("a: 1\n---\nb: 2\n");
  refusal(new Uint8Array([0xff, 0xfe]));
});

Deno.test("readConfiguration() refuses a directory or a pipe, and a link that leaves the project", () => {
  using tree = project();
  Deno.mkdirSync(tree.file);
  assert.throws(tree.read, (error) => isFault(error, "configuration-invalid"));
  Deno.removeSync(tree.file);
  new Deno.Command("mkfifo", { args: [tree.file] }).outputSync();
  assert.throws(tree.read, (error) => isFault(error, "configuration-invalid"));
  Deno.removeSync(tree.file);
  Deno.symlinkSync("/etc/hostname", tree.file);
  assert.throws(tree.read, (error) => isFault(error, "path-escape") && error.exit === 4);
});
