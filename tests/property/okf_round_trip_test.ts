/**
 * Export, import into an empty project, accept, apply, export again: what okf.md section 6 promises
 * to keep is kept, over corpora of any shape, and a second way round changes nothing more.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { KINDS, RELATION_TYPES, SENSITIVITIES, TRUST_LEVELS } from "../../src/knowledge/mod.ts";
import type { WritableYaml } from "../../src/platform/yaml/mod.ts";
import type { TestItem } from "../support/corpus.ts";
import {
  acceptAll,
  applied,
  concept,
  exported,
  imported,
  type Json,
  relation,
  tree,
} from "../support/okf_project.ts";
import { type TemporaryRepository, temporaryRepository } from "../support/temporary_repository.ts";

const RUNS = Number(Deno.env.get("THEURIAN_ROUND_TRIPS") ?? 12);

/** Words that a format could stumble over. */
const piece = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 6 }),
  fc.constantFrom(
    "---",
    "...",
    "# ",
    "## Relations",
    "### depends_on",
    "* [a](/a.md)",
    "```",
    "\\",
  ),
  fc.constantFrom(
    ": ",
    " #",
    "'",
    '"',
    "`",
    "[",
    "](x)",
    "<b>",
    "&a",
    "*a",
    "!t",
    "|",
    ">",
    "%",
    "@",
  ),
  fc.constantFrom("yes", "n", "1e3", "0o17", "1:30", "2026-01-01", "~", "null", "=", "<<", "- "),
  fc.constantFrom("\u6f22\u5b57", "\u{1f600}", "e\u0301", "\u202e", "\u200b", "\u00a0", "\ufeff"),
);
const line = fc.array(piece, { minLength: 1, maxLength: 5 }).map((words) => words.join(""));
const title = line.map((text) => `${text}t`);
const paragraph = fc.oneof(
  line,
  fc.constantFrom("", "\n", "\n\n", "\r", "\r\n", "\u0085", "\u2028", "\t", "  ", "\u0000"),
);
const body = fc.array(paragraph, { maxLength: 8 }).chain((before) =>
  fc.array(paragraph, { maxLength: 4 }).map((after) => [...before, "word", ...after].join("\n"))
);
const label = fc.array(piece, { minLength: 1, maxLength: 2 })
  .map((words) => words.join("").replace(/\p{Cc}/gu, ""))
  .filter((text) => text !== "" && [...text].length <= 64);
const note = fc.option(fc.array(paragraph, { maxLength: 4 }).map((lines) => lines.join("\n")), {
  nil: undefined,
});
const anchor = fc.record({
  provider: fc.constantFrom("git", "web", "okf-source", "okf-bundle"),
  sourceUri: fc.constantFrom(
    "git://x/a.md",
    "https://e.example/a?b#c",
    "docs/a.md",
    "urn:x:\u00e9",
  ),
  repository: fc.constantFrom("acme/api", "\u00fcber: 'x'"),
  commitSha: fc.constantFrom("0123456", "f".repeat(40)),
  filePath: fc.constantFrom("docs/a b.md", "\u6f22.md"),
  lines: fc.option(fc.tuple(fc.integer({ min: 1, max: 9 }), fc.nat(3)), { nil: undefined }),
}, { requiredKeys: ["provider", "sourceUri"] }).map(({ lines, ...rest }): WritableYaml => ({
  ...rest,
  ...(lines === undefined ? {} : { lineStart: lines[0], lineEnd: lines[0] + lines[1] }),
}));
const ID = fc.constantFrom(
  "a",
  "a.b",
  "a.b.log",
  "b.index",
  "index",
  "theurian-bundle",
  "x.y-1.z2",
);

interface Corpus {
  readonly items: readonly TestItem[];
  readonly operations: readonly WritableYaml[];
}

const item = fc.record({
  title,
  contentType: fc.constantFrom(
    "text/markdown",
    "text/markdown",
    "application/json",
    "application/yaml",
  ),
  body,
  kind: fc.constantFrom(...KINDS),
  status: fc.constantFrom("approved", "approved", "approved", "draft", "deprecated"),
  sensitivity: fc.constantFrom("internal", "internal", ...SENSITIVITIES),
  trustLevel: fc.constantFrom(...TRUST_LEVELS),
  labels: fc.uniqueArray(label, { maxLength: 3 }),
  validTo: fc.constantFrom(
    undefined,
    undefined,
    "2036-03-01T00:00:00+09:00",
    "2026-08-02T00:00:00+00:00",
  ),
  sourceAnchors: fc.array(anchor, { maxLength: 3 }),
});

const corpus: fc.Arbitrary<Corpus> = fc.record({
  ids: fc.uniqueArray(ID, { minLength: 3, maxLength: 6 }),
  contents: fc.array(item, { minLength: 6, maxLength: 6 }),
  edges: fc.array(fc.tuple(fc.nat(5), fc.constantFrom(...RELATION_TYPES), fc.nat(5), note), {
    minLength: 4,
    maxLength: 9,
  }),
  aliases: fc.boolean(),
}).map(({ ids, contents, edges, aliases }) => {
  const items = ids.map((itemId, n): TestItem => {
    const { title, contentType, body, labels, sourceAnchors, validTo, ...metadata } = contents[n]!;
    return {
      itemId,
      title,
      contentType,
      body,
      metadata: {
        ...metadata,
        labels: [...new Set([...labels, "authored-in-theurian"])],
        ...(sourceAnchors.length === 0 ? {} : { sourceAnchors }),
        ...(validTo === undefined ? {} : { validTo }),
      },
    };
  });
  const taken = new Set<string>();
  const relations = edges.flatMap(([from, type, to, text]) => {
    const [source, target] = [ids[from % ids.length]!, ids[to % ids.length]!];
    const key = `${source} ${type} ${target}`;
    if (source === target || taken.has(key)) return [];
    taken.add(key);
    return [relation(source, type, target, text)];
  });
  const names = aliases
    ? ids.map((itemId) => ({ op: "addAlias", alias: `old.${itemId}`, itemId }))
    : [];
  return { items, operations: [...relations, ...names] };
});

/** What the contract keeps, and what is restored of our own bundles besides. */
const KEPT = [
  "title",
  "type",
  "tags",
  "theurian_item_id",
  "theurian_content_type",
  "theurian_relations",
];

interface Bundle {
  readonly path: string;
  readonly paths: readonly string[];
  readonly concepts: readonly string[];
}

async function exportOf(repository: TemporaryRepository): Promise<Bundle> {
  const { exit, json, path } = await exported(repository);
  assert.equal(exit, 0, JSON.stringify(json));
  const paths = tree(path);
  const concepts = paths.filter((name) =>
    name.endsWith(".md") && !/(?:^|\/)index\.md$/.test(name) && name !== "theurian-bundle.md"
  );
  assert.equal(concepts.length, json.concepts);
  return { path, paths, concepts };
}

/** Through an empty project and out again. */
async function wayRound(before: Bundle, project: TemporaryRepository): Promise<Bundle> {
  const rehearsed = await imported(project, before.path, "--dry-run");
  assert.deepEqual(tree(join(project.root, ".theurian/proposals")), []);
  const { exit, json } = await imported(project, before.path);
  assert.deepEqual([exit, json.refusals], [0, []]);
  assert.equal(json.conceptsAdmitted, before.concepts.length);
  assert.equal(json.bundleDigestMatches, true);
  assert.deepEqual(rehearsed.json, { ...json, proposalIds: [], dryRun: true });
  await acceptAll(project, json.proposalIds);
  return await exportOf(project);
}

function sensitivityAfter(level: unknown): unknown {
  return level === "public" ? "internal" : level;
}

function assertKept(before: Bundle, after: Bundle): void {
  assert.deepEqual(after.paths, before.paths);
  for (const path of before.paths.filter((name) => !name.endsWith(".md"))) {
    const [a, b] = [before, after].map((one) => Deno.readFileSync(join(one.path, path)));
    assert.deepEqual(b, a, path);
  }
  for (const path of before.concepts) {
    const [a, b] = [before, after].map((one) => concept(one.path, path));
    for (const key of KEPT) assert.deepEqual(b!.front[key], a!.front[key], `${path} ${key}`);
    assert.equal(b!.rest, a!.rest, path);
    assert.equal(
      b!.front["theurian_sensitivity"],
      sensitivityAfter(a!.front["theurian_sensitivity"]),
    );
    const ends = a!.front["stale_after"] as string | undefined;
    const held = ends !== undefined && Date.parse(ends) > Date.now();
    assert.equal(b!.front["stale_after"], held ? ends : undefined, path);
    assertSources(path, a!.front, b!.front);
  }
}

/** The bundle's own file comes first; what stood there stays, in order, each once. */
function assertSources(path: string, a: Json, b: Json): void {
  const texts = (front: Json) => (front["sources"] as Json[]).map((one) => JSON.stringify(one));
  const [first, ...rest] = texts(b);
  assert(first!.includes(`"okf-bundle:${path}"`), first);
  const expected = [...new Set(texts(a))].filter((text) => !texts(b).slice(0, 2).includes(text));
  assert.deepEqual(rest.filter((text) => expected.includes(text)), expected);
}

/** The same corpus every time: of a hundred, the one with the most operations between its items. */
function manyEdges() {
  return fc.sample(corpus, { seed: 1, numRuns: 100 })
    .reduce((most, one) => one.operations.length > most.operations.length ? one : most);
}

Deno.test("what an export holds survives import, acceptance and apply, twice", async () => {
  let edges = 0;
  let concepts = 0;
  await fc.assert(
    fc.asyncProperty(corpus, async ({ items, operations }) => {
      using first = await applied(items, operations, "first");
      const original = await exportOf(first);
      using second = temporaryRepository("second");
      const copy = await wayRound(original, second);
      assertKept(original, copy);
      using third = temporaryRepository("third");
      const again = await wayRound(copy, third);
      assertKept(copy, again);
      for (const path of copy.concepts) {
        const [a, b] = [copy, again].map((one) => concept(one.path, path).front["sources"]);
        assert.deepEqual(b, a, "a second way round adds no anchor");
        edges += (concept(copy.path, path).front["theurian_relations"] as unknown[]).length;
      }
      concepts += copy.concepts.length;
    }),
    // Twelve corpora by chance may hold no edge at all: the first one holds many.
    { numRuns: RUNS, examples: [[manyEdges()]] },
  );
  assert(concepts > RUNS && edges > 0, `${concepts} concepts, ${edges} edges`);
});
