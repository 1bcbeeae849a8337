import assert from "node:assert/strict";
import { addDemo, addRank, revise } from "../../../tests/support/demo_corpus.ts";
import { inScratchProject, type ScratchProject } from "../../../tests/support/scratch_project.ts";
import {
  call,
  type Caller,
  codeOf,
  payloadOf,
  refusalText,
  register,
} from "../../../tests/support/tool_calls.ts";
import type { JsonObject, JsonValue } from "../../platform/json.ts";

type Hit = Readonly<Record<string, JsonValue>>;

interface Answer {
  readonly ids: readonly string[];
  readonly hits: readonly Hit[];
  readonly retrieval: Readonly<Record<string, JsonValue>>;
  readonly payload: JsonObject;
}

async function search(caller: Caller, query: string, extra: JsonObject = {}): Promise<Answer> {
  const result = await call(caller, "knowledge.search", { projectId: "demo", query, ...extra });
  const payload = payloadOf(result);
  const hits = payload["results"] as readonly Hit[];
  assert.equal(payload["count"], hits.length);
  const retrieval = payload["retrieval"] as Readonly<Record<string, JsonValue>>;
  assert.equal(retrieval["emptyReason"] === null, hits.length > 0);
  const scores = hits.map((hit) => hit["fusedScore"] as number | undefined ?? 0);
  assert.deepEqual(scores, scores.toSorted((a, b) => b - a));
  return { ids: hits.map((hit) => hit["itemId"] as string), hits, retrieval, payload };
}

async function inProject(
  fill: (project: ScratchProject) => void,
  work: (project: ScratchProject, caller: Caller) => Promise<void>,
  build: Parameters<ScratchProject["build"]>[0] | null = {},
): Promise<void> {
  await inScratchProject(async (project) => {
    project.now = Date.UTC(2026, 1, 1);
    fill(project);
    await project.applyWithoutPurge();
    if (build !== null) await project.build(build);
    project.now = Date.UTC(2026, 1, 10);
    await work(project, register(project));
  });
}

Deno.test("knowledge.search without an index scans for one piece of text in item id order", async () => {
  await inProject(addDemo, async (_project, caller) => {
    const { ids, hits, retrieval } = await search(caller, "retry");
    assert.deepEqual(ids, ["ops.cache", "ops.retry"]);
    assert.equal(
      hits[0]!["excerpt"],
      "Cache keys include the tenant.  A cache miss never triggers a retry storm.",
    );
    assert.ok(!("fusedScore" in hits[0]!) && !("foundBy" in hits[0]!));
    const { note, snapshotId, usedTokens, ...rest } = retrieval;
    assert.deepEqual(rest, {
      mode: "substring",
      indexed: false,
      stale: null,
      staleAgainst: null,
      indexesUnapproved: false,
      indexBuildId: null,
      embeddingModel: "",
      fallbackReason: "no-index",
      droppedForBudget: 0,
      emptyReason: null,
    });
    assert.match(String(note), /theurian index build/);
    assert.match(String(snapshotId), /^[0-9a-f]{64}$/);
    assert.ok((usedTokens as number) > 300);
    const spaced = await search(caller, "  RETRY budget OF ");
    assert.deepEqual(spaced.ids, ["ops.retry"]);
    assert.equal(spaced.payload["query"], "  RETRY budget OF ");
    assert.deepEqual((await search(caller, "budget retry")).ids, []);
    const unapproved = await search(caller, "retry", { includeUnapproved: true });
    assert.deepEqual(unapproved.ids, ["arch.queue", "ops.cache", "ops.retry"]);
    assert.deepEqual((await search(caller, "retry", { limit: 1 })).ids, ["ops.cache"]);
  }, null);
});

Deno.test("knowledge.search over an index ranks, and tells how each hit was found", async () => {
  await inProject(addDemo, async (_project, caller) => {
    const { ids, hits, retrieval } = await search(caller, "retry");
    assert.deepEqual(ids, ["ops.retry", "ops.cache"]);
    assert.match(String(hits[0]!["excerpt"]), /^Retry budget {2}# Retry budget {2}Every/);
    assert.deepEqual(hits.map((hit) => hit["foundBy"]), [["lexical"], ["lexical"]]);
    const { note: _note, snapshotId: _id, indexBuildId, usedTokens: _used, ...rest } = retrieval;
    assert.match(String(indexBuildId), /^[0-9A-Z]{26}$/);
    assert.deepEqual(rest, {
      mode: "lexical",
      indexed: true,
      stale: false,
      staleAgainst: "builtState",
      indexesUnapproved: false,
      embeddingModel: "",
      fallbackReason: null,
      droppedForBudget: 0,
      emptyReason: null,
    });
    assert.deepEqual((await search(caller, "budget")).ids, ["ops.retry"]);
    for (const query of ["鍵", "認証", "方針", "トークン"]) {
      assert.deepEqual((await search(caller, query)).ids, ["dom.auth-ja"], query);
    }
    const [partial] = (await search(caller, "outbou")).hits;
    assert.deepEqual(partial!["foundBy"], ["substring"]);
  });
});

Deno.test("knowledge.search answers hidden and absent alike, but for the query", async () => {
  await inProject(addDemo, async (_project, caller) => {
    const queries = ["zebra", "xylophone", "zzzz", "backoff", '" * ( ) :'];
    const answers = await Promise.all(queries.map((query) => search(caller, query)));
    const [first] = answers.map(({ payload }) => ({ ...payload, query: "" }));
    for (const { payload, retrieval } of answers) {
      assert.deepEqual({ ...payload, query: "" }, first);
      assert.equal(retrieval["mode"], "none");
      assert.equal(retrieval["emptyReason"], "no-match");
      assert.equal(retrieval["usedTokens"], 0);
    }
  });
});

Deno.test("knowledge.search pins a search to a moment, and tells when that left nothing", async () => {
  await inProject(addDemo, async (_project, caller) => {
    const at = (asOf: string) => search(caller, "retry", { asOf });
    const before = await at("2026-02-28T14:59:59Z");
    assert.deepEqual(before.ids, ["ops.retry", "ops.cache"]);
    assert.equal((before.hits[0]!["freshness"] as Hit)["isWithinValidity"], true);
    assert.deepEqual((await at("2026-02-28T15:00:00Z")).ids, ["ops.retry"]);
    assert.deepEqual((await at("2026-02-28T14:59:59z")).ids.length, 2);
    assert.deepEqual((await at("9999-12-31T23:59:59Z")).ids, ["ops.retry"]);
    const early = await at("2025-01-01T00:00:00Z");
    assert.deepEqual(early.ids, []);
    assert.equal(early.retrieval["emptyReason"], "all-outside-asof");
    assert.equal(early.retrieval["mode"], "none");
    const nothing = await search(caller, "zzzz", { asOf: "2026-02-01T00:00:00Z" });
    assert.equal(nothing.retrieval["emptyReason"], "no-match");
    const creation = await at("2026-01-02T00:00:00Z");
    assert.equal((creation.hits[0]!["freshness"] as Hit)["ageDays"], 0);
  });
});

Deno.test("knowledge.search refuses a moment it cannot read, naming the cure", async () => {
  await inProject(addDemo, async (_project, caller) => {
    const bad = ["yesterday", "", " 2026-04-01T00:00:00Z", "2026-04-01", "2026-04-01T00:00:00"];
    const impossible = ["2026-02-30T00:00:00Z", "2026-04-01T24:00:00Z", "2026-04-01T00:00:60Z"];
    for (const asOf of [...bad, ...impossible, "2026-04-01T00:00:00+24:00"]) {
      const input = { projectId: "demo", query: "retry", asOf };
      const result = await call(caller, "knowledge.search", input);
      assert.equal(codeOf(result), "INVALID_INPUT", asOf);
      assert.match(refusalText(result), /asOf.*2026-04-01T00:00:00Z/);
    }
    const dateOnly = { projectId: "demo", query: "retry", asOf: "2026-04-01" };
    assert.match(refusalText(await call(caller, "knowledge.search", dateOnly)), /offset/);
  });
});

Deno.test("knowledge.search clamps its sizes and always keeps the first result", async () => {
  await inProject(addDemo, async (_project, caller) => {
    for (const limit of [0, -5, 1]) {
      const { ids, retrieval } = await search(caller, "retry", { limit });
      assert.deepEqual(ids, ["ops.retry"]);
      assert.equal(retrieval["droppedForBudget"], 0);
    }
    assert.equal((await search(caller, "retry", { limit: 1e9 })).ids.length, 2);
    for (const maxTokens of [1, -1, 300]) {
      const { ids, retrieval } = await search(caller, "retry", { maxTokens });
      assert.deepEqual(ids, ["ops.retry"]);
      assert.equal(retrieval["droppedForBudget"], 1);
    }
    const all = await search(caller, "retry", { maxTokens: 1e12 });
    assert.equal(all.ids.length, 2);
  });
});

Deno.test("knowledge.search clamps integers beyond 2^53 too, which arrive exact", async () => {
  const body = "zebra ".repeat(200);
  const many = Array.from({ length: 12 }, (_, i) => [`a.n${i}`, { body }] as const);
  await inProject((project) => project.add(Object.fromEntries(many)), async (_project, caller) => {
    const exact = (integer: bigint) => integer as unknown as number;
    const wide = { limit: exact(10n ** 30n), maxTokens: exact(2n ** 64n) };
    assert.equal((await search(caller, "zebra", wide)).ids.length, 12);
    const narrow = { ...wide, limit: exact(-(10n ** 30n)) };
    assert.equal((await search(caller, "zebra", narrow)).ids.length, 1);
  });
});

Deno.test("knowledge.search takes drafts from an index that holds them, and scans otherwise", async () => {
  await inProject(addDemo, async (_project, caller) => {
    const fallback = await search(caller, "retry", { includeUnapproved: true });
    assert.equal(fallback.retrieval["fallbackReason"], "unapproved-not-indexed");
    assert.deepEqual(fallback.ids, ["arch.queue", "ops.cache", "ops.retry"]);
  });
  await inProject(addDemo, async (_project, caller) => {
    const ranked = await search(caller, "backoff retry", { includeUnapproved: true });
    assert.equal(ranked.ids[0], "arch.queue");
    assert.equal(ranked.hits[0]!["status"], "draft");
    assert.equal(ranked.retrieval["indexesUnapproved"], true);
    assert.deepEqual((await search(caller, "backoff")).ids, []);
  }, { includeUnapproved: true });
});

Deno.test("knowledge.search with drafts in the index answers by default as if they were not", async () => {
  const answers: JsonObject[] = [];
  for (const includeUnapproved of [false, true]) {
    await inProject(addDemo, async (_project, caller) => {
      for (const query of ["retry", "retry budget", "queu", "cache retry tenant", "konsumers"]) {
        const { payload } = await search(caller, query, { useDense: true });
        const retrieval = { ...payload["retrieval"] as JsonObject };
        answers.push({
          ...payload,
          retrieval: { ...retrieval, indexBuildId: "", indexesUnapproved: "", snapshotId: "" },
        });
      }
    }, { includeUnapproved });
  }
  const half = answers.length / 2;
  const text = (some: readonly JsonObject[]) =>
    JSON.stringify(some).replace(/01[0-9A-Z]{24}/g, "<revision>");
  assert.equal(text(answers.slice(half)), text(answers.slice(0, half)));
});

Deno.test("knowledge.search compares vectors only when asked, and says what that found", async () => {
  await inProject(addRank, async (_project, caller) => {
    const plain = await search(caller, "alpha");
    assert.equal(plain.retrieval["embeddingModel"], "");
    const dense = await search(caller, "alpha", { useDense: true });
    assert.equal(dense.retrieval["embeddingModel"], "theurian-hashed-char-ngram");
    assert.equal(dense.retrieval["mode"], "hybrid");
    assert.deepEqual(dense.hits[0]!["foundBy"], ["dense", "lexical"]);
    const none = await search(caller, "qqqq", { useDense: true });
    assert.equal(none.retrieval["mode"], "none");
  });
  await inProject(addRank, async (_project, caller) => {
    const dense = await search(caller, "alpha", { useDense: true });
    assert.equal(dense.retrieval["embeddingModel"], "theurian-hashed-char-ngram");
    assert.equal(dense.retrieval["mode"], "lexical");
  }, { embeddings: false });
});

Deno.test("knowledge.search finds odd spellings, and orders equals by item id", async () => {
  await inProject(addRank, async (_project, caller) => {
    for (const query of ["cafe", "CAFÉ", "grüße", "αβ"]) {
      assert.equal((await search(caller, query)).ids[0], "a.five", query);
    }
    assert.deepEqual((await search(caller, "x_r")).ids, ["a.four"]);
    assert.deepEqual((await search(caller, "100%")).ids, ["a.four"]);
    for (const query of ["_", "%", "ー"]) assert.deepEqual((await search(caller, query)).ids, []);
    assert.deepEqual((await search(caller, "same text")).ids, ["a.seven", "a.six"]);
    assert.equal((await search(caller, "beta-gamma")).ids[0], "a.two");
    assert.equal((await search(caller, "gama")).ids[0], "a.three");
  });
});

Deno.test("knowledge.search echoes the query as it is searched", async () => {
  await inProject(addDemo, async (_project, caller) => {
    const lone = await search(caller, "retry \ud800");
    assert.equal(lone.payload["query"], "retry ?");
    assert.equal(lone.ids[0], "ops.retry");
    const nul = await search(caller, "a\u0000b retry");
    assert.equal(nul.payload["query"], "a\u0000b retry");
    assert.equal(nul.ids[0], "ops.retry");
    assert.deepEqual((await search(caller, "\ufeff")).ids, []);
    for (const query of ["\u3000", " \u001c\u0085 "]) {
      const result = await call(caller, "knowledge.search", { projectId: "demo", query });
      assert.equal(codeOf(result), "INVALID_INPUT");
      assert.match(refusalText(result), /blank/);
    }
  });
});

Deno.test("knowledge.search names the project first, then the state, then the arguments", async () => {
  await inScratchProject(async (project) => {
    const caller = register(project);
    const blank = { query: " ", asOf: "never" };
    const unknown = await call(caller, "knowledge.search", { projectId: "nope", ...blank });
    assert.equal(codeOf(unknown), "PROJECT_NOT_REGISTERED");
    assert.match(refusalText(unknown), /nope.*demo.*theurian project register/);
    const unbuilt = await call(caller, "knowledge.search", { projectId: "demo", ...blank });
    assert.equal(codeOf(unbuilt), null);
    assert.match(refusalText(unbuilt), /theurian migrate apply/);
    const foreign = { ...caller, tenantId: "other" };
    const answers = await Promise.all(
      ["nope", "demo"].map((projectId) =>
        call(foreign, "knowledge.search", { projectId, ...blank })
      ),
    );
    assert.equal(codeOf(answers[0]!), "NOT_AUTHORIZED");
    assert.deepEqual(answers[0], answers[1]);
    payloadOf(await call(foreign, "project.list", {}));
    payloadOf(await call(foreign, "system.capabilities", {}));
  });
});

Deno.test("knowledge.search refills a page that expired knowledge would have filled", async () => {
  await inProject((project) => {
    const expired = { validFrom: "2026-01-01T00:00:00Z", validTo: "2026-01-15T00:00:00Z" };
    const body = "zebra zebra zebra zebra";
    project.migrate(
      ...Array.from({ length: 160 }, (_, i) => i).flatMap((i) =>
        revise(project, `old.n${String(i).padStart(2, "0")}`, { title: "zebra", body }, expired)
      ),
      ...revise(project, "z.valid", { title: "Other", body: "One zebra among many other words." }, {
        validFrom: "2026-01-01T00:00:00Z",
      }),
    );
  }, async (_project, caller) => {
    const { ids } = await search(caller, "zebra", { asOf: "2026-02-01T00:00:00Z" });
    assert.deepEqual(ids, ["z.valid"]);
    assert.equal((await search(caller, "zebra", { limit: 50, maxTokens: 32000 })).ids.length, 50);
  });
});

Deno.test("knowledge.search over a stale index shows less, never what is old", async () => {
  await inProject(addDemo, async (project, caller) => {
    const before = await search(caller, "budget");
    project.add({ "ops.retry": { title: "Retry budget", body: "Now a quota of attempts.\n" } });
    await project.applyWithoutPurge();
    const stale = await search(caller, "budget quota");
    assert.equal(stale.retrieval["stale"], true);
    assert.notEqual(stale.retrieval["snapshotId"], before.retrieval["snapshotId"]);
    assert.match(String(stale.retrieval["note"]), /theurian index build/);
    assert.deepEqual(stale.ids, []);
    assert.deepEqual((await search(caller, "quota")).ids, []);
    const got = await call(caller, "knowledge.get", { projectId: "demo", itemId: "ops.retry" });
    assert.equal(payloadOf(got)["body"], "Now a quota of attempts.\n");
    await project.build();
    const fresh = await search(caller, "quota");
    assert.deepEqual([fresh.ids, fresh.retrieval["stale"]], [["ops.retry"], false]);
  });
});

Deno.test("knowledge.search drops at once what was raised or withdrawn after the build", async () => {
  await inProject(addDemo, async (project, caller) => {
    project.migrate(
      { op: "changeSensitivity", itemId: "ops.retry", sensitivity: "restricted", reason: "x" },
      { op: "deprecateItem", itemId: "ops.cache" },
    );
    await project.applyWithoutPurge();
    const { ids, payload } = await search(caller, "retry");
    assert.deepEqual(ids, []);
    assert.ok(!("integrity" in payload));
    const got = await call(caller, "knowledge.get", { projectId: "demo", itemId: "ops.retry" });
    assert.match(refusalText(got), /not present/);
  });
});

Deno.test("knowledge.search names the mode after the budget, for what it returns", async () => {
  await inProject((project) => {
    project.add({
      "a.words": { title: "Gamma", body: "gamma rays" },
      "b.spelling": { title: "Gammon", body: "gammon gammons" },
    });
  }, async (_project, caller) => {
    const both = await search(caller, "gamma", { useDense: true });
    assert.deepEqual(both.ids, ["a.words", "b.spelling"]);
    assert.deepEqual(both.hits[1]!["foundBy"], ["dense"]);
    assert.equal(both.retrieval["mode"], "hybrid");
    const dense = await search(caller, "gammonz", { useDense: true, limit: 1 });
    assert.notEqual(dense.retrieval["mode"], "none");
  });
});

Deno.test("knowledge.search ignores what it accepts for later, and keeps an author's time", async () => {
  await inProject((project) => {
    const [create, upsert] = project.revise("a.b", { body: "zebra" });
    const id = project.migrate(create!, upsert!);
    const path = project.at(`.theurian/migrations/${id}-x.yaml`);
    const text = Deno.readTextFileSync(path);
    const createdAt = "2026-02-05T08:00:00.25+09:00";
    Deno.writeTextFileSync(path, text.replace("2026-03-10T10:30:00+01:00", createdAt));
  }, async (_project, caller) => {
    const plain = await search(caller, "zebra");
    const extra = { snapshotId: "a".repeat(64), agentId: "x", taskId: null };
    assert.deepEqual(await search(caller, "zebra", extra), plain);
    const freshness = plain.hits[0]!["freshness"] as Hit;
    assert.equal(freshness["revisionCreatedAt"], "2026-02-05T08:00:00.250000+09:00");
  });
});

Deno.test("knowledge.search drops what went back to draft, and finds it when drafts are asked for", async () => {
  await inProject(addDemo, async (project, caller) => {
    project.migrate(...revise(project, "ops.retry", {
      title: "Retry budget",
      body: "# Retry budget\n\nEvery outbound call carries a retry budget.\n",
      status: "draft",
    }));
    await project.applyWithoutPurge();
    assert.deepEqual((await search(caller, "budget")).ids, []);
    const drafts = await search(caller, "budget", { includeUnapproved: true });
    assert.equal(drafts.retrieval["fallbackReason"], "unapproved-not-indexed");
    assert.deepEqual(drafts.ids, ["ops.retry"]);
  });
});
