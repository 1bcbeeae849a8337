import assert from "node:assert/strict";
import { inScratchProject, type ScratchProject } from "../../tests/support/scratch_project.ts";
import {
  accept,
  currentRevision,
  draft,
  draftOperations,
  editMigration,
  handWritten,
  refusesToAccept,
} from "../../tests/support/proposals.ts";

const ITEM = "domain.foo";
const sensitivity = (value: string, itemId = ITEM) => ({
  op: "changeSensitivity",
  itemId,
  sensitivity: value,
  reason: "r",
});
const dependsOn = (...ids: string[]) => (text: string) => `${text}dependsOn: [${ids.join(", ")}]\n`;

/** A raise of the item to `restricted`, drafted before whatever lands next. */
async function raise(scratch: ScratchProject) {
  scratch.add({ [ITEM]: { body: "one" } });
  return await draft(scratch, {
    expectedRevision: currentRevision(scratch, ITEM),
    sensitivity: "restricted",
  });
}

async function sensitivityOf(scratch: ScratchProject): Promise<string> {
  await scratch.apply();
  using reader = scratch.reader();
  return reader.item(ITEM)!.sensitivity;
}

Deno.test("a raise that what is landed would undo names all who undo it, in replay order, and no others", () =>
  inScratchProject(async (scratch) => {
    const made = await raise(scratch);
    const first = scratch.migrate(sensitivity("internal"));
    scratch.migrate({ op: "changeOwner", itemId: ITEM, owner: "x" });
    scratch.migrate({ op: "deprecateItem", itemId: ITEM });
    const last = scratch.migrate(sensitivity("public"));
    const refused = await refusesToAccept(scratch, 1, made.proposalId);
    assert.match(refused.message, new RegExp(`${first}, ${last}\\) leaves the sensitivity`));
    assert.match(refused.remedy, /theurian propose/);
    assert.ok(refused.remedy.includes(`dependsOn: [${first}, ${last}]`), refused.remedy);
  }));

Deno.test("a raise is accepted behind those who would undo it, and is what holds then", () =>
  inScratchProject(async (scratch) => {
    const made = await raise(scratch);
    const later = scratch.migrate(sensitivity("public"));
    await refusesToAccept(scratch, 1, made.proposalId);
    editMigration(scratch, made, dependsOn(later));
    await accept(scratch, made.proposalId);
    assert.equal(await sensitivityOf(scratch), "restricted");
  }));

Deno.test("a raise is accepted when what undoes it is itself undone later", () =>
  inScratchProject(async (scratch) => {
    const made = await raise(scratch);
    scratch.migrate(sensitivity("internal"));
    scratch.migrate(sensitivity("restricted"));
    await accept(scratch, made.proposalId);
    assert.equal(await sensitivityOf(scratch), "restricted");
  }));

Deno.test("a raise that is undone in part is refused all the same", () =>
  inScratchProject(async (scratch) => {
    const made = await raise(scratch);
    scratch.migrate(sensitivity("public"));
    scratch.migrate(sensitivity("confidential"));
    await refusesToAccept(scratch, 1, made.proposalId);
  }));

Deno.test("a deprecation that a landed return with a greater id undoes is refused, with the tool's cure", () =>
  inScratchProject(async (scratch) => {
    scratch.add({ [ITEM]: { body: "one" } });
    const operations = [{ op: "deprecateItem", itemId: ITEM }];
    const made = await draftOperations(scratch, operations);
    const later = scratch.migrate({ op: "restoreItem", itemId: ITEM });
    const { remedy } = await refusesToAccept(scratch, 1, made.proposalId);
    assert.match(remedy, /knowledge\.generateMigrationDraft/);
    assert.ok(remedy.includes(`dependsOn: [${later}]`));
    const again = await draftOperations(scratch, operations, { dependsOn: [later] });
    await accept(scratch, again.proposalId);
  }));

Deno.test("a landed revision that would loosen what the proposal tightened is a new row, and is named", () =>
  inScratchProject(async (scratch) => {
    scratch.add({ [ITEM]: { body: "one" } });
    const made = await handWritten(scratch, sensitivity("restricted"));
    scratch.add({ [ITEM]: { body: "two" } });
    const { message, remedy } = await refusesToAccept(scratch, 1, made.proposalId);
    assert.match(message, /from restricted to internal/);
    assert.match(message, new RegExp(`undoes ${made.migrationId}`));
    assert.match(remedy, /Add `dependsOn: \[\w{26}\]` to this proposal's migration/);
  }));

Deno.test("a proposal is not blamed for what becomes of labels that it does not write", async (t) => {
  const quiet: Readonly<Record<string, (scratch: ScratchProject) => Promise<unknown>>> = {
    "an owner": (scratch) =>
      draftOperations(scratch, [{ op: "changeOwner", itemId: ITEM, owner: "x" }]),
    "an alias": (scratch) =>
      draftOperations(scratch, [{ op: "addAlias", alias: "old.name", itemId: ITEM }]),
    "a creation of what is there": (scratch) =>
      handWritten(scratch, {
        op: "createItem",
        itemId: ITEM,
        kind: "domain",
        namespace: "",
        owner: "x",
        sensitivity: "restricted",
      }),
    "a deprecation, whose field is the status": (scratch) =>
      draftOperations(scratch, [{ op: "deprecateItem", itemId: ITEM }]),
  };
  for (const [what, drafted] of Object.entries(quiet)) {
    await t.step(what, () =>
      inScratchProject(async (scratch) => {
        scratch.add({ [ITEM]: { body: "one", sensitivity: "confidential" } });
        const made = await drafted(scratch) as { proposalId: string };
        scratch.migrate(sensitivity("public"));
        await accept(scratch, made.proposalId);
      }));
  }
});

Deno.test("any lowering of any item by whatever operation is refused, the first by its id", () =>
  inScratchProject(async (scratch) => {
    scratch.add({
      "b.two": { body: "two", sensitivity: "restricted" },
      "a.one": { body: "one", sensitivity: "confidential" },
    });
    const made = await handWritten(
      scratch,
      sensitivity("public", "b.two"),
      sensitivity("internal", "a.one"),
    );
    const { message } = await refusesToAccept(scratch, 1, made.proposalId);
    assert.match(message, /a\.one from confidential to internal/);
  }));

Deno.test("any return from retirement is refused, also by an operation that may not be drafted", () =>
  inScratchProject(async (scratch) => {
    scratch.add({ [ITEM]: { body: "one" } });
    scratch.migrate({ op: "deprecateItem", itemId: ITEM });
    const made = await handWritten(scratch, { op: "restoreItem", itemId: ITEM });
    const { message } = await refusesToAccept(scratch, 1, made.proposalId);
    assert.match(message, /from deprecated to approved/);
  }));

Deno.test("a landed set that replays only with the proposal must be mended first", () =>
  inScratchProject(async (scratch) => {
    const made = await draft(scratch);
    scratch.migrate({ op: "changeOwner", itemId: ITEM, owner: "x" });
    const { message, remedy } = await refusesToAccept(scratch, 1, made.proposalId);
    assert.match(message, /do not replay without it/);
    assert.match(remedy, /landed set replay on its own/);
  }));

Deno.test("a proposal that is no migration is its own fault, also over a set that does not replay", () =>
  inScratchProject(async (scratch) => {
    const made = await draft(scratch);
    scratch.migrate({ op: "changeOwner", itemId: "no.such", owner: "x" });
    editMigration(scratch, made, (text) => text.replace("status: approved", "status: great"));
    const { message } = await refusesToAccept(scratch, 1, made.proposalId);
    assert.match(message, /breaks a rule at operations\/1\/metadata\/status/);
  }));

Deno.test("a refusal shows nothing of an item whose id looks like a secret", () =>
  inScratchProject(async (scratch) => {
    Deno.writeTextFileSync(scratch.at(".theurian/config.yaml"), 'security:\n  secretScan: "off"\n');
    const itemId = "sk-abcdefghijklmnopqrstuvwxyz";
    scratch.add({ [itemId]: { body: "one", sensitivity: "confidential" } });
    const made = await handWritten(scratch, sensitivity("public", itemId));
    const { message } = await refusesToAccept(scratch, 1, made.proposalId);
    assert.ok(!message.includes("abcdef"), message);
  }));
