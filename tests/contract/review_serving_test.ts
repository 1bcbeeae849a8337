import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { JsonObject } from "../../src/platform/json.ts";
import { fixturePath, writeGoldenEvidence } from "../support/golden_review.ts";
import { callTool, inReviewFolder, ReviewProject } from "../support/review_project.ts";

const TOOLS = {
  "review.findings": { file: "theurian-findings-local.sqlite", cure: "theurian findings build" },
  "review.search": { file: "theurian-review-local.sqlite", cure: "theurian review build" },
} as const;
type ToolName = keyof typeof TOOLS;

async function served(folder: string, name = "p"): Promise<ReviewProject> {
  const project = new ReviewProject(folder, name);
  new Deno.Command("sh", { args: [fixturePath("findings-repo.sh"), project.root] }).outputSync();
  await project.prepare();
  writeGoldenEvidence(project.root);
  await project.buildFindings();
  await project.buildReview();
  return project;
}

const ask = (project: ReviewProject, tool: ToolName) =>
  project.call(tool, JSON.stringify({ projectId: project.projectId }));

function textOf(answer: JsonObject): string {
  return (answer["content"] as [{ text: string }])[0].text;
}

const storeOf = (project: ReviewProject, tool: ToolName) =>
  join(project.root, ".theurian/state", TOOLS[tool].file);

/** Ways a store can be wrong that all get the tool's one constant. */
const FAULTS: Readonly<Record<string, (store: string, tool: ToolName) => void>> = {
  "a missing file": (store) => Deno.removeSync(store),
  "a file that is no database": (store) => Deno.writeTextFileSync(store, "x".repeat(9_000)),
  "an empty file": (store) => Deno.truncateSync(store, 0),
  "a pipe": (store) => {
    Deno.removeSync(store);
    new Deno.Command("mkfifo", { args: [store] }).outputSync();
  },
  "a folder": (store) => {
    Deno.removeSync(store);
    Deno.mkdirSync(store);
  },
  "another stamp": (store, tool) => edit(store, `UPDATE ${metadata(tool)} SET stamp = 'other/1'`),
  "no metadata": (store, tool) => edit(store, `DELETE FROM ${metadata(tool)}`),
  "another seal": (store, tool) => edit(store, `UPDATE ${metadata(tool)} SET seal = 'forged'`),
  "a damaged value": (store, tool) =>
    edit(
      store,
      tool === "review.findings"
        ? "UPDATE findings SET severity = 'high' WHERE rank = 2"
        : "UPDATE review_records SET thread_state = 'closed' WHERE rank = 2",
    ),
  "damaged pages": (store) => {
    const bytes = Deno.readFileSync(store);
    bytes.fill(0x55, 4096);
    Deno.writeFileSync(store, bytes);
  },
};

function metadata(tool: ToolName): string {
  return tool === "review.findings" ? "findings_metadata" : "review_metadata";
}

function edit(store: string, sql: string): void {
  const database = new DatabaseSync(store);
  database.exec(sql);
  database.close();
}

for (const tool of Object.keys(TOOLS) as ToolName[]) {
  Deno.test(`${tool} answers every fault of its store with one constant`, () =>
    inReviewFolder(async (folder) => {
      const project = await served(folder);
      const store = storeOf(project, tool);
      const sound = Deno.readFileSync(store);
      const texts = new Set<string>();
      for (const [name, damage] of Object.entries(FAULTS)) {
        Deno.removeSync(store, { recursive: true });
        Deno.writeFileSync(store, sound);
        assert.equal((await ask(project, tool))["isError"], false, name);
        damage(store, tool);
        const answer = await ask(project, tool);
        assert.equal(answer["isError"], true, name);
        texts.add(JSON.stringify(answer));
        if (name === "a missing file") Deno.writeFileSync(store, sound);
      }
      const [constant, ...others] = texts;
      assert.deepEqual(others, []);
      assert.ok(constant!.includes(TOOLS[tool].cure));
      assert.ok(!constant!.includes(project.root));
    }));

  Deno.test(`${tool} refuses a store that came with the clone or was put over ours`, () =>
    inReviewFolder(async (folder) => {
      const project = await served(folder);
      const other = await served(`${folder}/elsewhere`, "q");
      const foreign = Deno.readFileSync(storeOf(other, tool));
      Deno.writeFileSync(storeOf(project, tool), foreign);
      assert.match(textOf(await ask(project, tool)), new RegExp(TOOLS[tool].cure));
      const fresh = await new ReviewProject(folder, "fresh").prepare();
      Deno.mkdirSync(`${fresh.root}/.theurian/state`, { recursive: true });
      Deno.writeFileSync(storeOf(fresh, tool), foreign);
      assert.match(textOf(await ask(fresh, tool)), new RegExp(TOOLS[tool].cure));
    }));

  Deno.test(`${tool} speaks of the canonical state first, and of a bad argument before that`, () =>
    inReviewFolder(async (folder) => {
      const project = await served(folder);
      Deno.removeSync(`${project.dataDirectory}/built-here.json`);
      assert.match(textOf(await ask(project, tool)), /theurian migrate apply/);
      const bad = await project.call(tool, '{"projectId": "p", "limit": 0}');
      assert.match(textOf(bad), /limit/);
    }));

  Deno.test(`${tool} refuses a grant of another tenant`, () =>
    inReviewFolder(async (folder) => {
      const project = await served(folder);
      const answer = await callTool(tool, '{"projectId": "p"}', project.dataDirectory, {
        grant: { tenantId: "other", sensitivities: ["public"] },
      });
      const meta = answer["_meta"] as Record<string, { code: string }>;
      assert.equal(meta["dev.theurian/error"]!.code, "NOT_AUTHORIZED");
    }));

  Deno.test(`${tool} answers while its folder cannot be written`, () =>
    inReviewFolder(async (folder) => {
      const project = await served(folder);
      const state = `${project.root}/.theurian/state`;
      const before = [...Deno.readDirSync(state)].map(({ name }) => name).sort();
      Deno.chmodSync(state, 0o500);
      try {
        assert.equal((await ask(project, tool))["isError"], false);
      } finally {
        Deno.chmodSync(state, 0o700);
      }
      assert.deepEqual([...Deno.readDirSync(state)].map(({ name }) => name).sort(), before);
    }));
}

Deno.test("an escaping findings store gets the path constant, an escaping review store its name", () =>
  inReviewFolder(async (folder) => {
    const project = await served(folder);
    for (const tool of Object.keys(TOOLS) as ToolName[]) {
      Deno.removeSync(storeOf(project, tool));
      Deno.symlinkSync("../../../outside.sqlite", storeOf(project, tool));
    }
    const findings = textOf(await ask(project, "review.findings"));
    assert.match(findings, /leads out of the working tree/);
    assert.match(findings, /theurian migrate apply/);
    assert.ok(!findings.includes("theurian-findings-local.sqlite"));
    const search = textOf(await ask(project, "review.search"));
    assert.match(search, /theurian-review-local\.sqlite leads out of \.theurian\/state/);
    assert.match(
      search,
      /rm \.theurian\/state\/theurian-review-local\.sqlite`.*theurian review build/,
    );
  }));

Deno.test("a review store that links elsewhere in the project still leaves its own folder", () =>
  inReviewFolder(async (folder) => {
    const project = await served(folder);
    const store = storeOf(project, "review.search");
    Deno.renameSync(store, `${project.root}/moved.sqlite`);
    Deno.symlinkSync("../../moved.sqlite", store);
    assert.match(textOf(await ask(project, "review.search")), /leads out of/);
  }));

Deno.test("a rebuilt store is served by the next call, and a removed project's refusal names it", () =>
  inReviewFolder(async (folder) => {
    const project = await served(folder);
    const count = async () => {
      const answer = await project.call(
        "review.search",
        '{"projectId": "p", "repository": "acme/widgets"}',
      );
      return (answer["structuredContent"] as { count: number }).count;
    };
    assert.equal(await count(), 9);
    Deno.removeSync(`${project.root}/.theurian/review`, { recursive: true });
    assert.equal(await count(), 9);
    await project.buildReview();
    assert.equal(await count(), 0);
  }));
