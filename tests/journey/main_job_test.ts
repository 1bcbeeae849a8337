/**
 * The main job from end to end: a repository with reviewed knowledge is replayed, indexed, served
 * and searched with the official MCP client.
 */

import assert from "node:assert/strict";
import { Daemon, freePort } from "../../scripts/daemon.ts";
import { CHECKOUT, findProgram, run } from "../../scripts/program.ts";
import { callTool, type Document, setUpTrial, type Trial } from "../../scripts/trial.ts";
import { corpusTestName, PUBLIC_CORPUS, withPublicCorpus } from "../support/public_corpus.ts";

interface Hit {
  readonly itemId: string;
  readonly revisionId: string;
  readonly sourceAnchors: readonly Document[];
  readonly contentClassification: string;
}

const program = findProgram();
const SAMPLE = `${CHECKOUT}/examples/sample-project`;

async function withTrial(
  source: string,
  projectId: string,
  work: (trial: Trial, daemon: Daemon) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "theurian-main-job-" });
  try {
    const trial = await setUpTrial(program, source, folder, projectId);
    const { root, home, path } = trial;
    const daemon = await Daemon.start(program, { port: freePort(), cwd: root, home, path });
    let stopped: { code: number; stderr: string } | undefined;
    try {
      await work(trial, daemon);
    } finally {
      stopped = await daemon.stop();
    }
    assert.deepEqual(stopped, { code: 0, stderr: "" });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function search(
  daemon: Daemon,
  projectId: string,
  query: string,
): Promise<readonly Hit[]> {
  const answer = await callTool(daemon.port, daemon.token, "knowledge.search", {
    projectId,
    query,
  });
  return answer["results"] as readonly Hit[];
}

Deno.test("The sample project is replayed, indexed, served and searched from end to end", async (t) => {
  await withTrial(SAMPLE, "sample-project", async (trial, daemon) => {
    const ask = (query: string) => search(daemon, "sample-project", query);
    await t.step("every migration and operation is applied", () => {
      assert.equal(trial.validated["migrationCount"], 7);
      assert.equal(trial.validated["contentFileCount"], 19);
      assert.equal(trial.validated["stateHash"], trial.applied["stateHash"]);
      assert.equal((trial.applied["applied"] as readonly string[]).length, 7);
      assert.equal(trial.applied["operationsApplied"], 57);
    });
    await t.step("the index is published without a secret finding", () => {
      assert.equal(trial.indexed["published"], true);
      assert.deepEqual(trial.indexed["secretFindings"], []);
      assert.ok(Number(trial.indexed["chunks"]) >= 18);
    });
    await t.step("the cancellation rule comes first, with its sources", async () => {
      const [first] = await ask("order cancellation deadline before mutation");
      assert.equal(first?.itemId, "domain.order-cancellation");
      assert.equal(first?.contentClassification, "untrusted-knowledge");
      assert.equal(first?.sourceAnchors.length, 2);
    });
    await t.step("the recorded answer beside the sample is still what comes back", async () => {
      const recorded = JSON.parse(
        await Deno.readTextFile(`${SAMPLE}/query-output.json`),
      ) as { query: string; results: readonly Hit[] };
      const live = await callTool(daemon.port, daemon.token, "knowledge.search", {
        projectId: "sample-project",
        query: recorded.query,
        limit: 3,
      }) as typeof recorded;
      assert.deepEqual(Object.keys(live).sort(), Object.keys(recorded).sort());
      assert.deepEqual(Object.keys(live.results[0] ?? {}), Object.keys(recorded.results[0] ?? {}));
      assert.equal(live.results[0]?.revisionId, recorded.results[0]?.revisionId);
    });
    await t.step("a Japanese question finds the Japanese page", async () => {
      const [first] = await ask("返品できる商品");
      assert.equal(first?.itemId, "domain.returns-japan");
    });
    await t.step("the second revision answers, and the first is not served", async () => {
      const item = await callTool(daemon.port, daemon.token, "knowledge.get", {
        projectId: "sample-project",
        itemId: "security.sign-in",
      });
      assert.match(JSON.stringify(item), /Session cookies were retired in June/);
      assert.doesNotMatch(JSON.stringify(item), /Cookies are accepted on the storefront only/);
    });
    await t.step("withdrawn and withheld pages never surface", async () => {
      const withheld = [
        "decision.polling-workers",
        "decision.session-cookie",
        "security.personal-data",
        "security.signing-keys",
      ];
      for (const query of ["custodians ceremony hardware module", "polling worker", "cookie"]) {
        const found = (await ask(query)).map(({ itemId }) => itemId);
        assert.deepEqual(found.filter((itemId) => withheld.includes(itemId)), []);
      }
    });
    await t.step("nothing changes on a second run", async () => {
      const { exit, stdout } = await run(program, ["migrate", "apply", "--json"], {
        cwd: trial.root,
        env: { HOME: trial.home, PATH: trial.path },
      });
      assert.equal(exit, 0);
      assert.equal((JSON.parse(stdout) as Document)["changed"], false);
    });
  });
});

Deno.test({
  name: corpusTestName(
    "The public corpus gives the recorded state, number of passages and first hits",
  ),
  ignore: PUBLIC_CORPUS === undefined,
  fn: () =>
    withPublicCorpus(async (folder) => {
      await withTrial(folder, "public-corpus", async (trial, daemon) => {
        assert.equal(
          trial.applied["stateHash"],
          "1e2df46a01c3f7604ae2a5b1d49ee2fc7eb8d96ea9e59ed4ac1125ba92746ede",
        );
        const applied = trial.applied["applied"] as readonly string[];
        assert.equal(applied.length, 26);
        assert.deepEqual(applied, [...applied].sort());
        assert.equal(trial.applied["operationsApplied"], 52);
        assert.equal(trial.indexed["chunks"], 669);
        assert.deepEqual(trial.indexed["secretFindings"], []);
        const status = await callTool(daemon.port, daemon.token, "knowledge.status", {
          projectId: "public-corpus",
        });
        assert.deepEqual(status["itemsByStatus"], { approved: 26 });
        const hits = await search(daemon, "public-corpus", "loopback daemon bearer token");
        assert.ok(hits.length > 0);
      });
    }),
});
