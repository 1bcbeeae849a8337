import assert from "node:assert/strict";
import fc from "fast-check";
import { decodeBase64Text, goldenLines } from "../../tests/support/golden_lines.ts";
import { scanSecrets } from "./scan_secrets.ts";
import { PREFIX_LENGTH, type SecretFinding } from "./secret_finding.ts";

interface GoldenSecret {
  name: string;
  b64: string;
  findings: SecretFinding[];
}

const families = (text: string) => scanSecrets(text).map((finding) => finding.family);
/** Joined at run time, so that no scanner takes this file for a leak. */
const mixed = (count: number) => "a1B2c3D4e5F6g7H8i9J0kKlLmMnNoOpP".slice(0, count);

Deno.test("scanSecrets() finds in every golden string what it holds, and nothing else", () => {
  const strings = goldenLines<GoldenSecret>("golden-index/secrets");
  assert.equal(strings.length, 121);
  for (const golden of strings) {
    assert.deepEqual(scanSecrets(decodeBase64Text(golden.b64)), golden.findings, golden.name);
  }
});

Deno.test("scanSecrets() leaves a word with dashes and no digit alone", () => {
  assert.deepEqual(scanSecrets("staging-sk-" + "a".repeat(24)), []);
  const [found] = scanSecrets("staging-sk-" + "a1".repeat(12));
  assert.equal(found!.family, "openai-api-key");
  assert.equal(found!.column, 9);
});

Deno.test("scanSecrets() sees no start of a token behind a letter of any script", () => {
  assert.deepEqual(scanSecrets("監視対象sk-ingest-pipeline-primary-2026q1"), []);
  for (const before of ["²", "½", "①", "Ⅷ", "〇", "𝒜", "_", "é"]) {
    assert.deepEqual(scanSecrets(before + "sk-" + "a1".repeat(11)), [], before);
  }
  for (const before of ["e\u0301", "‿", "＿", "Ⓐ", "🎉", "\ufeff"]) {
    assert.deepEqual(families(before + "sk-" + "a1".repeat(11)), ["openai-api-key"], before);
  }
});

Deno.test("scanSecrets() tells file names and digests from random tokens", () => {
  assert.deepEqual(
    scanSecrets("01KB0RV0000000000000000000-a-long-kebab-slug-of-a-migration.yaml"),
    [],
  );
  assert.deepEqual(scanSecrets("0123456789abcdef".repeat(4)), []);
  assert.deepEqual(families(mixed(32)), ["high-entropy-token"]);
  assert.deepEqual(families(mixed(31)), []);
});

Deno.test("scanSecrets() holds each family to its lengths and to what may follow", () => {
  const key = "AKIA" + "A".repeat(16);
  assert.deepEqual(families(key + "A"), []);
  assert.deepEqual(families(key + "-x"), ["aws-access-key-id"]);
  assert.deepEqual(families("AIza" + "x".repeat(35)), ["google-api-key"]);
  assert.deepEqual(families("AIza" + "x".repeat(36)), []);
  assert.deepEqual(families("sk-" + "x".repeat(255)), ["openai-api-key"]);
  assert.deepEqual(families("sk-" + "x".repeat(256)), []);
  assert.deepEqual(families("ghp_" + "x".repeat(35)), []);
});

Deno.test("scanSecrets() stops at its limit and never shows more than four characters", () => {
  const token = "sk_live_" + "a1".repeat(8);
  const text = `🎉 ${token}\n`.repeat(40);
  assert.equal(scanSecrets(text).length, 40);
  const first = scanSecrets(text, 20);
  assert.equal(first.length, 20);
  for (const [index, finding] of first.entries()) {
    assert.deepEqual(finding, {
      family: "stripe-secret-key",
      line: index + 1,
      column: 3,
      prefix: token.slice(0, PREFIX_LENGTH),
    });
  }
  assert.deepEqual(scanSecrets(text, 0), []);
});

Deno.test("scanSecrets() is linear in texts made to make it look back", () => {
  const began = performance.now();
  for (const unit of ["sk-", "-----BEGIN ", "ghp_", "A", "a-", "AKIA", "0", "x\n", "sk-a1"]) {
    scanSecrets(unit.repeat(2_000_000 / unit.length), 20);
  }
  assert.ok(performance.now() - began < 10_000);
});

Deno.test("scanSecrets() finds the same whether or not a family's opening stands elsewhere", () => {
  // Behind it nothing is passed over that is too short for a random run.
  const opening = "\nsk-";
  const piece = fc.oneof(
    fc.string({ maxLength: 12 }),
    fc.stringMatching(/^[A-Za-z0-9_-]{1,45}$/),
    fc.constantFrom(
      "AKIA0123456789ABCDEF",
      "AIzaSyA1234567890abcdefghijklmnopqrstuv",
      "ghp_0123456789abcdefghijklmnopqrstuvwxyz",
      "sk-0123456789abcdefghij",
      "rk_live_0123456789abcdef",
      "xoxb-0123456789",
      "-----BEGIN RSA PRIVATE KEY-----",
      "q7Zx2Lm9Tb4Vn8Rk1Wd6Hs3Jf5Gp0Yc2",
      " ",
      "\n",
    ),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = pieces.join("");
      assert.deepEqual(scanSecrets(text), scanSecrets(text + opening));
    }),
    { numRuns: 2000 },
  );
});
