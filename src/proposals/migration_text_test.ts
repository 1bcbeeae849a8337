import assert from "node:assert/strict";
import fc from "fast-check";
import * as yaml from "js-yaml";
import { parseYaml, writeYaml } from "../platform/yaml/mod.ts";
import { contentOperations, draftTime, migrationDocument, writtenAnchor } from "./mod.ts";
import { ANCHOR, contentDraft } from "../../tests/support/proposals.ts";

const MINTED = {
  revisionId: "01K0000000000000000000000B",
  tail: "domain/foo.01K0000000000000000000000B.md",
  contentSha256: "e8c80e18cf25925ea93acb284adf2d0e3e080752cc61564d9f02bba1a73a82a0",
};
const HEAD = {
  id: "01K0000000000000000000000A",
  createdAt: "2026-11-30T22:23:19+00:00",
  author: "ada@example.org",
  description: "Write it down.",
};

Deno.test("a migration is written block by block, keys in the contract's order", () => {
  const draft = contentDraft({
    itemId: "domain.foo",
    namespace: "domain",
    expectedRevision: "01K0000000000000000000000C",
    trustLevel: "reviewed",
    sensitivity: "internal",
    labels: ["b", "a"],
    scopePaths: ["src/**"],
    sourceAnchors: [{
      ...ANCHOR,
      repository: "demo",
      commitSha: "abc1234",
      blobSha: "def5678",
      filePath: "docs/a.md",
      lineStart: 1,
      lineEnd: 2,
      externalId: "x",
    }],
  });
  assert.equal(
    writeYaml(migrationDocument(HEAD, contentOperations(draft, MINTED))),
    `apiVersion: theurian.dev/v1
id: 01K0000000000000000000000A
createdAt: '2026-11-30T22:23:19+00:00'
author: 'ada@example.org'
description: Write it down.
operations:
- op: createItem
  itemId: domain.foo
  kind: domain
  namespace: domain
  owner: team
- op: upsertRevision
  itemId: domain.foo
  revisionId: 01K0000000000000000000000B
  expectedRevision: 01K0000000000000000000000C
  contentFile: ../knowledge/domain/foo.01K0000000000000000000000B.md
  contentSha256: e8c80e18cf25925ea93acb284adf2d0e3e080752cc61564d9f02bba1a73a82a0
  metadata:
    title: Foo
    contentType: text/markdown
    kind: domain
    namespace: domain
    status: approved
    owner: team
    trustLevel: reviewed
    sensitivity: internal
    labels:
    - b
    - a
    scope:
      paths:
      - 'src/**'
    sourceAnchors:
    - provider: git
      sourceUri: git://demo/docs/a.md
      repository: demo
      commitSha: abc1234
      blobSha: def5678
      filePath: docs/a.md
      lineStart: 1
      lineEnd: 2
      externalId: x
`.replace("sourceUri: git://demo/docs/a.md", "sourceUri: 'git://demo/docs/a.md'"),
  );
});

Deno.test("what is unset stands nowhere, and a creation carries no labels", () => {
  const [create, upsert] = contentOperations(contentDraft({ labels: ["x"] }), MINTED) as Record<
    string,
    unknown
  >[];
  assert.deepEqual(Object.keys(create!), ["op", "itemId", "kind", "namespace", "owner"]);
  const text = writeYaml({ upsert: upsert! } as never);
  for (const key of ["expectedRevision", "trustLevel", "sensitivity", "scope", "validFrom"]) {
    assert.ok(!text.includes(key), key);
  }
  assert.deepEqual(Object.keys(writtenAnchor(ANCHOR)).slice(0, 3), [
    "provider",
    "sourceUri",
    "repository",
  ]);
});

Deno.test("draftTime() is UTC with whole seconds and an explicit offset", () => {
  assert.equal(draftTime(Date.UTC(2026, 10, 30, 22, 23, 19, 999)), "2026-11-30T22:23:19+00:00");
});

/** Texts that some reader takes for something else, and any text that a file can hold. */
const texts = fc.oneof(
  fc.constantFrom(
    ..."yes no on off y n true null ~ 1_0 1:30 190:20:30 0x1F 0o17 017 0b11 1e5 1.5e3 .5 .inf .nan"
      .split(" "),
    "01234567890123456789012345",
    "2026-01-01",
    "2026-11-30T22:23:19+00:00",
    "2001-12-14 21:59:43.10 -5",
    "=",
    "<<",
    "- a",
    "? a",
    "a: b",
    "a #b",
    "&a",
    "*a",
    "!tag",
    "%YAML",
    "---",
    "...",
    "'",
    '"',
    "\\",
    "a\u0085b\u2028c\u2029d",
    "\ufeffa",
    " leading",
    "trailing ",
    "two\nlines\n",
    "tab\there",
    "認証の方針",
    "\u0000\u0007\u007f\u009f",
    "\ud83d\ude00",
    "\uffff\ufffe",
  ),
  fc.string({ unit: "binary" }),
  fc.string({ unit: "grapheme" }),
);

/** As a reader of YAML 1.1 has it, times resolved too: stricter than the contract asks. */
function readAs11(text: string): unknown {
  // Line ends to a 1.1 reader that a 1.2 reader takes for letters must not stand raw.
  assert.doesNotMatch(text, /[\u0085\u2028\u2029\ufeff\r]/);
  return yaml.load(text, { schema: yaml.YAML11_SCHEMA });
}

Deno.test("any draft reads back as it was, here and in YAML 1.1", () => {
  fc.assert(
    fc.property(
      fc.record({
        title: texts,
        owner: texts,
        namespace: texts,
        labels: fc.array(texts, { maxLength: 3 }),
        scopePaths: fc.array(texts, { maxLength: 3 }),
        uri: texts,
        filePath: fc.option(texts),
        author: texts,
        description: texts,
        revisionId: fc.stringMatching(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/),
      }),
      ({ uri, filePath, author, description, revisionId, ...words }) => {
        const draft = contentDraft({
          ...words,
          sourceAnchors: [{ ...ANCHOR, sourceUri: uri, filePath }],
        });
        const document = migrationDocument(
          { ...HEAD, id: revisionId, author, description },
          contentOperations(draft, { ...MINTED, revisionId }),
        );
        const text = writeYaml(document);
        const expected = JSON.parse(JSON.stringify(document));
        const bytes = new TextEncoder().encode(text);
        assert.deepEqual(JSON.parse(JSON.stringify(parseYaml(bytes, "it").value)), expected);
        assert.deepEqual(readAs11(text), expected);
        assert.doesNotMatch(text, /^\s*(?:- )?[\w]+: [&*!]/m);
      },
    ),
    { numRuns: 500 },
  );
});
