/**
 * No text makes a verdict throw, hang or speak out of turn: hostile Unicode, texts of megabytes, and
 * declarations of any shape (compat.md sections 4, 5 and 7).
 *
 * @module
 */

import assert from "node:assert/strict";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import schema from "../../schemas/protocol/compatibility.schema.json" with { type: "json" };
import {
  type CoreFacts,
  type Declaration,
  declarationOf,
  judge,
  OUTCOMES,
} from "../../src/compat/mod.ts";

const GOOD: Declaration = {
  pluginVersion: "1.0.0",
  coreMinimum: "0.1.0",
  coreMaximumExclusive: "9.0.0",
  protocolVersion: "theurian/v1",
};
const CORE: CoreFacts = { version: "1.0.0", protocol: "theurian/v1" };

/** Judges and checks what holds for every answer. */
function verdictOf(declaration: Declaration, core: CoreFacts): string {
  const verdict = judge(declaration, core);
  if (verdict.outcome === "invalid-declaration") {
    assert.deepEqual(Object.keys(verdict), ["outcome", "error"]);
    assertSentence(verdict.error);
    return verdict.outcome;
  }
  assert(OUTCOMES.includes(verdict.outcome));
  assert.equal(verdict.compatible, verdict.outcome === "compatible");
  assert.equal(verdict.remedy === "", verdict.compatible);
  assertSentence(verdict.message);
  assertSentence(`${verdict.remedy}.`);
  // The keys carry canonical SemVer, so no control character and nothing beyond ASCII.
  assert.match(`${verdict.pluginVersion}${verdict.coreVersion}`, /^[0-9A-Za-z.+-]*$/);
  return verdict.outcome;
}

function assertSentence(text: string): void {
  assert(text.length > 0 && text.length < 2_000, `${text.length}`);
  // deno-lint-ignore no-control-regex
  assert(!/[\u0000-\u001f\u007f-\u009f]/.test(text));
}

const piece = fc.oneof(
  fc.string({ unit: "binary", maxLength: 6 }),
  fc.constantFrom(".", "-", "+", "_", "0", "1", "01", "9".repeat(30), "dev", "a", "ALPHA", "rc"),
  fc.constantFrom("\u0000", "\n", "\u0085", "\ufeff", "\u200b", "\u202e", "\ud800", "\udc00"),
  fc.constantFrom("\u0661", "\uff11", "\u0131", "\u017f", "\u212a", "e\u0301", "\u{1d7ce}", "!"),
  fc.constantFrom("1.2.3", "0.1.0-dev.0", "theurian/v1", "theurian/v", " ", "'", '"', "--json"),
);
const hostile = fc.array(piece, { maxLength: 8 }).map((list) => list.join(""));
const declared = fc.oneof(hostile, fc.constantFrom("0.1.0", "1.0.0", "2.0.0-rc.1+b"));

Deno.test("judge() answers every text, and never throws", () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(
      fc.record({
        pluginVersion: declared,
        coreMinimum: declared,
        coreMaximumExclusive: declared,
        protocolVersion: fc.oneof(hostile, fc.constant("theurian/v1")),
      }),
      fc.record({
        version: fc.oneof(declared, fc.constant(null)),
        protocol: fc.oneof(hostile, fc.constant(null), fc.constant("theurian/v1")),
      }),
      (declaration, core) => void seen.add(verdictOf(declaration, core)),
    ),
    { numRuns: 4_000 },
  );
  // One hostile text at a time reaches every rule behind the first.
  fc.assert(
    fc.property(fc.constantFrom(...Object.keys(GOOD)), hostile, (key, text) => {
      seen.add(verdictOf({ ...GOOD, [key]: text }, CORE));
      seen.add(verdictOf(GOOD, { ...CORE, version: text }));
      seen.add(verdictOf(GOOD, { ...CORE, protocol: text }));
    }),
    { numRuns: 4_000 },
  );
  for (const outcome of ["compatible", "invalid-declaration", "core-missing"]) {
    assert(seen.has(outcome), outcome);
  }
  assert(seen.has("protocol-mismatch") && seen.has("core-too-old"));
});

const MEGABYTES = 4_000_000;

/** Each reads into another corner of the grammars. */
const LONG: Readonly<Record<string, string>> = {
  "a list of identifiers": `1.2.3-${"a.".repeat(MEGABYTES / 2)}a`,
  "a list that ends in nothing": `1.2.3-${"a.".repeat(MEGABYTES / 2)}`,
  "a list of numbers with a zero in front": `1.2.3-${"1.".repeat(MEGABYTES / 2)}01`,
  "build metadata": `1.2.3+${"b.".repeat(MEGABYTES / 2)}!`,
  "one number": `${"1".repeat(MEGABYTES)}.0.0`,
  "digits and a stranger": `1.2.3-${"1".repeat(MEGABYTES)}!`,
  "dashes": `1.2.3-${"-".repeat(MEGABYTES)}!`,
  "zeros of a phase": `1.2.3a${"0".repeat(MEGABYTES)}x`,
  "white space inside": `1.2.3${" ".repeat(MEGABYTES)}x`,
  "white space around": `${"\u3000".repeat(MEGABYTES)}1.2.3${"\n".repeat(MEGABYTES)}`,
  "white space alone": "\u0085".repeat(MEGABYTES),
  "controls": "\u0000".repeat(MEGABYTES),
  "lone surrogates": "\ud800".repeat(MEGABYTES),
  "release numbers": "1.".repeat(MEGABYTES / 2),
};

for (const [name, text] of Object.entries(LONG)) {
  Deno.test(`judge() takes megabytes of ${name} in linear time`, () => {
    const start = performance.now();
    for (const key of Object.keys(GOOD)) verdictOf({ ...GOOD, [key]: text }, CORE);
    verdictOf(GOOD, { ...CORE, version: text });
    verdictOf(GOOD, { ...CORE, protocol: text });
    const took = performance.now() - start;
    assert(took < 10_000, `${Math.round(took)} ms`);
  });
}

Deno.test("a protocol of megabytes is cut where a sentence repeats it", () => {
  const protocolVersion = `theurian/v${"1".repeat(MEGABYTES)}`;
  assert.equal(verdictOf({ ...GOOD, protocolVersion }, CORE), "protocol-mismatch");
});

Deno.test("declarationOf() answers every value, and what it accepts can be judged", () => {
  const value = fc.oneof(
    fc.anything({ withNullPrototype: true, withBigInt: true }),
    fc.record({
      pluginVersion: fc.oneof(hostile, fc.anything(), fc.constant("1.0.0")),
      coreCompatibility: fc.oneof(
        fc.anything(),
        fc.record({
          minimum: fc.oneof(hostile, fc.anything(), fc.constant("0.1.0")),
          maximumExclusive: fc.oneof(hostile, fc.anything(), fc.constant("2.0.0")),
        }),
      ),
      protocolVersion: fc.oneof(hostile, fc.anything(), fc.constant("theurian/v1")),
    }),
  );
  let accepted = 0;
  fc.assert(
    fc.property(value, (document) => {
      const declaration = declarationOf(document);
      if ("fault" in declaration) return assertSentence(declaration.fault);
      accepted++;
      verdictOf(declaration, CORE);
    }),
    { numRuns: 5_000 },
  );
  assert(accepted > 0);
});

Deno.test("the published schema and the parser accept the same declared versions", () => {
  const accepts = new Ajv2020().compile(schema);
  const part = fc.constantFrom(
    ...["0", "1", "01", "10", ".", "-", "+", "a", "rc", "A-1", "00", "x", " ", "\n", "\u0661"],
  );
  const near = fc.array(part, { maxLength: 12 }).map((list) => list.join(""));
  const started = near.map((text) => `1.2.3${text}`);
  let accepted = 0;
  fc.assert(
    fc.property(fc.oneof(started, near, hostile), (pluginVersion) => {
      const declaration = {
        pluginVersion,
        coreCompatibility: { minimum: "0.1.0", maximumExclusive: "2.0.0" },
        protocolVersion: "theurian/v1",
      };
      const bySchema = accepts(declaration);
      assert.equal("fault" in declarationOf(declaration), !bySchema, JSON.stringify(pluginVersion));
      if (bySchema) accepted++;
    }),
    { numRuns: 20_000 },
  );
  assert(accepted > 100, `${accepted}`);
});
