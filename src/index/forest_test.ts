import assert from "node:assert/strict";
import { goldenHeader, goldenLines } from "../../tests/support/golden_lines.ts";
import { codePointLength } from "../platform/text.ts";
import { sha256Hex } from "../platform/hash.ts";
import { servedText } from "../knowledge/model.ts";
import { chunkText } from "./chunk_text.ts";
import { documentNode, type ForestNode, type ForestScope, scopeKey, upperNodes } from "./forest.ts";

interface GoldenDocument {
  t: "doc";
  itemId: string;
  revisionId: string;
  kind: string;
  namespace: string;
  status: string;
  sensitivity: string;
  title: string;
  body?: string;
  bodySha256: string;
}

interface GoldenNode {
  t: "node";
  id: string;
  tree: string;
  level: number;
  type: string;
  textSha256: string;
  length: number;
  text?: string;
  revisionId: string;
  sensitivity: string;
  status: string;
  children: string[];
}

const scope: ForestScope = {
  projectId: "demo",
  sensitivity: "internal",
  namespace: "architecture",
  status: "approved",
};
const passages = (...texts: string[]) => texts;
const asLeaf = (node: ForestNode, kind: string) => ({ ...node, kind });

function grow(projectId: string, documents: readonly GoldenDocument[]) {
  const nodes: { node: ForestNode; scope: ForestScope; children: readonly string[] }[] = [];
  let chunkCount = 0;
  const scopes = Map.groupBy(
    documents,
    ({ sensitivity, namespace, status }) => scopeKey({ projectId, sensitivity, namespace, status }),
  );
  for (const members of scopes.values()) {
    const { sensitivity, namespace, status } = members[0]!;
    const scope = { projectId, sensitivity, namespace, status };
    const leaves = [];
    const texts = new Map<string, string>();
    for (const document of members) {
      const chunks = chunkText(servedText(document.title, document.body!), document.revisionId);
      chunkCount += chunks.length;
      const node = documentNode(scope, document, chunks.map((chunk) => chunk.text));
      if (node === null) continue;
      nodes.push({ node, scope, children: chunks.map((chunk) => chunk.id) });
      leaves.push(asLeaf(node, document.kind));
      texts.set(node.nodeId, node.text);
    }
    for (const node of upperNodes(scope, leaves, (id) => texts.get(id)!)) {
      nodes.push({ node, scope, children: node.children });
    }
  }
  nodes.sort((a, b) => a.node.level - b.node.level || (a.node.nodeId < b.node.nodeId ? -1 : 1));
  return { nodes, chunkCount };
}

function assertGolden(corpus: string, withBodies: (documents: GoldenDocument[]) => void): void {
  const name = `golden-index/forest-${corpus}`;
  const header = goldenHeader<{ projectId: string; chunks: number; nodes: number }>(name);
  const lines = goldenLines<GoldenDocument | GoldenNode>(name);
  const documents = lines.filter((line) => line.t === "doc");
  withBodies(documents);
  const { nodes, chunkCount } = grow(header.projectId, documents);
  assert.equal(chunkCount, header.chunks);
  const expected = lines.filter((line) => line.t === "node");
  assert.equal(nodes.length, expected.length);
  nodes.forEach(({ node, scope, children }, index) => {
    const { text: _text, ...golden } = expected[index]!;
    assert.deepEqual({
      t: "node",
      id: node.nodeId,
      tree: node.treeId,
      level: node.level,
      type: node.nodeType,
      textSha256: node.contentHash,
      length: codePointLength(node.text),
      revisionId: node.revisionId,
      sensitivity: scope.sensitivity,
      status: scope.status,
      children,
    }, { ...golden, children: [...golden.children] });
  });
}

Deno.test("the golden corpus of marks grows its nodes bit for bit", () => {
  assertGolden("marks", () => {});
});

Deno.test("the golden corpus of batches grows its nodes bit for bit", () => {
  assertGolden("batches", () => {});
});

const publicCorpus = Deno.env.get("THEURIAN_PUBLIC_CORPUS");

Deno.test({
  name:
    "the public corpus grows its 27 nodes over 669 passages (did not run: no THEURIAN_PUBLIC_CORPUS)",
  ignore: publicCorpus === undefined,
  fn: async () => {
    const bodies = await bodiesOfArchive(publicCorpus!);
    assertGolden("dogfood", (documents) => {
      for (const document of documents) document.body = bodies.get(document.bodySha256)!;
    });
  },
});

/** Markdown files of a `.tar.gz`, by their digest. */
async function bodiesOfArchive(path: string): Promise<Map<string, string>> {
  const folder = await Deno.makeTempDir({ prefix: "index-corpus-" });
  try {
    const { success } = await new Deno.Command("tar", { args: ["xzf", path, "-C", folder] })
      .output();
    assert.ok(success);
    const bodies = new Map<string, string>();
    const walk = (directory: string) => {
      for (const entry of Deno.readDirSync(directory)) {
        const child = `${directory}/${entry.name}`;
        if (entry.isDirectory) walk(child);
        else if (entry.name.endsWith(".md")) {
          const bytes = Deno.readFileSync(child);
          bodies.set(
            sha256Hex(bytes),
            new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes),
          );
        }
      }
    };
    walk(folder);
    return bodies;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("documentNode() and upperNodes() give the golden ids", () => {
  const document = { itemId: "architecture.one", revisionId: "R" };
  const node = documentNode(scope, document, passages("alpha", "beta", "gamma"))!;
  assert.equal(node.treeId, "759c8dfcbb042bbfeddee2d16806abd4215291a09bceec9e7eba8874967a1d37");
  assert.equal(node.nodeId, "e631e5547d714e039d72b4799ddec290772d8ee89a80f2b6f2378308148430b0");
  const shuffled = documentNode(scope, document, passages("gamma", "alpha", "beta"))!;
  assert.equal(shuffled.nodeId, node.nodeId);
  const leaves = ["a", "b", "c"].map((itemId) =>
    documentNode(scope, { itemId, revisionId: itemId }, passages("x", "y", itemId))!
  );
  const texts = new Map(leaves.map((leaf) => [leaf.nodeId, leaf.text]));
  const kinds = ["architecture", "decision", "domain"];
  const upper = upperNodes(
    scope,
    kinds.flatMap((kind) => leaves.map((leaf) => asLeaf(leaf, kind))),
    (id) => texts.get(id)!,
  );
  assert.deepEqual(upper.map((node) => node.nodeType), ["domain", "domain", "domain", "catalog"]);
  assert.equal(
    upper[0]!.treeId,
    "d07d56c0e3af8b7c7b1ed9c17249f73a13a5bfa6340823c417bef8920eb1547a",
  );
  assert.equal(
    upper[3]!.treeId,
    "bffda63568bc1955faa8ad96ace19c3945a4384fd0b8ed739ea453a98cf94dd4",
  );
});

Deno.test("documentNode() makes no node of two passages", () => {
  assert.equal(documentNode(scope, { itemId: "a", revisionId: "R" }, passages("x", "y")), null);
});

Deno.test("documentNode() summarises exactly a million characters, and skips one more", () => {
  const million = ["a. ".repeat(333_332), "bcd", "🎉"];
  assert.equal(codePointLength(million.join("")), 1_000_000);
  const document = { itemId: "a", revisionId: "R" };
  assert.notEqual(documentNode(scope, document, million), null);
  assert.equal(documentNode(scope, document, [...million, "x"]), null);
});

Deno.test("upperNodes() makes no catalog below three kinds, and merges a short last batch", () => {
  const leaves = (kind: string, count: number) =>
    Array.from({ length: count }, (_, index) => ({
      nodeId: sha256Hex(`${kind}${index}`),
      contentHash: sha256Hex(`text ${kind}${index}`),
      kind,
    }));
  const counts = (count: number) =>
    upperNodes(scope, leaves("api", count), () => "A text.").map((node) => node.children.length);
  assert.deepEqual(counts(2), []);
  assert.deepEqual(counts(500), [500]);
  assert.deepEqual(counts(501), [501]);
  assert.deepEqual(counts(502), [502]);
  assert.deepEqual(counts(503), [500, 3]);
  const tree = (count: number) =>
    upperNodes(scope, leaves("api", count), () => "A text.").map((node) => node.treeId);
  assert.notEqual(tree(501)[0], tree(500)[0]);
  assert.equal(tree(501)[0], tree(503)[0]);
  const twoKinds = [...leaves("api", 3), ...leaves("domain", 3)];
  assert.equal(upperNodes(scope, twoKinds, () => "A text.").length, 2);
});
