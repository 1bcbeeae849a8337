/**
 * Names that look alike to a file system, a database or an eye, and are not: by case, Unicode form,
 * `_` and `%`. None may answer for another.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { McpConnection } from "../../scripts/bench_http.ts";
import { writeMigration } from "../support/corpus.ts";
import { ServedProject } from "../support/served_project.ts";

/** Each pair is one name to somebody. */
const ALIKE: readonly string[] = [
  "plain",
  "Plain",
  "PLAIN",
  "caf\u00e9",
  "cafe\u0301",
  "a_b",
  "axb",
  "a%b",
  "a%25b",
  "a b",
  "a\u00a0b",
  "\u0430_b",
  "[ab]",
  "a*b",
  "-a",
  "a'b",
  'a"b',
  "a;b",
  "$HOME",
  "line\u2028end",
  "\u202etxt",
];

/** A word that only this name's text holds, far from every other one. */
const wordOf = (n: number) => `${String.fromCharCode(97 + n).repeat(9)}${n}`;

/** True where two such names are two files. */
function keepsApart(folder: string): boolean {
  for (const name of ALIKE) Deno.writeTextFileSync(join(folder, `${name}.probe`), name);
  const count = [...Deno.readDirSync(folder)].filter(({ name }) => name.endsWith(".probe")).length;
  return count === ALIKE.length;
}

/** A quoted text with everything beyond ASCII escaped. */
function ascii(quoted: string): string {
  return quoted.replace(
    /[^ -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

Deno.test("working trees whose names look alike are projects of their own", async () => {
  await using served = new ServedProject();
  const { folder } = served.repository;
  if (!keepsApart(folder)) return;
  const ids: string[] = [];
  for (const [n, name] of ALIKE.entries()) {
    const tree = new ServedProject();
    writeMigration(tree.repository, 1, [
      { itemId: "guide.same", title: "Same", body: `# Same\n\nHere lives ${wordOf(n)}.\n` },
    ]);
    tree.repository.commit();
    const root = join(folder, name);
    Deno.renameSync(tree.root, root);
    Deno.removeSync(tree.repository.folder, { recursive: true });
    const id = `project-${n}`;
    ids.push(id);
    const lines = [["project", "register", "--project-id", id], ["migrate", "apply"], [
      "index",
      "build",
    ]];
    for (const line of lines) {
      const { exit, stderr } = await served.commandIn(root, ...line);
      assert.equal(exit, 0, `${name}: ${stderr}`);
    }
  }
  for (const [n, name] of ALIKE.entries()) {
    const { stdout } = await served.commandIn(join(folder, name), "project", "status", "--json");
    assert.equal(JSON.parse(stdout).projectId, ids[n], name);
  }
  const { port, token } = await served.serve();
  const client = await McpConnection.open(port, token);
  const { projects } = await client.call("project.list", {}) as {
    projects: { rootPath: string }[];
  };
  assert.deepEqual(
    projects.map(({ rootPath }) => rootPath).sort(),
    ALIKE.map((name) => join(folder, name)).sort(),
  );
  for (const [n, projectId] of ids.entries()) {
    const { body } = await client.call("knowledge.get", { projectId, itemId: "guide.same" });
    assert.ok(String(body ?? "").includes(wordOf(n)) || JSON.stringify(body).includes(wordOf(n)));
    const other = wordOf((n + 1) % ALIKE.length);
    const { count } = await client.call("knowledge.search", { projectId, query: `"${other}"` });
    assert.equal(count, 0, ALIKE[n]);
  }
  const { exit } = await served.command("project", "unregister", ids[0]!);
  assert.equal(exit, 0);
  const rest = await client.call("project.list", {});
  assert.equal(rest["count"], ALIKE.length - 1);
  client.close();
});

Deno.test("bodies whose paths look alike are bodies of their own", async () => {
  await using served = new ServedProject();
  const { repository } = served;
  if (!keepsApart(repository.folder)) return;
  writeMigration(
    repository,
    1,
    ALIKE.map((_, n) => ({
      itemId: `guide.page-${n}`,
      title: `Page ${n}`,
      body: `# Page\n\nHere lives ${wordOf(n)}.\n`,
    })),
  );
  const migration = [...Deno.readDirSync(join(served.root, ".theurian/migrations"))][0]!.name;
  const file = `.theurian/migrations/${migration}`;
  let text = repository.read(file);
  for (const [n, name] of ALIKE.entries()) {
    const old = `test/${100 + n}-guide.page-${n}.txt`;
    const path = `.theurian/knowledge/${name}.md`;
    repository.write(path, repository.read(`.theurian/knowledge/${old}`));
    text = text.replace(
      new RegExp(`contentFile: .*${old.replaceAll(".", "\\.")}.*`),
      () => `contentFile: ${ascii(JSON.stringify(`../knowledge/${name}.md`))}`,
    );
  }
  repository.write(file, text);
  const { exit, stderr } = await served.command("migrate", "validate");
  assert.equal(exit, 0, stderr);
  await served.publish();
  await served.expect("project", "register");
  const { port, token } = await served.serve();
  const client = await McpConnection.open(port, token);
  for (const n of ALIKE.keys()) {
    const found = await client.call("knowledge.search", { projectId: "demo", query: wordOf(n) });
    const [first] = found["results"] as { itemId: string }[];
    assert.equal(first!.itemId, `guide.page-${n}`, ALIKE[n]);
  }
  client.close();
});

Deno.test("an id is taken as it is spelled, and matches no pattern", async () => {
  await using served = await ServedProject.start();
  const client = await McpConnection.open(served.daemon.port, served.daemon.token);
  const spellings = [
    "guide.page-_",
    "guide.page-%",
    "GUIDE.PAGE-0",
    "guide.page-0 ",
    "guide.page-０",
  ];
  for (const itemId of spellings) {
    await assert.rejects(client.call("knowledge.get", { projectId: "demo", itemId }), itemId);
  }
  for (const projectId of ["DEMO", "dem_", "dem%", "demo ", "ｄemo", "demo\u0000"]) {
    await assert.rejects(client.call("knowledge.status", { projectId }), projectId);
  }
  client.close();
});
