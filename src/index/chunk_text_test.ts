import assert from "node:assert/strict";
import fc from "fast-check";
import { goldenLines } from "../../tests/support/golden_lines.ts";
import { codePointLength } from "../platform/text.ts";
import { sha256Hex } from "../platform/hash.ts";
import { servedText } from "../knowledge/model.ts";
import { chunkText } from "./chunk_text.ts";
import { embedText } from "./embed_text.ts";
import { estimateTokens } from "./estimate_tokens.ts";

interface GoldenChunk {
  ordinal: number;
  id: string;
  heading: string;
  length: number;
  textSha256: string;
  text?: string;
  tokens: number;
  vectorSha256: string;
}

interface GoldenBody {
  name: string;
  title: string;
  body: string;
  revisionId: string;
  bodySha256: string;
  servedSha256: string;
  chunks: GoldenChunk[];
  vector0?: string;
}

const bodies = goldenLines<GoldenBody>("golden-index/bodies");
const chunks = (title: string, body: string) => chunkText(servedText(title, body), "R");
const lengths = (title: string, body: string) =>
  chunks(title, body).map((chunk) => codePointLength(chunk.text));

Deno.test("chunkText() gives every golden body its passages, tokens and vectors bit for bit", () => {
  assert.equal(bodies.length, 69);
  for (const golden of bodies) {
    const served = servedText(golden.title, golden.body);
    assert.equal(sha256Hex(served), golden.servedSha256, golden.name);
    const found = chunkText(served, golden.revisionId).map((chunk) => ({
      ordinal: chunk.ordinal,
      id: chunk.id,
      heading: chunk.heading,
      length: codePointLength(chunk.text),
      textSha256: sha256Hex(chunk.text),
      tokens: estimateTokens(chunk.text),
      vectorSha256: sha256Hex(new Uint8Array(embedText(chunk.text).buffer)),
    }));
    const expected = golden.chunks.map(({ text: _text, ...rest }) => rest);
    assert.deepEqual(found, expected, golden.name);
  }
});

Deno.test("chunkText() gives a blank text no passage", () => {
  assert.deepEqual(chunkText("", "R"), []);
  assert.deepEqual(chunkText(" \n\t\u3000\u001c\u0085 ", "R"), []);
});

Deno.test("chunkText() joins a short title and heading to what follows, under the empty heading", () => {
  const only = chunks("T", `# A \n\n short \n\n## B \n\n${"x".repeat(200)}`);
  assert.equal(only.length, 1);
  assert.equal(only[0]!.heading, "");
  assert.equal(only[0]!.id, "R#0");
});

Deno.test("chunkText() cuts what has no boundary every thousand characters", () => {
  assert.deepEqual(lengths("T", "x".repeat(2500)), [1003, 1000, 500]);
});

Deno.test("chunkText() cuts Japanese behind its full stop, without a space", () => {
  const sentence = "あ".repeat(599) + "。";
  assert.deepEqual(lengths("T", sentence + sentence), [603, 600]);
});

Deno.test("chunkText() counts an emoji and a rare ideograph as one character each", () => {
  assert.deepEqual(lengths("T", "🎉".repeat(997)), [1000]);
  assert.deepEqual(lengths("T", "𠀀".repeat(2500)), [1003, 1000, 500]);
  for (const chunk of chunks("T", "🎉".repeat(2500))) assert.ok(chunk.text.isWellFormed());
});

Deno.test("chunkText() uses the contract's white space and line feed alone for headings", () => {
  const y = "y".repeat(150);
  const body = `# Z\n${y}\n\n#\u001cA\rB \u0085\n\n${y}\n\n#\ufeffC\n\n${y}\n\u2028# D\n\n${y}`;
  const found = chunks("T", body);
  assert.deepEqual(found.map((chunk) => chunk.heading), ["", "A\rB"]);
  assert.deepEqual(found.map((chunk) => codePointLength(chunk.text)), [157, 473]);
});

Deno.test("chunkText() takes no seventh hash, no hash without a space and no indented hash for a heading", () => {
  const long = "z".repeat(130);
  const found = chunks("t".repeat(130), `####### a\n${long}\n\n#b\n${long}\n\n # c\n${long}`);
  assert.deepEqual(found.map((chunk) => chunk.heading), [""]);
});

Deno.test("chunkText() lets a lone hash take the next line as its heading", () => {
  const found = chunks("t".repeat(130), `#\n\nNext line\n${"z".repeat(130)}`);
  assert.deepEqual(found.map((chunk) => chunk.heading), ["", "Next line"]);
});

Deno.test("chunkText() keeps a NUL and all that follows it", () => {
  assert.equal(chunks("T", "abc\0zebra")[0]!.text, "T\n\nabc\0zebra");
});

Deno.test("chunkText() folds a short end backward only while the passage stays short", () => {
  assert.deepEqual(lengths("t".repeat(1000), "# B\n\nxy"), [1000, 7]);
  assert.deepEqual(lengths("t".repeat(993), "# B\n\nxy"), [1002]);
});

Deno.test("chunkText() never gives a passage over 1121 characters, and stays linear", () => {
  fc.assert(fc.property(
    fc.array(
      fc.constantFrom("word ", "\n\n", "# H\n", "x".repeat(119), "。", ". ", "🎉", "\n \n"),
      {
        maxLength: 300,
      },
    ),
    (parts) => {
      for (const length of lengths("Title", parts.join(""))) assert.ok(length <= 1121);
    },
  ));
  const began = performance.now();
  for (const unit of ["\n", " ", "# ", "#\n", ". ", "a ", "\n ", "a"]) {
    chunks("T", unit.repeat(2_000_000 / unit.length));
  }
  assert.ok(performance.now() - began < 10_000);
});
