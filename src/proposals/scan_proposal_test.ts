import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { inScratchProject, type ScratchProject } from "../../tests/support/scratch_project.ts";
import {
  accept,
  draft,
  editMigration,
  EVIDENCE,
  refusal,
  refusesToAccept,
} from "../../tests/support/proposals.ts";

const KEY = "AKIAIOSFODNN7EXAMPLE";
type Drafted = Awaited<ReturnType<typeof draft>>;

function policy(scratch: ScratchProject, word: "block" | "warn" | "off"): void {
  Deno.writeTextFileSync(
    scratch.at(".theurian/config.yaml"),
    `security:\n  secretScan: "${word}"\n`,
  );
}

/** Drafts under `off`, so that the secret gets as far as acceptance. */
async function draftedWith(
  scratch: ScratchProject,
  words: Parameters<typeof draft>[1],
  spoil: (made: Drafted) => void = () => {},
): Promise<Drafted> {
  policy(scratch, "off");
  const made = await draft(scratch, words);
  spoil(made);
  policy(scratch, "block");
  return made;
}

const rename = (scratch: ScratchProject, made: Drafted, to: string) =>
  Deno.renameSync(
    scratch.at(join(made.proposalDirectory, made.migrationFile)),
    scratch.at(join(made.proposalDirectory, to)),
  );

/** Where a secret stands, and the places that the refusal names for it, in order. */
const CHANNELS: Readonly<
  Record<
    string,
    readonly [
      Parameters<typeof draft>[1],
      ((scratch: ScratchProject, made: Drafted) => void) | null,
      readonly string[],
    ]
  >
> = {
  "the body": [{ body: `key ${KEY}\n` }, null, ["the content of body[0]:1:5"]],
  "the title": [{ title: `Key ${KEY}` }, null, [
    "migration.operations[1].metadata.title:1:5",
    "the migration file as written:18:",
  ]],
  "the description": [{ description: KEY }, null, [
    "migration.description:1:1",
    "the migration file as written:5:",
  ]],
  "a label": [{ labels: ["fine", KEY] }, null, [
    "migration.operations[1].metadata.labels[1]:1:1",
    "the migration file as written:",
  ]],
  "a scope path": [{ scopePaths: [`src/${KEY}`] }, null, [
    "migration.operations[1].metadata.scope.paths[0]:1:5",
    "the migration file as written:",
  ]],
  "a YAML comment": [
    {},
    (scratch, made) => editMigration(scratch, made, (text) => `${text}# ${KEY}\n`),
    ["the migration file as written:"],
  ],
  "the migration's file name": [
    {},
    (scratch, made) =>
      rename(scratch, made, `${made.migrationId}-sk-abcdefghijklmnopqrstuvwxyz1.yaml`),
    ["the migration filename:1:28"],
  ],
  "the name of a body": [
    {},
    (scratch, made) => {
      const name = `${KEY}.md`;
      editMigration(
        scratch,
        made,
        (text) => text.replace(/contentFile: \S+/, `contentFile: ../knowledge/${name}`),
      );
      Deno.renameSync(
        scratch.at(made.bodyFile),
        scratch.at(join(made.proposalDirectory, "knowledge", name)),
      );
    },
    [
      "migration.operations[1].contentFile:1:14",
      "the migration file as written:",
      "the landed path of body[0]:1:21",
    ],
  ],
  "the reasoning": [{ evidence: { ...EVIDENCE, reasoning: `Seen with ${KEY}` } }, null, [
    "the evidence record as written:",
  ]],
  "a note beside the drafted files": [
    {},
    (scratch, made) =>
      Deno.writeTextFileSync(scratch.at(join(made.proposalDirectory, "notes.md")), KEY),
    ["the file notes.md:1:1"],
  ],
  "a body that the migration no longer names": [
    {},
    (scratch, made) =>
      Deno.writeTextFileSync(join(scratch.at(dirname(made.bodyFile)), "old.md"), KEY),
    ["the file knowledge/domain/old.md:1:1"],
  ],
  "the name of a note": [
    {},
    (scratch, made) =>
      Deno.writeTextFileSync(scratch.at(join(made.proposalDirectory, `${KEY}.txt`)), "x"),
    ["the name of another file of the proposal:1:1"],
  ],
};

for (const [where, [words, spoil, places]] of Object.entries(CHANNELS)) {
  Deno.test(`acceptProposal() finds a secret in ${where}, names the place and shows four characters`, () =>
    inScratchProject(async (scratch) => {
      const made = await draftedWith(scratch, words, (made) => spoil?.(scratch, made));
      const { message } = await refusesToAccept(scratch, 1, made.proposalId);
      let at = 0;
      for (const place of places) {
        const next = message.indexOf(place, at);
        assert.ok(next >= at, `${place} in: ${message}`);
        at = next + 1;
      }
      assert.equal(message.split("; ").length, places.length, message);
      assert.ok(!message.includes(KEY.slice(0, 5)) && !message.includes("sk-ab"), message);
    }));
}

Deno.test("acceptProposal() lists five findings of a refusal and says no number", () =>
  inScratchProject(async (scratch) => {
    const made = await draftedWith(scratch, { body: `${KEY}\n`.repeat(12) });
    const { message } = await refusesToAccept(scratch, 1, made.proposalId);
    assert.equal(message.match(/body\[0\]/g)?.length, 5);
    assert.ok(!/\b12\b|\b20\b|more/.test(message), message);
  }));

Deno.test("acceptProposal() under warn lists twenty findings and names what it did not reach", () =>
  inScratchProject(async (scratch) => {
    const made = await draftedWith(
      scratch,
      { body: `${KEY}\n`.repeat(30) },
      (made) => Deno.writeTextFileSync(scratch.at(`${made.proposalDirectory}/notes.md`), "fine"),
    );
    policy(scratch, "warn");
    const accepted = await accept(scratch, made.proposalId);
    assert.equal(accepted.secretFindings.length, 20);
    assert.deepEqual(accepted.secretScanSkipped, [
      "the evidence record as written",
      "the file notes.md",
    ]);
    assert.match(accepted.nextSteps[0]!, /Rotate/);
    assert.match(accepted.nextSteps[1]!, /evidence record/);
  }));

Deno.test("acceptProposal() scans bytes that are no UTF-8 too", () =>
  inScratchProject(async (scratch) => {
    const made = await draftedWith(scratch, {}, (made) => {
      const bytes = new TextEncoder().encode(`x ${KEY}\n`);
      bytes[0] = 0xff;
      Deno.writeFileSync(scratch.at(made.bodyFile), bytes);
    });
    assert.match(
      (await refusesToAccept(scratch, 1, made.proposalId)).message,
      /body\[0\]:1:3: aws-access-key-id \(AKIA\.\.\.\)/,
    );
  }));

Deno.test("acceptProposal() names other files that it could not read, and at most a hundred it did", () =>
  inScratchProject(async (scratch) => {
    const made = await draft(scratch);
    const folder = scratch.at(made.proposalDirectory);
    new Deno.Command("mkfifo", { args: [join(folder, "a-pipe")] }).outputSync();
    for (let i = 100; i < 210; i++) Deno.writeTextFileSync(join(folder, `n${i}.txt`), "fine");
    const { secretScanSkipped } = await accept(scratch, made.proposalId);
    assert.deepEqual(secretScanSkipped, ["the file a-pipe", "further files of the proposal"]);
  }));

Deno.test("acceptProposal() does not look at other files of a local proposal, which Git ignores", () =>
  inScratchProject(async (scratch) => {
    const made = await draft(scratch, { local: true });
    Deno.writeTextFileSync(scratch.at(`${made.proposalDirectory}/notes.md`), KEY);
    const { nextSteps } = await accept(scratch, made.proposalId);
    assert.match(nextSteps[0]!, /does not travel/);
  }));

Deno.test("acceptProposal() refuses evidence that is too large or a pipe under block", () =>
  inScratchProject(async (scratch) => {
    const made = await draft(scratch);
    const path = scratch.at(made.evidenceFile);
    Deno.writeFileSync(path, new Uint8Array(8_388_609).fill(32));
    await refusal(1, () => accept(scratch, made.proposalId));
    Deno.removeSync(path);
    new Deno.Command("mkfifo", { args: [path] }).outputSync();
    await refusal(1, () => accept(scratch, made.proposalId));
    policy(scratch, "warn");
    assert.deepEqual((await accept(scratch, made.proposalId)).secretScanSkipped, [
      "the evidence record as written",
    ]);
  }));

Deno.test("acceptProposal() does not scan under off, and says so", () =>
  inScratchProject(async (scratch) => {
    const made = await draftedWith(scratch, { body: `${KEY}\n` });
    policy(scratch, "off");
    const accepted = await accept(scratch, made.proposalId);
    assert.deepEqual(
      [accepted.secretScanPolicy, accepted.secretFindings, accepted.secretScanSkipped],
      ["off", [], []],
    );
  }));

const FAULTY = [
  "security:\n  secretScan: off\n",
  "security:\n  secretScan: null\n",
  "security:\n  secretScan: BLOCK\n",
  "security: []\n",
  "security: [\n",
];

for (const text of FAULTY) {
  Deno.test(`acceptProposal() refuses the policy ${JSON.stringify(text)}, exit 1, and names the words`, () =>
    inScratchProject(async (scratch) => {
      const made = await draft(scratch);
      Deno.writeTextFileSync(scratch.at(".theurian/config.yaml"), text);
      const { message, remedy } = await refusesToAccept(scratch, 1, made.proposalId);
      if (text.includes("secretScan")) assert.match(message + remedy, /block.*warn.*off/s);
    }));
}

for (const text of ["", "security:\n", "security: null\n", "security: {}\n"]) {
  Deno.test(`acceptProposal() blocks where the policy is ${JSON.stringify(text)}`, () =>
    inScratchProject(async (scratch) => {
      const made = await draftedWith(scratch, { body: `${KEY}\n` });
      Deno.writeTextFileSync(scratch.at(".theurian/config.yaml"), text);
      await refusesToAccept(scratch, 1, made.proposalId);
    }));
}
