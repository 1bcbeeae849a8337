/**
 * Every tool over a project with one thing broken: whatever stands in a file's place, each answers
 * at once in the one shape of a refusal, in both families, and tells no place of this machine.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { startTestDaemon, TEST_TOKEN } from "../../src/daemon/_testing/test_daemon.ts";
import { MODERN_VERSION } from "../../src/daemon/_protocol_versions.ts";
import { loadShippedTools } from "../../src/daemon/mod.ts";
import type { JsonObject } from "../../src/platform/json.ts";
import { inScratchProject, type ScratchProject } from "../support/scratch_project.ts";

const CALLERS_OWN = "callers-own-words";

const EVIDENCE = { agentId: "a", taskId: "t", model: "m", reasoning: CALLERS_OWN };
const PAGE = {
  projectId: "demo",
  itemId: "decision.new",
  title: CALLERS_OWN,
  kind: "decision",
  body: CALLERS_OWN,
  owner: "o",
  author: "u",
  description: CALLERS_OWN,
  evidence: EVIDENCE,
  sourceAnchors: [{ provider: "git", sourceUri: "git://local/a.md" }],
};
const CALLS: Readonly<Record<string, JsonObject>> = {
  "knowledge.search": { projectId: "demo", query: `cache ${CALLERS_OWN}` },
  "knowledge.get": { projectId: "demo", itemId: "decision.cache" },
  "knowledge.status": { projectId: "demo" },
  "knowledge.proposeChange": { ...PAGE, contentType: "text/markdown" },
  "knowledge.generateMigrationDraft": {
    projectId: "demo",
    document: {
      author: CALLERS_OWN,
      operations: [{ op: "addAlias", alias: "decision.old", itemId: "decision.cache" }],
    },
    evidence: EVIDENCE,
  },
  "project.list": {},
  "review.findings": { projectId: "demo", q: CALLERS_OWN },
  "review.search": { projectId: "demo", q: CALLERS_OWN },
  "review.generateKnowledgeCandidate": {
    ...PAGE,
    repository: "acme/x",
    recordKey: CALLERS_OWN,
    fixCommit: "a".repeat(40),
    category: "domain-rule",
  },
  "system.capabilities": {},
};

/** What may stand where a file or a directory belongs. */
const STANDS: Readonly<Record<string, (path: string, outside: string) => void>> = {
  nothing: () => {},
  "a directory": (path) => Deno.mkdirSync(path),
  "a pipe": (path) => void new Deno.Command("mkfifo", { args: [path] }).outputSync(),
  "a link out of the project": (path, outside) => Deno.symlinkSync(outside, path),
  "a link to nowhere": (path) => Deno.symlinkSync("/nowhere/at-all", path),
  "other bytes": (path) => Deno.writeTextFileSync(path, "\u0000 no such thing ".repeat(300)),
  "nested brackets": (path) => Deno.writeTextFileSync(path, "[".repeat(60_000)),
};

/** Every file and directory that an answer may depend on, below the project's `.theurian`. */
function places(scratch: ScratchProject): readonly string[] {
  const { stateHash, indexBuildId } = pointers(scratch);
  const state = `state/theurian-state-${stateHash.slice(0, 12)}.sqlite`;
  const index = `state/theurian-index-${indexBuildId}.sqlite`;
  const findings = "state/theurian-findings-local.sqlite";
  const review = "state/theurian-review-local.sqlite";
  const stores = [state, index, findings, review];
  return [
    ...["", "migrations", "knowledge", "proposals", "proposals-local", "review", "state", "cache"],
    ...["runtime", "config.yaml", "runtime/write.lock", "state/active.json"],
    ...["state/active-index.json", ...stores],
    ...stores.flatMap((store) => ["-journal", "-wal", "-shm"].map((suffix) => store + suffix)),
  ];
}

function pointers(scratch: ScratchProject): { stateHash: string; indexBuildId: string } {
  return JSON.parse(Deno.readTextFileSync(scratch.state("active-index.json")));
}

const BETRAYALS = [
  /\bat \S+:\d+/,
  /\.[jt]s:\d/,
  /SELECT|sqlite_|SQLITE/,
  /\b(os error|E[A-Z]{4,})\b/,
];

Deno.test("a broken project gets refusals of one shape that tell no place of this machine", () =>
  inScratchProject(async (scratch) => {
    scratch.add({ "decision.cache": { title: "Cache policy", body: "# Cache\n\nWarm it.\n" } });
    await scratch.apply();
    await scratch.build();
    const registry = join(scratch.dataDirectory, "projects.json");
    Deno.writeTextFileSync(registry, JSON.stringify({ demo: { rootPath: scratch.root } }));
    const outside = join(scratch.dataDirectory, "..", "outside");
    Deno.mkdirSync(outside);
    await using daemon = startTestDaemon(await loadShippedTools(), scratch.dataDirectory);
    const theurian = scratch.at(".theurian");
    const broken = [
      ...places(scratch).map((name) => join(theurian, name)),
      registry,
      join(scratch.dataDirectory, "built-here.json"),
    ];
    let refused = 0;
    const escapes = new Set<string>();
    for (const path of broken) {
      for (const [what, stand] of Object.entries(STANDS)) {
        const where = `${what} at ${path.replace(scratch.root, "")}`;
        await instead(path, () => stand(path, outside), async () => {
          for (const family of [null, MODERN_VERSION]) {
            for (const [tool, input] of Object.entries(CALLS)) {
              const text = await refusalOf(daemon.port, family, tool, input, scratch, where);
              if (text === null) continue;
              refused++;
              if (text.includes("leads out of the working tree")) escapes.add(text);
            }
          }
        });
      }
    }
    assert.ok(refused > 1_000, `only ${refused} refusals`);
    assert.equal(escapes.size, 1, "one constant for whatever leads out");
    assert.deepEqual([...Deno.readDirSync(outside)], []);
    assert.deepEqual(daemon.logged, []);
    assert.equal(
      await refusalOf(daemon.port, null, "knowledge.get", CALLS["knowledge.get"]!, scratch, "end"),
      null,
    );
  }));

/** Does `work` with something else at `path`, and puts back what was there. */
async function instead(path: string, place: () => void, work: () => Promise<void>) {
  const aside = `${path}-aside`;
  const there = stands(path);
  if (there) Deno.renameSync(path, aside);
  try {
    place();
    await work();
  } finally {
    if (stands(path)) Deno.removeSync(path, { recursive: true });
    if (there) Deno.renameSync(aside, path);
  }
}

function stands(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

/** The text of a refusal, checked; `null` when the tool answered. */
async function refusalOf(
  port: number,
  family: string | null,
  name: string,
  input: JsonObject,
  scratch: ScratchProject,
  where: string,
): Promise<string | null> {
  const result = await call(port, family, name, input);
  if (result["isError"] !== true) return null;
  const label = `${name}, ${where}`;
  const keys = ["_meta", "content", "isError", ...(family === null ? [] : ["resultType"])];
  assert.deepEqual(Object.keys(result).sort(), keys, label);
  const meta = result["_meta"] as JsonObject;
  const facts = meta["dev.theurian/error"] as JsonObject;
  assert.deepEqual(Object.keys(facts).sort(), ["code", "details", "retryAfterSeconds"], label);
  const content = result["content"] as readonly { text: string }[];
  assert.equal(content.length, 1, label);
  const text = content[0]!.text;
  const said = text.replaceAll(`Run in ${scratch.root}:`, "") + JSON.stringify(facts);
  for (
    const secret of [scratch.root, scratch.dataDirectory, "/nowhere", CALLERS_OWN, "no such thing"]
  ) {
    assert.ok(!said.includes(secret), `${label}: ${text}`);
  }
  for (const betrayal of BETRAYALS) assert.doesNotMatch(text, betrayal, label);
  return text;
}

async function call(
  port: number,
  family: string | null,
  name: string,
  input: JsonObject,
): Promise<JsonObject> {
  const modern = family === null ? {} : {
    _meta: {
      "io.modelcontextprotocol/protocolVersion": family,
      "io.modelcontextprotocol/clientCapabilities": {},
    },
  };
  const response = await fetch(`http://127.0.0.1:${port}/mcp`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${TEST_TOKEN}`,
      "content-type": "application/json",
      ...(family === null
        ? {}
        : { "mcp-protocol-version": family, "mcp-method": "tools/call", "mcp-name": name }),
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name, arguments: input, ...modern },
    }),
  });
  assert.equal(response.status, 200);
  return (await response.json()).result;
}
