/**
 * Every command in hostile checkouts, watched by the system: it starts nothing but `git`, speaks to
 * nobody, opens nothing outside and changes nothing but what is its own.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { McpConnection } from "../../scripts/bench_http.ts";
import { freePort } from "../../scripts/daemon.ts";
import { loadCommands } from "../../src/cli/commands.ts";
import { TOOLS } from "../../src/mcp/mod.ts";
import { PROGRAM, ServedProject } from "../support/served_project.ts";
import { writeMigration } from "../support/corpus.ts";
import { HOSTILITIES, newOutside, type Outside } from "./hostile_checkout.ts";
import { canTrace, readTrace, type Trace, trace, watched } from "./trace.ts";

const TRACES = Deno.build.os === "linux" && canTrace();
const IS_EXECUTABLE = PROGRAM.prefix.length === 0;

/** What each command is given besides `--json`. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  "compat check": [
    ...["--plugin-version", "0.6.0", "--core-minimum", "0.6.0"],
    ...["--core-maximum-exclusive", "0.7.0", "--protocol-version", "theurian/v1"],
  ],
  "explain": ["axolotl"],
  "adopt": ["docs", "AGENTS.md", "--owner", "t", "--author", "a@example.org"],
  "okf export": ["../exported"],
  "okf import": [
    ...[".theurian/knowledge", "--owner", "t", "--author", "a@example.org"],
    ...["--agent-id", "a", "--task-id", "t", "--model", "m", "--reasoning", "r"],
  ],
  "review ingest": ["acme/widgets"],
  "propose": [
    ...["--item-id", "evil.new", "--title", "T", "--kind", "domain", "--owner", "t"],
    ...["--author", "a@example.org", "--description", "d", "--body-file", "docs/link.md"],
    ...["--agent-id", "a", "--task-id", "t", "--model", "m", "--reasoning", "r", "--authored-here"],
  ],
  "propose accept": ["01KPR000000000000000000001"],
  "propose show": ["01KPR000000000000000000001"],
  "propose discard": ["01KPR000000000000000000001"],
  "project unregister": ["nobody"],
  "hook session-start": ["--declaration", ".theurian/config.yaml"],
  "completions": ["bash"],
};

/** Those that manage a service or a client, or serve until they are stopped. */
const LEFT_OUT = ["setup", "uninstall", "stdio", "daemon start", "daemon stop", "daemon restart"];

interface Line {
  readonly words: readonly string[];
  /** Programs that its row names. */
  readonly programs: readonly string[];
}

async function commandLines(): Promise<Line[]> {
  const rows = (await loadCommands()).filter(({ path }) => !LEFT_OUT.includes(path.join(" ")));
  return rows.map(({ path, permissions, options = [] }) => {
    const words = [...path, ...WORDS[path.join(" ")] ?? []];
    if (options.some((option) => option.name === "port")) words.push("--port", PORT);
    return { words, programs: permissions.run };
  });
}

const PORT = String(freePort());

function judge(line: Line, seen: Trace, served: ServedProject, outside: Outside): string[] {
  const { root, home, repository } = served;
  const places = [
    join(root, ".theurian/"),
    `${home}/`,
    join(repository.folder, "exported"),
    "/dev/",
  ];
  // A file that is put in place is written under a name of its own beside it.
  const files = new RegExp(`^${root}/(?:\\.gitignore|\\.theurian-[0-9a-f]+\\.tmp)$`);
  const isOurs = (path: string) =>
    !path.startsWith(outside.folder) &&
    (places.some((place) => path.startsWith(place)) || files.test(path) ||
      /\/[^/]*_okf-export[^/]*(?:\/|$)/.test(path));
  const named = new RegExp(`^/(?:usr/(?:local/)?)?bin/(?:${line.programs.join("|") || "none"})$`);
  const faults = [
    ...seen.programs.slice(1).filter((path) => !named.test(path)).map((path) => `starts ${path}`),
    ...seen.addresses.map((address) => `speaks to ${address}`),
    ...seen.opened.filter((path) => path.startsWith(`${outside.folder}/`) && /secret/.test(path))
      .map((path) => `opens ${path}`),
    ...seen.changed.map((path) => path.startsWith("/") ? path : join(root, path))
      .filter((path) => !isOurs(path)).map((path) => `changes ${path}`),
  ];
  if (/Internal fault/.test(seen.stderr)) faults.push(`meets a defect: ${seen.stderr}`);
  if (seen.exit > 10) faults.push(`exits with ${seen.exit}`);
  return faults.map((fault) => `${line.words.slice(0, 2).join(" ")} ${fault}`);
}

for (const { name, plant, path } of HOSTILITIES) {
  Deno.test({
    name: `${name}: no command starts, asks, opens or changes what it should not` +
      (TRACES ? "" : " (did not run: strace cannot trace here)"),
    ignore: !TRACES || !IS_EXECUTABLE,
    async fn() {
      await using served = new ServedProject();
      writeMigration(served.repository, 1, [{ itemId: "guide.open" }]);
      served.repository.write("docs/link.md", "# A page\n\nWith text.\n");
      served.repository.write("AGENTS.md", "# Agents\n\nWith text.\n");
      served.repository.commit();
      served.repository.git("update-ref", "refs/remotes/origin/main", "HEAD");
      const outside = newOutside(served);
      plant(served, outside);
      const env = { HOME: served.home, PATH: path ?? "/usr/local/bin:/usr/bin:/bin:.::bin" };
      const faults: string[] = [];
      let [succeeded, asked] = [0, 0];
      for (const line of await commandLines()) {
        const args = [...line.words, "--json"];
        const seen = await trace(PROGRAM.command, args, { cwd: served.root, env });
        faults.push(...judge(line, seen, served, outside));
        if (seen.exit === 0) succeeded++;
        asked += seen.programs.filter((path) => path.endsWith("/git")).length;
      }
      // Where the grant of `git` was resolved inside the checkout, git is not started at all.
      const enough = succeeded >= 8 && (path !== undefined || asked >= 20);
      assert.ok(enough, `${succeeded} succeeded, ${asked} asked git`);
      assert.deepEqual(faults, []);
      assert.throws(() => Deno.statSync(outside.mark), Deno.errors.NotFound);
    },
  });
}

for (const { name, plant } of HOSTILITIES) {
  Deno.test({
    name: `${name}: the daemon starts nothing, asks nobody and opens nothing outside` +
      (TRACES ? "" : " (did not run: strace cannot trace here)"),
    ignore: !TRACES || !IS_EXECUTABLE,
    async fn() {
      await using served = new ServedProject();
      writeMigration(served.repository, 1, [{ itemId: "guide.open" }]);
      await served.publish();
      await served.expect("project", "register");
      const outside = newOutside(served);
      plant(served, outside);
      const log = join(served.repository.folder, "trace");
      const daemon = await served.serve({ program: watched(PROGRAM, log) });
      const client = await McpConnection.open(daemon.port, daemon.token);
      for (const tool of TOOLS) {
        for (const input of INPUTS) await client.call(tool.name, input).catch(() => {});
      }
      client.close();
      const { code, stderr } = await served.stop();
      const seen = { exit: code, stderr, ...readTrace(log) };
      assert.deepEqual(judge({ words: ["daemon start"], programs: [] }, seen, served, outside), []);
      assert.ok(seen.opened.some((path) => path.endsWith("projects.json")));
    },
  });
}

/** Calls that reach every kind of file a tool reads. */
const INPUTS: readonly Record<string, unknown>[] = [
  {},
  { projectId: "demo" },
  { projectId: "demo", query: "text" },
  { projectId: "demo", itemId: "guide.open" },
  {
    projectId: "demo",
    document: {
      author: "a@example.org",
      operations: [{ op: "addAlias", alias: "guide.too", itemId: "guide.open" }],
    },
    evidence: { agentId: "a", taskId: "t", model: "m", reasoning: "r" },
  },
];

Deno.test({
  name: "the watch sees a program, a foreign file and a change",
  ignore: !TRACES,
  async fn() {
    await using served = new ServedProject();
    const outside = newOutside(served);
    const script = `cat '${outside.secret}' > '${served.repository.folder}/copy'`;
    const env = { PATH: "/usr/bin:/bin" };
    const seen = await trace("/bin/sh", ["-c", script], { cwd: served.root, env });
    const faults = judge({ words: ["sh"], programs: ["git"] }, seen, served, outside);
    assert.equal(faults.filter((fault) => /starts .*\/cat/.test(fault)).length, 1);
    assert.equal(faults.filter((fault) => /opens .*secret/.test(fault)).length, 1);
    assert.equal(faults.filter((fault) => /changes .*copy/.test(fault)).length, 1);
  },
});
