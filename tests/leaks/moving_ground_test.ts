/**
 * Searches while another thread applies and indexes one of two states after the other: whatever comes
 * back is the answer of one of the two, whole, or, while the index is behind, what both have in common.
 * THEURIAN_RACE_ROUNDS takes more rounds.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { McpConnection } from "../../scripts/bench_http.ts";
import { testUlid, writeMigration } from "../support/corpus.ts";
import { PAGES, ServedProject } from "../support/served_project.ts";
import type { SwitchOrder, SwitchReport } from "../support/switch_states.ts";

const ROUNDS = Math.max(50, Number(Deno.env.get("THEURIAN_RACE_ROUNDS") ?? 0));

/** A search has one of four places; a client waits for its answer, so none is refused. */
const CLIENTS = 3;

// deno-lint-ignore no-explicit-any
type Answer = any;

const QUERIES = ["retry", "budget of lane3", "evening", "page 5", "morning lane"];
const ITEMS = ["guide.page-1", "guide.page-4", "guide.page-20", "guide.page-6"];

/** Everything that is asked of a state. */
const QUESTIONS: readonly (readonly [name: string, input: Readonly<Record<string, unknown>>])[] = [
  ...QUERIES.map((query) =>
    ["knowledge.search", {
      query,
      limit: 50,
      maxTokens: 32_000,
      useDense: query.length > 8,
    }] as const
  ),
  ...ITEMS.map((itemId) => ["knowledge.get", { itemId }] as const),
  ["knowledge.status", {}],
];

/** The migration that one state lacks: six pages revised, one withdrawn, one new. */
function writeSecondState({ repository }: ServedProject): string {
  const revised = PAGES.slice(0, 6).map((page, n) => ({
    ...page,
    expectedRevision: testUlid("RV", 100 + n),
    title: `${page.title}, as of the evening`,
    body: `# Page ${n}\n\nIn the evening a retry of kind ${n} asks lane${n + 1} before morning.\n`,
  }));
  const fresh = {
    itemId: "guide.page-20",
    title: "Page 20",
    body: "# Page 20\n\nEvening retry.\n",
  };
  const id = writeMigration(repository, 2, [...revised, fresh], [
    { op: "deprecateItem", itemId: "guide.page-6", reason: "gone" },
  ]);
  return join(repository.root, `.theurian/migrations/${id}-test.yaml`);
}

/** What a client gets: the document, or why it was refused. */
async function ask(client: McpConnection, number: number): Promise<Answer> {
  const [name, input] = QUESTIONS[number]!;
  try {
    return await client.call(name, { projectId: "demo", ...input });
  } catch (error) {
    return { refusal: String(error).replace(/.*(not present|not found)/s, "$1") };
  }
}

/** An answer without what tells of the build and of the day. */
function lasting(answer: Answer): Answer {
  return JSON.parse(
    JSON.stringify(
      answer,
      (key, value) =>
        ["indexBuildId", "note", "ageDays", "raptorPath"].includes(key) ? undefined : value,
    ),
  );
}

/** The answers of a settled state, in the order of the questions. */
async function settled(client: McpConnection): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const number of QUESTIONS.keys()) answers.push(lasting(await ask(client, number)));
  return answers;
}

const revisionsOf = (answer: Answer): string[] =>
  answer.results.map((hit: Answer) => `${hit.itemId} ${hit.revisionId} ${hit.title}`).sort();

/** The two states, and what came in between. */
class Witness {
  readonly #states = new Map<string, readonly Answer[]>();
  readonly seen = { whole: 0, behind: 0, scanned: 0, of: new Set<string>() };

  constructor(...states: readonly (readonly Answer[])[]) {
    for (const answers of states) this.#states.set(answers[0].retrieval.snapshotId, answers);
    assert.equal(this.#states.size, 2);
  }

  check(number: number, answer: Answer): void {
    if (QUESTIONS[number]![0] !== "knowledge.search") return this.#checkOther(number, answer);
    assert.ok(answer.retrieval !== undefined, JSON.stringify(answer));
    const { snapshotId, stale, fallbackReason } = answer.retrieval;
    const expected = this.#states.get(snapshotId)?.[number];
    assert.ok(expected !== undefined, `a third state: ${snapshotId}`);
    this.seen.of.add(snapshotId);
    if (fallbackReason !== null) {
      this.seen.scanned++;
      assert.deepEqual(this.#strangers(answer, snapshotId), [], fallbackReason);
    } else if (stale) {
      this.seen.behind++;
      assert.deepEqual(this.#strangers(answer, snapshotId), []);
      const common = [...this.#states.values()].map((answers) => revisionsOf(answers[number]));
      const inBoth = common[0]!.filter((hit) => common[1]!.includes(hit));
      assert.ok(inBoth.every((hit) => revisionsOf(answer).includes(hit)), JSON.stringify(answer));
    } else {
      this.seen.whole++;
      assert.deepEqual(lasting(answer), expected);
    }
  }

  /** Hits that the state does not have in any of its answers. */
  #strangers(answer: Answer, snapshotId: string): string[] {
    const known = new Set(
      this.#states.get(snapshotId)!.slice(0, QUERIES.length).flatMap(revisionsOf),
    );
    return revisionsOf(answer).filter((hit) => !known.has(hit));
  }

  /** Gets and counts never depend on the index. */
  #checkOther(number: number, answer: Answer): void {
    const given = JSON.stringify(lasting(answer));
    const states = [...this.#states.values()].map((answers) => JSON.stringify(answers[number]));
    assert.ok(states.includes(given), `${QUESTIONS[number]![1]["itemId"]}: ${given}`);
  }
}

function switching(order: SwitchOrder): Promise<SwitchReport> {
  const worker = new Worker(new URL("../support/switch_states.ts", import.meta.url), {
    type: "module",
  });
  return new Promise<SwitchReport>((resolve, reject) => {
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = (event) => {
      event.preventDefault();
      reject(new Error(event.message));
    };
    worker.postMessage(order);
  }).finally(() => worker.terminate());
}

Deno.test(`every answer is that of one of two states while they are applied and indexed in turn (${ROUNDS} rounds)`, async () => {
  await using served = await ServedProject.start();
  const { port, token } = served.daemon;
  const clients = await Promise.all(
    Array.from({ length: CLIENTS }, () => McpConnection.open(port, token)),
  );
  const first = await settled(clients[0]!);
  const migration = writeSecondState(served);
  await served.publish();
  const second = await settled(clients[0]!);
  const witness = new Witness(first, second);
  let isOver = false;
  const { root, dataDirectory } = served;
  const parked = join(served.repository.folder, testUlid("MG", 2));
  const order = { projectId: "demo", root, dataDirectory, migration, parked, rounds: ROUNDS };
  const changes = switching(order).finally(() => isOver = true);
  let asked = 0;
  const asking = clients.map(async (client, n) => {
    for (let turn = n; !isOver; turn++) {
      const number = turn % QUESTIONS.length;
      witness.check(number, await ask(client, number));
      asked++;
    }
  });
  const [{ states }] = await Promise.all([changes, ...asking]);
  for (const client of clients) client.close();
  assert.equal(states.length, ROUNDS);
  assert.deepEqual(new Set(states), witness.seen.of);
  const { whole, behind, scanned } = witness.seen;
  assert.ok(asked >= 2 * ROUNDS && whole > ROUNDS / 2, JSON.stringify({ asked, whole, behind }));
  assert.equal(scanned, 0, "an index was published all the time");
  assert.equal((await served.stop()).stderr, "");
});
