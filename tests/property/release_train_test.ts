/**
 * The properties of compat.md section 8, over an exhaustive release train and over arbitrary lists.
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

/** A version as PEP 440 orders it: an independent statement of what the translation must keep. */
interface Pep {
  readonly text: string;
  readonly key: readonly number[];
}

const PHASES = ["a", "b", "rc"];
const DEVS = [null, 0, 1, 9, 10];

function train(release: string, at: readonly number[]): Pep[] {
  const list: Pep[] = [];
  for (const dev of DEVS) {
    const suffix = dev === null ? "" : `.dev${dev}`;
    const rank = dev ?? Infinity;
    // Without a phase: a development release comes before every pre-release, the final after all.
    list.push({ text: release + suffix, key: [...at, dev === null ? 3 : -1, 0, rank] });
    for (const [phase, name] of PHASES.entries()) {
      for (const number of [0, 1, 2, 10]) {
        list.push({
          text: `${release}${name}${number}${suffix}`,
          key: [...at, phase, number, rank],
        });
      }
    }
  }
  return list;
}

function compareKeys(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return a[i]! < b[i]! ? -1 : 1;
  return 0;
}

const RELEASE = train("1.2.0", [1, 2, 0]);
const ALL: readonly Pep[] = [
  ...RELEASE,
  { text: "1.1.9", key: [1, 1, 9, 3, 0, Infinity] },
  { text: "1.1.9.dev0", key: [1, 1, 9, -1, 0, 0] },
  { text: "1.2.1", key: [1, 2, 1, 3, 0, Infinity] },
  { text: "1.2.1.dev0", key: [1, 2, 1, -1, 0, 0] },
];
const SORTED = [...ALL].sort((a, b) => compareKeys(a.key, b.key));
const core = (text: string): Version => parseCoreVersion(text)!;

Deno.test("the release train of one release has 65 versions", () => {
  assert.equal(new Set(RELEASE.map((pep) => versionText(core(pep.text)))).size, 65);
});

Deno.test("P1: the order of PEP 440 is the order of the translated pair", () => {
  for (const a of ALL) {
    for (const b of ALL) {
      const expected = compareKeys(a.key, b.key);
      assert.equal(compareVersions(core(a.text), core(b.text)), expected, `${a.text} ${b.text}`);
    }
  }
});

const digits = fc.oneof(fc.nat(12).map(String), fc.constant("99999999999999999999"));
const word = fc.oneof(
  fc.constantFrom("dev", "alpha", "beta", "rc", "Alpha", "cat", "-", "a-1", "zz"),
  fc.stringMatching(/^[0-9A-Za-z-]*[A-Za-z-][0-9A-Za-z-]*$/, { maxLength: 4 }),
);
const version = fc.record({
  release: fc.tuple(fc.nat(1).map(String), fc.nat(1).map(String), fc.nat(1).map(String)),
  prerelease: fc.array(fc.oneof(digits, word), { maxLength: 4 }),
  build: fc.option(fc.constantFrom("a", "b.1"), { nil: null }),
});
const mixed: fc.Arbitrary<Version> = fc.oneof(
  version,
  fc.constantFrom(...ALL).map((pep) => core(pep.text)),
);

Deno.test("P2: the order is total over any versions", () => {
  fc.assert(
    fc.property(mixed, mixed, mixed, (a, b, c) => {
      const ab = compareVersions(a, b);
      assert.equal(compareVersions(a, a), 0);
      assert.equal(ab, -compareVersions(b, a) + 0);
      if (ab <= 0 && compareVersions(b, c) <= 0) assert(compareVersions(a, c) <= 0);
    }),
    { numRuns: 5_000 },
  );
});

Deno.test("P3 and P4: what a bound accepts or refuses is closed upwards", () => {
  for (const bound of SORTED) {
    const declared = versionText(core(bound.text));
    const outcomes = SORTED.map((pep) => {
      const floor = judge(
        declaration(declared, "99.0.0"),
        { version: pep.text, protocol: "theurian/v1" },
      );
      const ceiling = judge(
        declaration("0.0.1-dev.0", declared),
        { version: pep.text, protocol: "theurian/v1" },
      );
      return [floor.outcome, ceiling.outcome];
    });
    const accepted = outcomes.map(([floor]) => floor === "compatible");
    const refused = outcomes.map(([, ceiling]) => ceiling === "core-too-new");
    for (let i = 1; i < outcomes.length; i++) {
      assert(!accepted[i - 1] || accepted[i], `minimum ${declared}, Core ${SORTED[i]!.text}`);
      assert(!refused[i - 1] || refused[i], `ceiling ${declared}, Core ${SORTED[i]!.text}`);
    }
    assert(accepted.includes(true) && refused.includes(true));
  }
});

function declaration(coreMinimum: string, coreMaximumExclusive: string) {
  return {
    pluginVersion: "1.0.0",
    coreMinimum,
    coreMaximumExclusive,
    protocolVersion: "theurian/v1",
  };
}

Deno.test("P5: equal means the same text up to build metadata", () => {
  fc.assert(
    fc.property(mixed, mixed, (a, b) => {
      const bare = (of: Version) => versionText({ ...of, build: null });
      assert.equal(compareVersions(a, b) === 0, bare(a) === bare(b));
    }),
    { numRuns: 5_000 },
  );
});

Deno.test("P6: every spelling of one version gives one canonical text", () => {
  const spelling = fc.record({
    label: fc.constantFrom(["alpha", "a"], ["beta", "b"], ["rc", "c", "pre", "preview"]),
    pick: fc.nat(3),
    upper: fc.boolean(),
    separators: fc.tuple(
      fc.constantFrom("", ".", "_", "-"),
      fc.constantFrom("", ".", "_", "-"),
    ),
    zeros: fc.constantFrom("", "0", "00"),
    number: fc.nat(30),
  });
  fc.assert(fc.property(spelling, ({ label, pick, upper, separators, zeros, number }) => {
    const name = label[pick % label.length]!;
    const text = `1.2.3${separators[0]}${upper ? name.toUpperCase() : name}${
      separators[1]
    }${zeros}${number}`;
    assert.equal(versionText(core(text)), `1.2.3-${label[0]}.${number}`);
  }));
});

Deno.test("P7: canonical text reads back as an equal version", () => {
  fc.assert(fc.property(mixed, (value) => {
    const again = parseDeclaredVersion(versionText(value))!;
    assert.equal(compareVersions(again, value), 0);
    assert.equal(versionText(again), versionText(value));
  }));
});

Deno.test("P8: a verdict is a function of its strings", () => {
  fc.assert(fc.property(mixed, mixed, mixed, (a, b, c) => {
    const declared = declaration(versionText(a), versionText(b));
    const facts = { version: versionText(c), protocol: "theurian/v1" };
    assert.deepEqual(judge(declared, facts), judge(declared, facts));
  }));
});
