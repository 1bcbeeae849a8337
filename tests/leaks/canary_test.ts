/**
 * A word in every place that something could leak from, and every place that says anything searched
 * for it: answers, refusals, logs, errors, derived files.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { HttpConnection } from "../../scripts/bench_http.ts";
import { loadCommands } from "../../src/cli/commands.ts";
import { loadToolSchemas } from "../../src/mcp/mod.ts";
import { type TestItem, testUlid, writeMigration } from "../support/corpus.ts";
import { ServedProject } from "../support/served_project.ts";
import { assertSilent, CANARIES, filesBelow, type Utterance } from "./canaries.ts";

const { restricted, draft, superseded, deprecated, argument, environment, file } = CANARIES;
const HIDDEN = [restricted, draft, superseded, deprecated];

/** Beside each hidden word stands a plain one, to ask for it without saying it. */
const ASKED = ["zebrafish", "yellowtail", "xenopus", "wallaby", "retry"];

function page(itemId: string, word: string, metadata: NonNullable<TestItem["metadata"]> = {}) {
  const body = `# About ${itemId}\n\nThe ${word} appears here.\n`;
  return { itemId, title: `On ${word}`, body, metadata };
}

const ANCHORED = (word: string) => ({
  owner: word,
  labels: [word, "authored-in-theurian"],
  sourceAnchors: [{ provider: "git", sourceUri: `git://local/${word}.md` }],
});

async function hiddenProject(): Promise<ServedProject> {
  const served = new ServedProject();
  const { repository } = served;
  writeMigration(repository, 1, [
    page("guide.open", "retry"),
    page("secret.page", `zebrafish ${restricted}`, {
      sensitivity: "restricted",
      ...ANCHORED(restricted),
    }),
    page("early.page", `yellowtail ${draft}`, { status: "draft", ...ANCHORED(draft) }),
    page("old.page", `xenopus ${superseded}`),
    page("gone.page", `wallaby ${deprecated}`, ANCHORED(deprecated)),
  ]);
  await served.publish();
  const revision = testUlid("RV", 103);
  writeMigration(repository, 2, [], [
    {
      op: "addRelation",
      sourceItemId: "guide.open",
      relationType: "related_to",
      targetItemId: "secret.page",
      note: restricted,
    },
    { op: "addAlias", alias: "secret.alias", itemId: "secret.page" },
    { op: "deprecateItem", itemId: "gone.page", reason: deprecated },
    replacement(served, revision),
  ]);
  await served.publish();
  await served.expect("project", "register");
  return served;
}

/** A revision of `old.page` without the word. */
function replacement(served: ServedProject, expectedRevision: string) {
  const other = new ServedProject("other");
  try {
    writeMigration(other.repository, 3, [page("old.page", "nothing")]);
    const migration = other.repository.read(
      `.theurian/migrations/${testUlid("MG", 3)}-test.yaml`,
    );
    const text = other.repository.read(".theurian/knowledge/test/300-old.page.txt");
    served.repository.write(".theurian/knowledge/test/300-old.page.txt", text);
    const contentSha256 = /contentSha256: '?([0-9a-f]{64})/.exec(migration)![1]!;
    return {
      op: "upsertRevision",
      itemId: "old.page",
      revisionId: testUlid("RV", 300),
      expectedRevision,
      contentFile: "../knowledge/test/300-old.page.txt",
      contentSha256,
      metadata: {
        title: "On nothing",
        contentType: "text/markdown",
        kind: "convention",
        status: "approved",
        namespace: "old",
        owner: "team",
        labels: ["authored-in-theurian"],
      },
    };
  } finally {
    other.repository[Symbol.dispose]();
  }
}

/** Asks in both families; answers everything that came back. */
async function ask(served: ServedProject, name: string, input: unknown): Promise<Utterance> {
  const { port, token } = served.daemon;
  const connection = await HttpConnection.open(port);
  const params = { name, arguments: input };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
  const headers = `Authorization: Bearer ${token}\r\nContent-Type: application/json\r\n`;
  const answer = await connection.ask("POST", "/mcp", headers, body);
  connection.close();
  const head = [...answer.headers].map(([key, value]) => `${key}: ${value}`).join("\n");
  return { where: `${name} ${body.slice(0, 200)}`, text: `${head}\n${answer.body}` };
}

const ITEMS = ["guide.open", "secret.page", "secret.alias", "early.page", "old.page", "gone.page"];

/** Everything a client would ask that wants to see what is hidden. */
function curiousCalls(): [string, unknown][] {
  const searches = ASKED.flatMap((query) =>
    [{}, { includeUnapproved: true }, { useDense: true }, { asOf: "2026-09-01T00:00:00Z" }]
      .map((more): [string, unknown] => [
        "knowledge.search",
        { projectId: "demo", query, limit: 50, ...more },
      ])
  );
  const gets = ITEMS.map((itemId): [string, unknown] => [
    "knowledge.get",
    { projectId: "demo", itemId },
  ]);
  const others = ["knowledge.status", "review.findings", "review.search"];
  return [
    ...searches,
    ...gets,
    ...others.map((name): [string, unknown] => [name, { projectId: "demo" }]),
    ["project.list", {}],
    ["system.capabilities", {}],
    ...ITEMS.map((itemId): [string, unknown] => [
      "knowledge.generateMigrationDraft",
      {
        projectId: "demo",
        document: {
          author: "a@example.org",
          description: "x",
          operations: [{ op: "addAlias", alias: `${itemId}.again`, itemId }],
        },
        evidence: { agentId: "a", taskId: "t", model: "m", reasoning: "r" },
      },
    ]),
  ];
}

/** Every tool with every argument wrong, and with one that nobody knows. */
function wrongCalls(): [string, unknown][] {
  // Longer than any bound: a short filter of a review tool is quoted back, so that a typing error
  // shows, and a query that is served comes back with what was found.
  const long = argument.repeat(130);
  const values = [long, [long], { a: long }, { [`__proto__`]: long }, `${long}\n`];
  return [...loadToolSchemas().inputs].flatMap(([name, schema]) => {
    const keys = Object.keys(schema["properties"] as object ?? {});
    const good = keys.includes("projectId") ? { projectId: "demo" } : {};
    return [...keys, "unknownKey"].flatMap((key) =>
      values.map((value): [string, unknown] => [name, { ...good, [key]: value }])
    );
  });
}

Deno.test("what is hidden, sent, set or secret is said nowhere", async (t) => {
  await using served = await hiddenProject();
  const env = Object.fromEntries(
    ["AWS_SECRET_ACCESS_KEY", "GH_TOKEN", "THEURIAN_MCP_TOKEN", "THEURIAN_DEBUG", "LD_LIBRARY_PATH"]
      .map((name) => [name, environment]),
  );
  const { token } = await served.serve({ env });
  const said: Utterance[] = [];

  await t.step("curious calls see what is open and nothing else", async () => {
    for (const [name, input] of curiousCalls()) {
      const answer = await ask(served, name, input);
      // Drafts are shown to whoever asks for them by name of the switch.
      const open: string[] = JSON.stringify(input).includes("includeUnapproved") ? [draft] : [];
      assertSilent([answer], HIDDEN.filter((word) => !open.includes(word)));
      if (open.length === 0) said.push(answer);
    }
    assert.ok(said.some(({ text }) => text.includes("guide.open")));
  });

  await t.step("a refused argument is not repeated", async () => {
    const refused: Utterance[] = [];
    for (const [name, input] of wrongCalls()) refused.push(await ask(served, name, input));
    assert.ok(refused.length > 200);
    assertSilent(refused, [argument, ...HIDDEN]);
    said.push(...refused);
  });

  await t.step("every command that only looks says nothing hidden", async () => {
    for (const { path, permissions } of await loadCommands()) {
      if (permissions.write || path[0] === "daemon" && path[1] !== "status") continue;
      const words = path[0] === "explain" ? ["zebrafish", "--item", "guide.open"] : [];
      for (
        const more of [[], ["--json"], ["--report"], [`--json=${argument}`], [argument, argument]]
      ) {
        const line = [...path, ...words, ...more];
        const { stdout, stderr } = await served.commandWith(env, ...line);
        said.push({ where: line.join(" "), text: stdout + stderr });
      }
    }
    assertSilent(said, [argument, ...HIDDEN]);
  });

  const { code, stderr } = await served.stop();
  said.push({ where: "the daemon's log", text: stderr });
  await t.step("neither token nor environment was said, and the log holds no query", () => {
    assert.equal(code, 0);
    assertSilent(said, [token, environment]);
    assertSilent([{ where: "the log", text: stderr }], [...ASKED, "guide.open", "demo"]);
  });

  await t.step("no derived file holds what may not be served from it", () => {
    const state = join(served.root, ".theurian/state");
    const indexes = filesBelow(state, (path) => /theurian-index/.test(path));
    assert.ok(indexes.length > 0 && indexes.some(({ text }) => text.includes("guide.open")));
    assertSilent(indexes, HIDDEN);
    const derived = ["state", "cache", "runtime"].flatMap((name) =>
      filesBelow(join(served.root, ".theurian", name))
    );
    const data = filesBelow(served.dataDirectory, (path) => !path.endsWith("/mcp-token"));
    assertSilent([...derived, ...data], [token, environment, argument]);
  });

  await t.step("the same net catches what a higher ceiling shows", async () => {
    const profile = join(served.dataDirectory, "auth/serving-profile");
    Deno.writeTextFileSync(profile, "restricted", { mode: 0o600 });
    await served.expect("index", "build");
    await served.serve();
    const input = { projectId: "demo", query: "zebrafish" };
    const answer = await ask(served, "knowledge.search", input);
    assert.throws(() => assertSilent([answer], [restricted]));
    await served.stop();
  });
});

const BROKEN:
  readonly (readonly [string, (served: ServedProject) => [string, string | Uint8Array]])[] = [
    ["a migration", ({ root }) => [
      join(root, ".theurian/migrations", `${testUlid("MG", 9)}-x.yaml`),
      `apiVersion: theurian.dev/v1\nid: &a ${file}\n\t${file}: {${file}\n`,
    ]],
    ["a migration of bytes", ({ root }) => [
      join(root, ".theurian/migrations", `${testUlid("MG", 9)}-x.yaml`),
      new Uint8Array([0xff, ...new TextEncoder().encode(file)]),
    ]],
    [
      "the configuration",
      ({ root }) => [join(root, ".theurian/config.yaml"), `a: [${file}\n b: !!x ${file}\n`],
    ],
    [
      "the state pointer",
      ({ root }) => [join(root, ".theurian/state/active.json"), `{"x":"${file}`],
    ],
    [
      "the index pointer",
      ({ root }) => [join(root, ".theurian/state/active-index.json"), `["${file}"`],
    ],
    [
      "the state",
      ({ root }) => [stateFile(root, "theurian-state-"), `SQLite format 3\0${file}`.repeat(400)],
    ],
    ["the index", ({ root }) => [stateFile(root, "theurian-index-"), file.repeat(4000)]],
    ["the registry", ({ dataDirectory }) => [join(dataDirectory, "projects.json"), `{"${file}":`]],
    [
      "the list of what was built",
      ({ dataDirectory }) => [join(dataDirectory, "built-here.json"), `{${file}`],
    ],
    ["the token", ({ dataDirectory }) => [join(dataDirectory, "auth/mcp-token"), `${file}!`]],
    [
      "an evidence record",
      ({ root }) => [join(root, ".theurian/review/x/pull-request/1.json"), `{"${file}`],
    ],
    ["a proposal", ({ root }) => [
      join(root, ".theurian/proposals", testUlid("PR", 1), "evidence.json"),
      `{"${file}":`,
    ]],
  ];

function stateFile(root: string, prefix: string): string {
  const state = join(root, ".theurian/state");
  const { name } = [...Deno.readDirSync(state)].find((entry) => entry.name.startsWith(prefix))!;
  return join(state, name);
}

const LOOKS = [
  ...[
    "migrate status",
    "migrate validate",
    "migrate apply",
    "index status",
    "index build",
    "index gc",
  ],
  ...[
    "doctor",
    "doctor --report",
    "project list",
    "project status",
    "propose list",
    "explain retry",
  ],
  ...["review build", "findings build", "ingest", "auth status", "okf export ../never"],
];

Deno.test("a broken file is named, and nothing of it is shown, by commands and tools", async (t) => {
  await using served = await ServedProject.start([page("guide.open", "retry")]);
  for (const [what, place] of BROKEN) {
    await t.step(what, async () => {
      const [path, content] = place(served);
      const before = exists(path) ? Deno.readFileSync(path) : null;
      Deno.mkdirSync(join(path, ".."), { recursive: true });
      Deno.writeFileSync(
        path,
        typeof content === "string" ? new TextEncoder().encode(content) : content,
      );
      const said: Utterance[] = [];
      for (const line of LOOKS) {
        const run = await served.commandWith({ THEURIAN_DEBUG: "1" }, ...line.split(" "));
        said.push({ where: line, text: run.stdout + run.stderr });
        assert.ok(run.exit < 10, `${line}: ${run.exit} ${run.stderr}`);
        assert.ok(!/Internal fault|internal error/.test(run.stderr), `${line}: ${run.stderr}`);
      }
      for (const [name, input] of curiousCalls().slice(0, 4)) {
        said.push(await ask(served, name, input));
      }
      assertSilent(said, [file]);
      if (before === null) Deno.removeSync(path);
      else Deno.writeFileSync(path, before);
      await served.command("migrate", "apply");
      await served.command("index", "build");
    });
  }
  assertSilent([{ where: "the log", text: (await served.stop()).stderr }], [file]);
});

function exists(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch {
    return false;
  }
}
