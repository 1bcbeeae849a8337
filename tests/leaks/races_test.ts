/**
 * Many at once and the ground moving under them: sixteen processes on a cold checkout, a project that
 * vanishes and comes back, thirty-two clients of two projects with the same ids. Rounds are few here;
 * THEURIAN_RACE_ROUNDS takes more (`deno task soak` takes a hundred).
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { McpConnection } from "../../scripts/bench_http.ts";
import { writeMigration } from "../support/corpus.ts";
import { PAGES, ServedProject } from "../support/served_project.ts";

const ROUNDS = Number(Deno.env.get("THEURIAN_RACE_ROUNDS") ?? 2);

/** What a process that lost a race may answer: a refusal of ours, never a fault. */
function assertRefusal(line: string, exit: number, stderr: string): void {
  assert.ok([1, 4].includes(exit), `${line}: ${exit} ${stderr}`);
  const { error, remedy } = JSON.parse(stderr);
  assert.ok(typeof error === "string" && typeof remedy === "string" && remedy !== "");
  assert.doesNotMatch(stderr, /Internal fault|corrupt|malformed|damaged/i, line);
}

Deno.test(`sixteen processes at once on a cold checkout end in one state and one index (${ROUNDS} rounds)`, async () => {
  await using served = new ServedProject();
  writeMigration(served.repository, 1, PAGES);
  served.repository.commit();
  await served.expect("project", "register");
  for (let round = 0; round < ROUNDS; round++) {
    const state = join(served.root, ".theurian");
    for (const name of ["state", "cache", "runtime"]) {
      await Deno.remove(join(state, name), { recursive: true }).catch(() => {});
    }
    await Deno.remove(join(served.dataDirectory, "built-here.json")).catch(() => {});
    const lines = Array.from(
      { length: 16 },
      (_, n) => ["migrate apply", "index build", "explain retry", "migrate status"][n % 4]!,
    );
    const runs = await Promise.all(
      lines.map((line) => served.command(...line.split(" "), "--json")),
    );
    const applied = runs.filter((_, n) => n % 4 === 0);
    for (const [n, { exit, stderr }] of runs.entries()) {
      if (exit !== 0) assertRefusal(lines[n]!, exit, stderr);
    }
    assert.ok(applied.every(({ exit }) => exit === 0), JSON.stringify(applied));
    const hashes = new Set(applied.map(({ stdout }) => JSON.parse(stdout).stateHash));
    assert.equal(hashes.size, 1);
    await served.expect("index", "build");
    assert.equal((await served.expect("index", "status")).stale, false);
    assert.ok((await served.expect("explain", "retry")).count > 0);
    const left = [...Deno.readDirSync(join(state, "state"))].map(({ name }) => name)
      .filter((name) => /\.building|\.tmp|-journal$|-wal$/.test(name));
    assert.deepEqual(left, [], `round ${round}`);
  }
});

/** Calls a tool; a refusal answers its text. */
async function outcome(client: McpConnection, name: string, input: Record<string, unknown>) {
  try {
    return { found: await client.call(name, input), refusal: null };
  } catch (error) {
    return { found: null, refusal: String(error) };
  }
}

Deno.test("a project whose files vanish and return is refused cleanly meanwhile, and served again", async () => {
  await using served = await ServedProject.start();
  const { port, token } = served.daemon;
  const theurian = join(served.root, ".theurian");
  const state = join(theurian, "state");
  const hide: Readonly<Record<string, () => () => void>> = {
    "the folder": () => renamed(theurian),
    "the state": () => renamed(state),
    "the pointer": () => renamed(join(state, "active.json")),
    "the checkout": () => renamed(served.root),
    "the right to read": () => {
      Deno.chmodSync(state, 0o000);
      return () => Deno.chmodSync(state, 0o755);
    },
  };
  const client = await McpConnection.open(port, token);
  const ask = () => outcome(client, "knowledge.search", { projectId: "demo", query: "retry" });
  for (let round = 0; round < ROUNDS; round++) {
    for (const [what, vanish] of Object.entries(hide)) {
      assert.ok(((await ask()).found?.["count"] as number) > 0, what);
      const asking = Promise.resolve().then(ask);
      const restore = vanish();
      try {
        const { refusal, found } = await asking;
        assert.ok(found !== null || !/internal error/.test(refusal!), refusal ?? "");
        const gone = await ask();
        // Whoever may read everything can read what has no right to be read.
        if (what !== "the right to read") assert.equal(gone.found, null, what);
        if (gone.refusal !== null) {
          assert.doesNotMatch(gone.refusal, /internal error/, what);
          assert.ok(!gone.refusal.includes(served.dataDirectory), gone.refusal);
        }
      } finally {
        restore();
      }
      assert.ok(((await ask()).found?.["count"] as number) > 0, `${what}, back again`);
    }
  }
  client.close();
  assert.equal((await served.stop()).stderr, "");
});

function renamed(path: string): () => void {
  Deno.renameSync(path, `${path}.away`);
  return () => Deno.renameSync(`${path}.away`, path);
}

/** Two projects whose every id is the same, and whose words are not. */
async function twins(): Promise<ServedProject> {
  const served = new ServedProject("left");
  const right = new ServedProject("right");
  const root = join(served.repository.folder, "right");
  for (
    const [repository, side] of [[served.repository, "left"], [right.repository, "right"]] as const
  ) {
    writeMigration(
      repository,
      1,
      [0, 1, 2, 3].map((n) => ({
        itemId: `guide.page-${n}`,
        title: `Page ${n}`,
        body: `# Page ${n}\n\nEvery retry of ${side}side number ${n}.\n`,
      })),
    );
    repository.commit();
  }
  const { success } = new Deno.Command("cp", { args: ["-a", right.root, root] }).outputSync();
  assert.ok(success);
  right.repository[Symbol.dispose]();
  await served.publish();
  await served.expect("project", "register");
  await served.expect("project", "register", root);
  for (const line of ["migrate apply", "index build --raptor"]) {
    const { exit, stderr } = await served.commandIn(root, ...line.split(" "));
    assert.equal(exit, 0, stderr);
  }
  return served;
}

Deno.test("thirty-two clients of two projects with the same ids never see the other's", async () => {
  await using served = await twins();
  const { port, token } = await served.serve();
  const clients = await Promise.all(
    Array.from({ length: 32 }, () => McpConnection.open(port, token)),
  );
  const questions = [
    ["knowledge.search", { query: "retry" }],
    ["knowledge.search", { query: "number", limit: 50 }],
    ["knowledge.get", { itemId: "guide.page-2" }],
    ["knowledge.status", {}],
  ] as const;
  const hashes = new Map<string, Set<string>>([["left", new Set()], ["right", new Set()]]);
  await Promise.all(clients.map(async (client, n) => {
    for (let turn = 0; turn < 12 * ROUNDS; turn++) {
      const side = (n + turn) % 2 === 0 ? "left" : "right";
      const other = side === "left" ? "right" : "left";
      const [name, input] = questions[(n + turn >> 1) % questions.length]!;
      const { found, refusal } = await outcome(client, name, { projectId: side, ...input });
      if (found === null) {
        assert.match(refusal!, /at its capacity/);
        continue;
      }
      const text = JSON.stringify(found);
      assert.ok(!text.includes(`${other}side`), `${side}: ${text.slice(0, 300)}`);
      if (name === "knowledge.status") hashes.get(side)!.add(found["stateHash"] as string);
      else if (name === "knowledge.get") assert.ok(text.includes(`${side}side number 2`));
    }
  }));
  for (const client of clients) client.close();
  const [left, right] = [...hashes.values()].map((set) => [...set]);
  assert.ok(left!.length === 1 && right!.length === 1 && left![0] !== right![0]);
});
