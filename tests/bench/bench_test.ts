import assert from "node:assert/strict";
import { BenchCorpus } from "../../scripts/bench_corpus.ts";
import { HttpConnection } from "../../scripts/bench_http.ts";
import { readOptions } from "../../scripts/bench_options.ts";
import { tableOf } from "../../scripts/bench_report.ts";
import { median, quantile, ratioOf } from "../../scripts/bench_samples.ts";
import { loadMigrationSet, replay } from "../../src/knowledge/mod.ts";
import { projectPaths } from "../../src/projects/mod.ts";

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "bench-" }));
  try {
    await work(folder);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

function filesBelow(folder: string): Map<string, string> {
  const files = new Map<string, string>();
  for (const entry of Deno.readDirSync(folder)) {
    const path = `${folder}/${entry.name}`;
    if (entry.isFile) files.set(entry.name, Deno.readTextFileSync(path));
    else for (const [name, text] of filesBelow(path)) files.set(`${entry.name}/${name}`, text);
  }
  return files;
}

Deno.test("the bench's corpus is the same for the same seed, another for another, and can be applied", () =>
  inFolder(async (folder) => {
    const write = async (name: string, seed: number) => {
      const corpus = new BenchCorpus({ seed, items: 12, itemsPerMigration: 5 });
      await corpus.write(`${folder}/${name}`);
      corpus.addItems(`${folder}/${name}`, 0, 3);
      const { word } = corpus.changeItem(`${folder}/${name}`, 0);
      return { files: filesBelow(`${folder}/${name}`), queries: corpus.queries(2), word };
    };
    const one = await write("one", 1);
    assert.deepEqual(await write("again", 1), one);
    assert.notDeepEqual((await write("other", 2)).files, one.files);
    const bodies = [...one.files].filter(([name]) => name.endsWith(".md"));
    assert.equal(bodies.length, 16);
    for (const [name, text] of bodies) {
      assert.ok(text.length > 2800 && text.length < 4200, `${name} has ${text.length} letters`);
      assert.equal(text.match(/^## /gm)?.length, 4);
    }
    assert.equal(bodies.filter(([, text]) => text.includes(one.word)).length, 1);
    const set = loadMigrationSet(projectPaths(`${folder}/one`));
    const { state, operationsApplied } = replay(
      set.applicationOrder.map((id) => set.byId.get(id)!),
      null,
    );
    assert.deepEqual([state.items.size, operationsApplied], [15, 31]);
  }));

Deno.test("the bench's numbers are what they are called", () => {
  assert.equal(median([3, 1, 2]), 2);
  assert.equal(median([4, 1, 2, 3]), 2.5);
  assert.equal(quantile([5, 1, 4, 2, 3], 0.5), 3);
  assert.equal(quantile(Array.from({ length: 100 }, (_, i) => i + 1), 0.99), 99);
  assert.ok(Number.isNaN(median([])));
  const times = { name: "a", unit: "ms", ours: [1, 2, 4], peer: [10, 10, 10] } as const;
  assert.deepEqual(ratioOf(times), { middle: 5, least: 2.5, most: 10 });
  const rates = { name: "b", unit: "1/s", ours: [100, 100], peer: [10, 5] } as const;
  assert.deepEqual(ratioOf(rates), { middle: 100 / 7.5, least: 10, most: 20 });
  assert.equal(ratioOf({ ...times, peer: [] }), null);
});

Deno.test("the bench's table says what is aimed at and missed", () => {
  const measure = { name: "apply", unit: "ms", ours: [10], peer: [50], target: 10 } as const;
  assert.match(tableOf({ items: 2000, measures: [measure] }), /^### 2,000 items\n\n\| measure/);
  assert.match(tableOf({ items: 1, measures: [measure] }), /apply .*5\.0×.*10× missed/);
  assert.doesNotMatch(tableOf({ items: 1, measures: [{ ...measure, target: 5 }] }), /missed/);
  assert.match(tableOf({ items: 1, measures: [{ ...measure, peer: [] }] }), /10\.0 ms–10\.0 ms/);
});

Deno.test("the bench's options have defaults and refuse what they do not know", () => {
  assert.deepEqual(readOptions([])?.items, [200, 2000, 10000]);
  const options = readOptions(["--items=50", "--sections=starts,answers", "--rounds=2", "--keep"]);
  assert.deepEqual(options?.items, [50]);
  assert.deepEqual(readOptions(["--items="])?.items, []);
  assert.deepEqual(options?.sections, ["starts", "answers"]);
  assert.deepEqual([options?.rounds, options?.keep, options?.peer], [2, true, null]);
  assert.deepEqual(readOptions(["--peer=a b"])?.peer?.prefix, ["b"]);
  for (const bad of ["--items=x", "--items=0", "--sections=all", "--what", "items=2"]) {
    assert.equal(readOptions([bad]), null, bad);
  }
});

Deno.test("the bench's client reads answers of a known length and in chunks", async () => {
  const answers = [
    "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-A: b\r\n\r\nhello",
    "HTTP/1.1 202 Accepted\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n",
    "HTTP/1.1 204 No Content\r\n\r\n",
  ];
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const serving = (async () => {
    const socket = await listener.accept();
    const buffer = new Uint8Array(4096);
    for (const answer of answers) {
      await socket.read(buffer);
      // In two pieces, so that no read holds everything.
      const bytes = new TextEncoder().encode(answer);
      await socket.write(bytes.subarray(0, 20));
      await new Promise((resolve) => setTimeout(resolve, 5));
      await socket.write(bytes.subarray(20));
    }
    socket.close();
  })();
  const client = await HttpConnection.open(listener.addr.port);
  const first = await client.ask("GET", "/", "");
  assert.deepEqual([first.status, first.body, first.headers.get("x-a")], [200, "hello", "b"]);
  const second = await client.ask("POST", "/", "", "body");
  assert.deepEqual([second.status, second.body], [202, "hello"]);
  assert.equal((await client.ask("GET", "/", "")).body, "");
  client.close();
  await serving;
});
