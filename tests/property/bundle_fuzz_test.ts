/**
 * No bytes of a foreign bundle make an import throw, hang or repeat more than it may: every document
 * is a concept or one refusal from the closed list (okf.md 5.2, 5.5).
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { bundleDigestMatches, mapConcepts, parseConcept } from "../../src/okf/mod.ts";

const REASON = new RegExp(
  "^(?:not UTF-8|no front matter|YAML too large|YAML invalid: [^\\n]{1,260}" +
    "|required key\\(s\\) missing: (?:type|title|status)(?:, (?:title|status))*" +
    "|invalid item id: [^]{0,230}|unrecognised type: [^]{1,230})$",
);

const KEYS = [
  ...["type", "title", "status", "tags", "sources", "stale_after", "generated"],
  ...["theurian_item_id", "theurian_body_file", "theurian_content_type", "theurian_relations"],
  ...[
    "theurian_export_version",
    "theurian_sensitivity",
    "theurian_anchor",
    "__proto__",
    "constructor",
  ],
];
const scalar = fc.oneof(
  fc.constantFrom("convention", "T", "stable", "deprecated", "1", "a.b", "../x", "true", "~", "''"),
  fc.constantFrom(
    "[a, b]",
    "{a: b}",
    "[{type: implements, target: b}]",
    "&q x",
    "*q",
    "!!str x",
    "|",
    ">",
  ),
  fc.constantFrom(
    '"\\ud800"',
    '"\\0"',
    '"\\x9b"',
    "'",
    '"',
    "[",
    "{",
    "- ",
    "? ",
    ": ",
    "%YAML 1.2",
    "=",
    "<<",
  ),
  fc.constantFrom(
    "[{resource: 'x y'}, {resource: docs/a, theurian_anchor: {provider: p, line_start: 1}}]",
  ),
  fc.constantFrom(
    `${"[".repeat(200)}`,
    "x".repeat(3_000),
    "1".repeat(400),
    "1e999",
    ".nan",
    "0x",
    "-",
    "...",
  ),
  fc.string({ unit: "binary", maxLength: 8 }),
);
const document = fc.record({
  open: fc.constantFrom(
    "---\n",
    "---\n",
    "---\n",
    "---\n",
    "---\r\n",
    "--- \t\n",
    "\ufeff---\n",
    "",
    "---x\n",
  ),
  lines: fc.array(fc.tuple(fc.constantFrom(...KEYS), scalar), { maxLength: 4 }),
  close: fc.constantFrom(
    "---\n",
    "---\n",
    "---\n",
    "---\n",
    "---\r\n",
    "---",
    "...\n",
    "---x\n",
    "",
  ),
  rest: fc.string({ unit: "binary", maxLength: 20 }),
  usual: fc.boolean(),
}).map(({ open, lines, close, rest, usual }) =>
  open + (usual ? "type: convention\ntitle: T\nstatus: stable\n" : "") +
  lines.map(([key, value]) => `${key}: ${value}\n`).join("") + close + rest
);
const encoded = fc.oneof(
  document.map((text) => new TextEncoder().encode(text)),
  fc.uint8Array({ maxLength: 40 }),
  fc.tuple(document, fc.nat(200), fc.nat(255)).map(([text, at, byte]) => {
    const bytes = new TextEncoder().encode(text);
    if (bytes.length > 0) bytes[at % bytes.length] = byte;
    return bytes;
  }),
);

Deno.test("parseConcept() answers any bytes with facts or with one reason of the list", () => {
  let taken = 0;
  fc.assert(
    fc.property(
      encoded,
      fc.constantFrom("a.md", "a/b.md", "UPPER.md", ".md", "\u00e9.md"),
      (bytes, path) => {
        const facts = parseConcept(path, bytes);
        if ("reason" in facts) return assert.match(facts.reason, REASON);
        taken++;
        assert.equal(typeof facts.title, "string");
        assert(facts.labels.every((label) => typeof label === "string"));
        assert(
          facts.edges.every(({ type, target }) =>
            typeof type === "string" && typeof target === "string"
          ),
        );
        assert(facts.sources.every(({ sourceUri }) => sourceUri !== "" && !/\s/.test(sourceUri)));
        assert(
          facts.sensitivity === null || /^(?:confidential|restricted)$/.test(facts.sensitivity),
        );
      },
    ),
    { numRuns: 6_000 },
  );
  assert(taken > 20, `${taken}`);
});

const name = fc.constantFrom(
  "a.md",
  "b.md",
  "index.md",
  "theurian-bundle.md",
  "x.json",
  "d.md",
  ".h",
  "log.md",
);

Deno.test("mapConcepts() takes any tree, and the digest of any tree can be asked for", () => {
  const folder = Deno.makeTempDirSync({ prefix: "theurian-bundle-" });
  let run = 0;
  try {
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(name, fc.constantFrom("file", "directory", "link", "away", "loop"), encoded),
          {
            maxLength: 6,
          },
        ),
        (entries) => {
          const root = join(folder, `${run++}`);
          Deno.mkdirSync(root);
          for (const [entry, kind, bytes] of entries) plant(join(root, entry), kind, bytes);
          const { concepts, refusals } = mapConcepts(root, []);
          const ids = concepts.map(({ facts }) => facts.itemId);
          assert.equal(new Set(ids).size, ids.length);
          for (const { kind, key, literal } of refusals) {
            assert(kind === "concept" || kind === "reference");
            assert(key.length > 0 && literal.length < 300);
            assert(!`${key}${literal}`.includes(folder));
          }
          assert([true, false, null].includes(bundleDigestMatches(root)));
        },
      ),
      { numRuns: 300 },
    );
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});

function plant(path: string, kind: string, bytes: Uint8Array): void {
  try {
    if (kind === "directory") Deno.mkdirSync(path);
    else if (kind === "link") Deno.symlinkSync("a.md", path);
    else if (kind === "away") Deno.symlinkSync("/etc/hostname", path);
    else if (kind === "loop") Deno.symlinkSync(".", path);
    else Deno.writeFileSync(path, bytes, { createNew: true });
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
  }
}
