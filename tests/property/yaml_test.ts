import assert from "node:assert/strict";
import fc from "fast-check";
import { isFault } from "../../src/platform/errors.ts";
import {
  parseForeignYaml,
  parseYaml,
  type WritableYaml,
  writeYaml,
} from "../../src/platform/yaml/mod.ts";

const encode = (text: string) => new TextEncoder().encode(text);

/** Pieces that mean something to YAML, so that chance builds layouts and not mere prose. */
const PIECES = [
  "a",
  "key",
  "1",
  "010",
  "1.5",
  "~",
  "yes",
  "<<",
  "=",
  "é",
  "😀",
  "\ufeff",
  "\u0085",
  "\u2028",
  "\u0007",
  " ",
  "  ",
  "\t",
  "\n",
  "\r\n",
  "\r",
  "\n  ",
  "\n    ",
  "- ",
  "-",
  "? ",
  "?",
  ": ",
  ":",
  ", ",
  "[",
  "]",
  "{",
  "}",
  "#",
  " # ",
  "'",
  '"',
  "\\",
  "\\n",
  "\\uD83D",
  "\\U00110000",
  "|",
  "|-",
  "|2+",
  ">",
  "&a ",
  "*a",
  "!",
  "!!str ",
  "!!set ",
  "!<",
  "%",
  "%YAML 1.1",
  "---",
  "\n---\n",
  "...",
  "secret-cell",
];

const text = fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }).map((parts) => parts.join(""));

/** What a parse comes to, with its refusal checked for form and for silence about the content. */
function verdict(parse: () => unknown): "taken" | "refused" {
  try {
    parse();
    return "taken";
  } catch (error) {
    if (!isFault(error, "yaml-invalid", "yaml-too-large")) throw error;
    assert.match(error.message, /^Cannot read f at line [1-9]\d*, column [1-9]\d*: [a-z0-9]/);
    assert.notEqual(error.remedy, "");
    assert.doesNotMatch(
      error.message + error.remedy + JSON.stringify(error.details),
      /secret-cell/,
    );
    assert.equal(error.cause, undefined);
    return "refused";
  }
}

Deno.test("any text is a value or a refusal with its place, never a crash and never an echo", () => {
  const seen = { taken: 0, refused: 0 };
  fc.assert(
    fc.property(text, fc.boolean(), (source, asValue) => {
      const bytes = encode(asValue ? `k: ${source}\n` : source);
      seen[verdict(() => parseYaml(bytes, "f"))]++;
      verdict(() => parseForeignYaml(bytes, "f"));
    }),
    { numRuns: 8000 },
  );
  assert.ok(seen.taken > 100 && seen.refused > 1000, JSON.stringify(seen));
});

Deno.test("what the strict reader takes, the lenient one takes for the same value", () => {
  let taken = 0;
  fc.assert(
    fc.property(text, (source) => {
      const bytes = encode(`k: ${source}\n`);
      let value: unknown;
      try {
        ({ value } = parseYaml(bytes, "f"));
      } catch {
        return;
      }
      taken++;
      assert.deepEqual(parseForeignYaml(bytes, "f"), value);
    }),
    { numRuns: 8000 },
  );
  assert.ok(taken > 100);
});

Deno.test("any bytes are a value or a refusal", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      verdict(() => parseYaml(bytes, "f"));
    }),
    { numRuns: 3000 },
  );
});

const scalar = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.string({ unit: "binary" }).map((value) => value.toWellFormed()),
  fc.constantFrom("yes", "010", "1:30", "<<", "", " ", "- a", "a: b", "#", "0x1F", "1e3", "\ufeff"),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => !Object.is(value, -0)),
  fc.bigInt(),
  fc.boolean(),
  fc.constant(null),
);

const document = fc.dictionary(
  fc.string({ minLength: 1, maxLength: 20 }),
  fc.letrec((tie) => ({
    node: fc.oneof(
      { maxDepth: 4 },
      scalar,
      fc.array(tie("node"), { maxLength: 4 }),
      fc.dictionary(fc.string({ minLength: 1, maxLength: 12 }), tie("node"), { maxKeys: 4 }),
    ),
  })).node,
  { minKeys: 1, maxKeys: 6 },
);

/** Numbers as the reader gives them, containers without prototypes. */
function asRead(value: unknown): unknown {
  if (typeof value === "bigint") {
    return value >= -(2n ** 53n) + 1n && value <= 2n ** 53n - 1n ? Number(value) : value;
  }
  if (typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value)) {
    return BigInt(value);
  }
  if (Array.isArray(value)) return value.map(asRead);
  if (value === null || typeof value !== "object") return value;
  return Object.assign(
    Object.create(null),
    Object.fromEntries(Object.entries(value).map(([key, member]) => [key, asRead(member)])),
  );
}

Deno.test("what is written is read back as it was", () => {
  fc.assert(
    fc.property(document, (value) => {
      const written = writeYaml(value as WritableYaml);
      const read = parseYaml(encode(written), "f").value;
      // A number of 1e21 or more is written with an exponent and read as the number it is.
      assert.deepEqual(asRead(read), asRead(value), written);
    }),
    { numRuns: 1500 },
  );
});
