/**
 * Readers of one text: JSON, YAML, versions, sources, evidence records.
 *
 * @module
 */

import assert from "node:assert/strict";
import fc from "fast-check";
import {
  compareVersions,
  judge,
  parseCoreVersion,
  parseDeclaredVersion,
  type Version,
  versionText,
} from "../../src/compat/mod.ts";
import { DocumentFault, parseSource } from "../../src/ingest/mod.ts";
import {
  JsonSyntaxError,
  parseExactJson,
  printExactJson,
  withApproximateIntegers,
} from "../../src/platform/exact_json.ts";
import { parseForeignYaml, parseYaml, writeYaml } from "../../src/platform/yaml/mod.ts";
import type { WritableYaml } from "../../src/platform/yaml/mod.ts";
import {
  type Evidence,
  EvidenceFault,
  evidenceText,
  holdsLoneSurrogate,
  parseEvidence,
} from "../../src/review/evidence/mod.ts";
import { goldenReviewPath } from "../support/golden_review.ts";
import { damaged, damagedText, type Json, oddValue, wellFormed } from "./edits.ts";
import { CANARY, type FuzzTarget, refusedCleanly, requireSilence } from "./fuzz.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);
const nothing = () => Promise.resolve();

const JSON_PIECES = [
  ...[
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    '"',
    "\\",
    "\\u",
    "\\ud800",
    "0",
    "-",
    "1e",
    ".",
    "1e999",
    "NaN",
  ],
  ...[
    "true",
    "nul",
    "\u0000",
    "\ufeff",
    "\u2028",
    " ",
    "\n",
    "\t",
    "//",
    "/*",
    '"__proto__":',
    "9".repeat(30),
  ],
];

/** Reads what the runtime reads, exactly, and refuses what it refuses. */
const json: FuzzTarget = {
  name: "json",
  open: () => ({
    inputs: damagedText(oddValue.map((value) => JSON.stringify(value)), JSON_PIECES),
    check: (text: string) => {
      let expected: unknown = Symbol("refused");
      try {
        expected = JSON.parse(text);
      } catch {
        // The runtime refuses it.
      }
      try {
        const read = parseExactJson(text, { fractions: "number", maxDepth: Infinity });
        assert.deepEqual(withApproximateIntegers(read), expected);
        if (!isFiniteAll(expected)) return;
        const again = JSON.parse(printExactJson(read));
        assert.equal(JSON.stringify(again), JSON.stringify(expected));
      } catch (error) {
        if (!(error instanceof JsonSyntaxError)) throw error;
        assert.equal(typeof expected, "symbol", "the runtime reads it");
        requireSilence(error.message);
      }
    },
    [Symbol.asyncDispose]: nothing,
  }),
};

/** False when a number is beyond every double, which JSON cannot print. */
function isFiniteAll(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  return typeof value !== "object" || value === null || Object.values(value).every(isFiniteAll);
}

const YAML_PIECES = [
  ...[
    "- ",
    ": ",
    "? ",
    "&a ",
    "*a",
    "!!str ",
    "!x ",
    "<<: *a",
    "---\n",
    "...\n",
    "# ",
    "|\n",
    ">-\n",
  ],
  ...["\t", "\n", "\n  ", "'", '"', "{", "}", "[", "]", ",", "@", "`", "%YAML 1.1\n", "0o7", "1_0"],
  ...["1:30", "~", "\u0085", "\ufeff", "\u0000", "\r", '"\\x00"', '"\\ud800"', "no", "2026-01-01"],
];

/** Never crashes on any text, and reads back what it wrote. */
const yaml: FuzzTarget = {
  name: "yaml",
  open: () => ({
    inputs: damagedText(
      oddValue.map((value) =>
        writeYaml({ key: wellFormed(value) as WritableYaml, list: [1, "two"] })
      ),
      YAML_PIECES,
    ),
    check: async (text: string) => {
      const bytes = bytesOf(text);
      const strict = await refusedCleanly(() => parseYaml(bytes, "x.yaml").value);
      await refusedCleanly(() => parseForeignYaml(bytes, "x.yaml"));
      // A key is no longer than 1024 characters, and grows where it is escaped.
      if (strict === null || longestKey(strict) > 150) return;
      const again = parseYaml(bytesOf(writeYaml(strict as WritableYaml)), "y.yaml").value;
      assert.deepEqual(again, strict);
    },
    [Symbol.asyncDispose]: nothing,
  }),
};

function longestKey(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const lengths = Object.entries(value).flatMap(([key, child]) => [key.length, longestKey(child)]);
  return Math.max(0, ...lengths);
}

const VERSIONS = [
  ...[
    "0.6.0",
    "1.0.0-rc.1",
    "1.0.0rc1",
    "1.2.3.post4",
    "1.2.3.dev5",
    "1!2.3",
    "v1.0",
    "1.0.0+build.7",
  ],
  ...[
    "0.6.0a1",
    "1.0.0-alpha.beta",
    "1.0.0--",
    "01.2.3",
    "1.2",
    "1",
    "",
    "9".repeat(400),
    "1.0.0-0",
  ],
];
const VERSION_PIECES = [
  ...[
    ".",
    "-",
    "+",
    "!",
    "a",
    "rc",
    ".post",
    ".dev",
    "0",
    "1",
    "alpha",
    " ",
    "\n",
    "v",
    "_",
    "９",
    "9".repeat(99),
  ],
];
const versionTexts = damagedText(fc.constantFrom(...VERSIONS), VERSION_PIECES);

/** Reads or refuses every text, orders what it reads, and judges whatever is declared. */
const versions: FuzzTarget = {
  name: "versions",
  open: () => ({
    inputs: fc.array(versionTexts, { minLength: 5, maxLength: 5 }),
    check: (texts: readonly string[]) => {
      const read = texts.flatMap((text) => {
        const both = [parseDeclaredVersion(text), parseCoreVersion(text)];
        return both.filter((version): version is Version => version !== null);
      });
      for (const a of read) {
        assert.equal(compareVersions(parseDeclaredVersion(versionText(a))!, a), 0);
        for (const b of read) {
          assert.equal(Math.sign(compareVersions(a, b)), -Math.sign(compareVersions(b, a)) + 0);
          for (const c of read) {
            if (compareVersions(a, b) <= 0 && compareVersions(b, c) <= 0) {
              assert.ok(compareVersions(a, c) <= 0);
            }
          }
        }
      }
      const [pluginVersion, coreMinimum, coreMaximumExclusive, protocolVersion, version] = texts;
      const declared = { pluginVersion, coreMinimum, coreMaximumExclusive, protocolVersion };
      judge(declared as Parameters<typeof judge>[0], {
        version: version!,
        protocol: "theurian/v1",
      });
    },
    [Symbol.asyncDispose]: nothing,
  }),
};

const SOURCES: Readonly<Record<string, string>> = {
  "a.md":
    "---\ntitle: T\n---\n# One\n\n```js\n# no heading\n```\n\n## Two {#id}\n\n[x](y.md) | a | b |\n",
  "a.yaml":
    "openapi: 3.1.0\npaths:\n  /a:\n    get:\n      operationId: a\n      $ref: './b.yaml#/x'\n",
  "a.json":
    '{"openapi":"3.0.0","paths":{"/a":{"get":{"$ref":"https://e.org/x"}}},"a":[1,{"b":null}]}',
};
const SOURCE_PIECES = [
  ...YAML_PIECES,
  ...["```", "~~~", "# ", "=====", "<!--", "[a](", "$ref", '"$ref":"', "\\", "| - |", "    ", ">"],
];

/** Parses or refuses every source, and repeats nothing of it. */
const sources: FuzzTarget = {
  name: "sources",
  open: () => ({
    inputs: fc.constantFrom(...Object.keys(SOURCES)).chain((name) =>
      fc.tuple(fc.constant(name), damagedText(fc.constant(SOURCES[name]!), SOURCE_PIECES, 8))
    ),
    check: ([name, text]: readonly [string, string]) => {
      const anchor = { filePath: name, repository: null, commitSha: null, sourceUri: "git://x" };
      try {
        parseSource(bytesOf(text), anchor as unknown as Parameters<typeof parseSource>[1]);
      } catch (error) {
        if (!(error instanceof DocumentFault)) throw error;
        requireSilence(error.message);
      }
    },
    [Symbol.asyncDispose]: nothing,
  }),
};

function goldenRecords(): { path: string; document: Json }[] {
  const lines = Deno.readTextFileSync(goldenReviewPath("stores/evidence.jsonl")).split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line));
}

/** Reads a record or names the rule it breaks; what it reads it writes alike. */
const evidence: FuzzTarget = {
  name: "evidence",
  open: () => {
    const records = goldenRecords();
    return {
      inputs: fc.constantFrom(...records).chain(({ path, document }) =>
        fc.tuple(
          fc.constant(path),
          damagedText(
            damaged(fc.constant(document)).map((tree) => JSON.stringify(tree)),
            JSON_PIECES,
            1,
          ),
        )
      ),
      check: ([path, text]: readonly [string, string]) => {
        let read: Evidence;
        try {
          read = parseEvidence(bytesOf(text), path);
        } catch (error) {
          if (!(error instanceof EvidenceFault)) throw error;
          return requireSilence(`${error.message} ${error.field}`);
        }
        if (holdsLoneSurrogate(read)) return; // It may be read, and is never written.
        const written = evidenceText(read);
        assert.equal(evidenceText(parseEvidence(bytesOf(written), path)), written);
      },
      [Symbol.asyncDispose]: nothing,
    };
  },
};

/** Kept out of names, so that a key of a document never counts as a leak of a value. */
assert.ok(!JSON.stringify(SOURCES).includes(CANARY));

/** All of them. */
export const TEXT_TARGETS: readonly FuzzTarget[] = [json, yaml, versions, sources, evidence];
