import assert from "node:assert/strict";
import { isFault } from "../errors.ts";
import { parseYaml } from "./parse_yaml.ts";

const parse = (text: string) => parseYaml(new TextEncoder().encode(text), "a.yaml");
const valueOf = (text: string) => JSON.parse(JSON.stringify(parse(text).value));

/** The rule a text breaks, with its place, or what it was taken for. */
function verdict(text: string): string {
  try {
    return `taken: ${JSON.stringify(parse(text).value)}`;
  } catch (error) {
    if (!isFault(error)) throw error;
    assert.notEqual(error.remedy, "");
    const { rule, line, column } = error.details ?? {};
    return rule === undefined ? error.fault : `${rule} ${line}:${column}`;
  }
}

function verdicts(cases: readonly (readonly [string, string])[]): void {
  assert.deepEqual(cases.map(([text]) => [text, verdict(text)]), cases);
}

Deno.test("parseYaml() reads a migration's shape", () => {
  assert.deepEqual(
    valueOf("a: 1\nb:\n  - op: x\n    t: |\n      one\n      two\n  - {c: [d, 2]}\n"),
    {
      a: 1,
      b: [{ op: "x", t: "one\ntwo\n" }, { c: ["d", 2] }],
    },
  );
});

Deno.test("parseYaml() gives mappings no prototype, so that no key means anything", () => {
  const value = parse('"__proto__": {x: 1}\nconstructor: y\n').value as Record<string, unknown>;
  assert.equal(Object.getPrototypeOf(value), null);
  assert.deepEqual(Object.keys(value), ["__proto__", "constructor"]);
  assert.equal(({} as { x?: number }).x, undefined);
});

Deno.test("parseYaml() wants one document with a mapping at its root", () => {
  verdicts([
    ["a: 1\n---\nb: 2\n", "documents 3:1"],
    ["a: 1\n---\n", "documents 1:4"],
    ["---\na: 1\n...\n", 'taken: {"a":1}'],
    ["- a\n", "root 1:1"],
    ["text\n", "root 1:1"],
    ["", "root 1:1"],
    ["# only a comment\n", "root 1:1"],
    ["~\n", "root 1:1"],
  ]);
});

Deno.test("parseYaml() takes an empty document where it is told to, and no scalar", () => {
  const read = (text: string) =>
    parseYaml(new TextEncoder().encode(text), "config.yaml", { allowEmpty: true }).value;
  for (const text of ["", "\n", "# c\n", "---\n", "null\n"]) assert.equal(read(text), null);
  for (const text of ["text\n", "[]\n", "0\n"]) {
    assert.throws(() => read(text), /root is not a mapping/);
  }
});

Deno.test("parseYaml() refuses tags, anchors, aliases, merge keys and directives with their place", () => {
  verdicts([
    ["a: !!str 1\nb: !!map {}\nc: !!seq []\n", 'taken: {"a":"1","b":{},"c":[]}'],
    ["a: !<tag:yaml.org,2002:str> x\n", 'taken: {"a":"x"}'],
    ["a: !!str\n", 'taken: {"a":""}'],
    ["a:\n  b: !!int 1\n", "tag 2:6"],
    ["a: !!bool yes\n", "tag 1:4"],
    ["a: ! x\n", "tag 1:4"],
    ["a: !foo x\n", "tag 1:4"],
    ["a: !!set {x}\n", "tag 1:4"],
    ["a: !!timestamp 2026-01-01\n", "tag 1:4"],
    ["a: !!binary aGk=\n", "tag 1:4"],
    ["a: !!map []\n", "tag 1:4"],
    ["a: !!str {}\n", "tag 1:4"],
    ["a: &x 1\n", "anchor 1:4"],
    ["a: *x\n", "alias 1:4"],
    ["a: 1\n<<: {b: 2}\n", "merge 2:1"],
    ["a: [<<]\n", "merge 1:5"],
    ['"<<": 1\n', 'taken: {"<<":1}'],
    ["a: =\n", "scalar 1:4"],
    ["%YAML 1.1\n---\na: 1\n", "directive 1:1"],
    ["%TAG ! x\n---\na: 1\n", "directive 1:1"],
    ["# c\n%FOO bar\n--- {a: 1}\n", "directive 2:1"],
    ["a: 5%\n", 'taken: {"a":"5%"}'],
  ]);
});

Deno.test("parseYaml() refuses a key that is given twice or is no text", () => {
  verdicts([
    ["a: 1\nb: 2\na: 3\n", "duplicate-key 3:1"],
    ["a:\n  {x: 1, 'x': 2}\n", "duplicate-key 2:10"],
    ["a: |\n  x\n|\n  : y\n", "syntax 3:1"],
    ["1: x\n", "key 1:1"],
    ["yes: x\n", "key 1:1"],
    [": x\n", "key 1:1"],
    ["? [a]\n: x\n", "key 1:3"],
    ["? a\n: x\n", 'taken: {"a":"x"}'],
    ['"1": x\n', 'taken: {"1":"x"}'],
    [`${"k".repeat(1024)}: x\n`, `taken: {"${"k".repeat(1024)}":"x"}`],
    [`${"k".repeat(1025)}: x\n`, "key 1:1"],
  ]);
});

Deno.test("parseYaml() refuses raw characters that another reader sees otherwise, in comments too", () => {
  verdicts([
    ["a: \u0007\n", "character 1:4"],
    ["a: x # \u001b[31m\n", "character 1:8"],
    ["a: \u007f\n", "character 1:4"],
    ["a: '\u0085'\n", "character 1:5"],
    ["a: '\u2028'\n", "character 1:5"],
    ["a: '\u2029'\n", "character 1:5"],
    ["a: \u009b\n", "character 1:4"],
    ["a: '\ufffe'\n", "character 1:5"],
    ["a: '\uffff'\n", "character 1:5"],
    ["a: 'x\0'\n", "character 1:6"],
    ["a: x\rb: y\n", "character 1:5"],
    ["a: x\r\nb: 'c\r\n  d'\r\n", 'taken: {"a":"x","b":"c d"}'],
    ['a: "\\N\\L\\P\\_"\n', 'taken: {"a":"\u0085\u2028\u2029\u00a0"}'],
  ]);
});

Deno.test("parseYaml() takes one byte order mark at the start and none between nodes", () => {
  verdicts([
    ["\ufeffa: 1\n", 'taken: {"a":1}'],
    ["\ufeff\ufeffa: 1\n", "byte-order-mark 1:1"],
    ["a: '\ufeff'\n", 'taken: {"a":"\ufeff"}'],
    ["a: 1 # \ufeff\n", 'taken: {"a":1}'],
    ["a: 1\n...\n\ufeff", "byte-order-mark 3:1"],
  ]);
});

Deno.test("parseYaml() takes a TAB in quotes, block texts and comments only", () => {
  verdicts([
    [
      "a: \"x\ty\"\nb: '\t'\nc: |\n  x\ty\n# \tz\nd: 1 #\t\n",
      'taken: {"a":"x\\ty","b":"\\t","c":"x\\ty\\n","d":1}',
    ],
    ["a:\tx\n", "tab 1:3"],
    ["a: x\t\n", "tab 1:5"],
    ["a: x\ty\n", "tab 1:5"],
    ["a: x\t# c\n", "tab 1:5"],
    ["a: x# \tc\n", "tab 1:7"],
    ["a:\n\tb: 1\n", "syntax 2:1"],
    ["a: [x, y\t]\n", "tab 1:9"],
    ["a: '#'\t\n", "tab 1:7"],
    ["a: x\n\t\nb: y\n", "tab 2:1"],
    ["-\tx\n", "tab 1:2"],
  ]);
});

Deno.test("parseYaml() refuses a bare question mark inside brackets and braces", () => {
  verdicts([
    ["a: [what?]\n", "flow-question-mark 1:5"],
    ["a: {b: [c?d]}\n", "flow-question-mark 1:9"],
    ["a: ['what?', {? b: c}]\n", 'taken: {"a":["what?",{"b":"c"}]}'],
    ["a: what?\n", 'taken: {"a":"what?"}'],
  ]);
});

Deno.test("parseYaml() refuses escapes of surrogates and beyond Unicode", () => {
  verdicts([
    ['a: "\\uD83D\\uDE00"\n', "escape 1:5"],
    ['a: "x\\udc00"\n', "escape 1:6"],
    ['a: "\\U0000D800"\n', "escape 1:5"],
    ['a: "\\U00110000"\n', "escape 1:5"],
    ['a: "\\U0001F600"\n', 'taken: {"a":"😀"}'],
    ['a: "\\\\uD83D"\n', 'taken: {"a":"\\\\uD83D"}'],
    ['a: "\\q"\n', "syntax 1:6"],
    ["a: '\\uD83D'\n", 'taken: {"a":"\\\\uD83D"}'],
  ]);
});

Deno.test("parseYaml() refuses layouts that only some readers take", () => {
  verdicts([
    ["{a\n: b}\n", "key 1:2"],
    ["a: {b # c\n  : d}\n", "key 1:5"],
    ['a: {"x\n  y": d}\n', "key 1:5"],
    ['a: {"x":y, z, "v\n  w"}\n', 'taken: {"a":{"x":"y","z":null,"v w":null}}'],
    ["a: [:x]\n", "scalar 1:5"],
    ["a: {b: :x}\n", "scalar 1:8"],
    ["a: :x\n", 'taken: {"a":":x"}'],
    ["# c\n...\na: 1\n", "documents 2:1"],
    ["a: 1\n...\n...\n", 'taken: {"a":1}'],
    ["a: !!str :\n", "key 1:4"],
    ["a: !!str b: c\n", "key 1:4"],
    ["a:\n- 'q'b:\n  c: 1\n", "key 2:6"],
    ["a:\n  - !!str b: c\n", 'taken: {"a":[{"b":"c"}]}'],
    ["a:\n  - - ? b\n      : - c\n", 'taken: {"a":[[{"b":["c"]}]]}'],
  ]);
});

Deno.test("parseYaml() reads line ends in texts as the format says where its parser does not", () => {
  verdicts([
    ["a: |\n  x", 'taken: {"a":"x"}'],
    ["a: |+\n  x", 'taken: {"a":"x"}'],
    ["a: >\n  x\n  y", 'taken: {"a":"x y"}'],
    ["a: |\n  x\n", 'taken: {"a":"x\\n"}'],
    ["a: |+\n  x\n\n", 'taken: {"a":"x\\n\\n"}'],
    ['a: "x \\\n\n\n  y"\n', 'taken: {"a":"x \\n\\ny"}'],
    ['a: "x \\\n  y"\n', 'taken: {"a":"x y"}'],
    ['a: "x \\\\\n\n  y"\n', 'taken: {"a":"x \\\\\\ny"}'],
  ]);
});

Deno.test("parseYaml() holds the bounds on nesting, nodes, characters and digits", () => {
  const nested = (levels: number) => `a: ${"[".repeat(levels)}${"]".repeat(levels)}\n`;
  assert.match(verdict(nested(63)), /^taken/);
  assert.match(verdict(nested(64)), /^nesting/);
  assert.match(verdict(nested(70)), /^nesting/);
  assert.match(verdict(nested(3000)), /^nesting/);
  assert.match(verdict(nested(1_000_000)), /^nesting/);
  const block = Array.from({ length: 300 }, (_, i) => " ".repeat(i) + "k:\n").join("");
  assert.match(verdict(block), /^nesting/);
  assert.match(verdict(`a: [${"1,".repeat(99_996)}1]\n`), /^taken/);
  assert.match(verdict(`a: [${"1,".repeat(99_998)}1]\n`), /^count/);
  assert.match(verdict(`a: ${"x".repeat(999_999)}\n`), /^taken/);
  assert.match(verdict(`a: ${"x".repeat(1_000_000)}\n`), /^length/);
  assert.match(verdict(`a: ${"9".repeat(5000)}\n`), /^number/);
  assert.match(verdict(`a: 0x${"f".repeat(5000)}\n`), /^number/);
  assert.match(verdict(`a: 9${"0".repeat(400)}.0\n`), /^number/);
});

Deno.test("parseYaml() keeps exact integers and reads hexadecimal", () => {
  const { a, b, c, d } = parse("a: 9007199254740993\nb: -0x10\nc: -0\nd: -9007199254740993\n")
    .value as Record<string, unknown>;
  assert.deepEqual([a, b, c, d], [9007199254740993n, -16, 0, -9007199254740993n]);
  assert.ok(Object.is(c, 0));
});

Deno.test("parseYaml() refuses more than 4 MiB and bytes that are no UTF-8", () => {
  const limit = 4_194_304;
  const padded = (size: number) => "a: 1\n#".padEnd(size, "c");
  assert.match(verdict(padded(limit)), /^taken/);
  assert.equal(verdict(padded(limit + 1)), "yaml-too-large");
  const bytes = new TextEncoder().encode("a: 1\nb: ?");
  bytes[8] = 0xff;
  assert.throws(() => parseYaml(bytes, "a.yaml"), /line 2, column 4: it is not valid UTF-8/);
});

Deno.test("parseYaml() never says what the file says", () => {
  for (
    const text of [
      "a: !secret-cell x\n",
      "a: *secret-cell\n",
      "secret-cell: 1\nsecret-cell: 2\n",
      "a: !secret!cell x\n",
      "a: secret-cell: b\n",
      `a: ${"7".repeat(5000)}\n`,
    ]
  ) {
    assert.throws(() => parse(text), (error) => {
      assert.ok(isFault(error, "yaml-invalid"));
      assert.match(error.message, /^Cannot read a\.yaml at line \d+, column \d+: [a-z][^.]*$/);
      assert.doesNotMatch(
        JSON.stringify([error.message, error.remedy, error.details]),
        /secret|777/,
      );
      return true;
    });
  }
});

Deno.test("position() finds values by path, empty ones at their key", () => {
  const document = parse("a: 1\nops:\n  - op: x\n    '😀': {z: y}\n  - op:\nt:  | # |\n  x\n");
  const at = (...path: (string | number)[]) => {
    const position = document.position(path);
    return position === null ? null : `${position.line}:${position.column}`;
  };
  assert.equal(at(), "1:1");
  assert.equal(at("a"), "1:4");
  assert.equal(at("ops", 0), "3:5");
  assert.equal(at("ops", "0", "op"), "3:9");
  assert.equal(at("ops", 0, "😀", "z"), "4:14");
  assert.equal(at("ops", 1, "op"), "5:5");
  assert.equal(at("t"), "6:5");
  assert.equal(at("ops", 2), null);
  assert.equal(at("none"), null);
  assert.equal(at("a", "b"), null);
});
