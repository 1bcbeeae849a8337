import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { inScratchProject, type ScratchProject } from "../../tests/support/scratch_project.ts";
import {
  accept,
  draft,
  draftOperations,
  editMigration,
  refusal,
  refusesToAccept,
  tree,
} from "../../tests/support/proposals.ts";

type Drafted = Awaited<ReturnType<typeof draft>>;

/** Writes a file below the repository with its folders. */
function write(scratch: ScratchProject, path: string, text: string | Uint8Array): void {
  Deno.mkdirSync(dirname(scratch.at(path)), { recursive: true });
  if (typeof text === "string") Deno.writeTextFileSync(scratch.at(path), text);
  else Deno.writeFileSync(scratch.at(path), text);
}

const contentFile = (place: string) => (scratch: ScratchProject, made: Drafted) =>
  editMigration(scratch, made, (text) => text.replace(/contentFile: \S+/, `contentFile: ${place}`));

/** Moves something aside and puts a link to it in its place. */
function behindLink(scratch: ScratchProject, path: string): void {
  Deno.renameSync(scratch.at(path), scratch.at("aside"));
  Deno.symlinkSync(scratch.at("aside"), scratch.at(path));
}

const SPOILED: Readonly<Record<string, (scratch: ScratchProject, made: Drafted) => void>> = {
  "whose migration is a link": (scratch, made) =>
    behindLink(scratch, join(made.proposalDirectory, made.migrationFile)),
  "whose body is a link": (scratch, made) => behindLink(scratch, made.bodyFile),
  "whose body's folder is a link": (scratch, made) => behindLink(scratch, dirname(made.bodyFile)),
  "whose folder of bodies is a link": (scratch, made) =>
    behindLink(scratch, join(made.proposalDirectory, "knowledge")),
  "that is a link": (scratch, made) => behindLink(scratch, made.proposalDirectory),
  "whose folder of proposals is a link inside the repository": (scratch) =>
    behindLink(scratch, ".theurian/proposals"),
  "whose body is a pipe": (scratch, made) => {
    Deno.removeSync(scratch.at(made.bodyFile));
    new Deno.Command("mkfifo", { args: [scratch.at(made.bodyFile)] }).outputSync();
  },
  "whose migration is a pipe": (scratch, made) => {
    const path = scratch.at(join(made.proposalDirectory, made.migrationFile));
    Deno.removeSync(path);
    new Deno.Command("mkfifo", { args: [path] }).outputSync();
  },
  "whose migration is a directory": (scratch, made) => {
    const path = scratch.at(join(made.proposalDirectory, made.migrationFile));
    Deno.removeSync(path);
    Deno.mkdirSync(path);
  },
  "whose body is over 8 MiB": (scratch, made) =>
    write(scratch, made.bodyFile, new Uint8Array(8_388_609).fill(97)),
  "whose migration is over 8 MiB": (scratch, made) =>
    write(
      scratch,
      join(made.proposalDirectory, made.migrationFile),
      new Uint8Array(8_388_609).fill(35),
    ),
  "whose migration is over 4 MiB": (scratch, made) =>
    write(
      scratch,
      join(made.proposalDirectory, made.migrationFile),
      new Uint8Array(4_194_305).fill(35),
    ),
  "whose migration is no UTF-8": (scratch, made) =>
    write(scratch, join(made.proposalDirectory, made.migrationFile), new Uint8Array([0xff])),
  "whose migration is a list": (scratch, made) =>
    write(scratch, join(made.proposalDirectory, made.migrationFile), "- a\n"),
  "whose migration holds an alias": (scratch, made) =>
    editMigration(scratch, made, (text) => text.replace("author: ", "author: &a ")),
  "whose migration was renamed to another id": (scratch, made) => {
    const folder = scratch.at(made.proposalDirectory);
    Deno.renameSync(
      join(folder, made.migrationFile),
      join(folder, "01K0000000000000000000000A-foo.yaml"),
    );
  },
  "whose migration has another ending": (scratch, made) => {
    const path = scratch.at(join(made.proposalDirectory, made.migrationFile));
    Deno.renameSync(path, path.replace(/\.yaml$/, ".yml"));
  },
  "with two migrations": (scratch, made) =>
    write(scratch, `${made.proposalDirectory}/01K0000000000000000000000A-x.yaml`, "x"),
  "that names a body among migrations": contentFile("../migrations/x.md"),
  "that names a body in the state": contentFile("../state/x.md"),
  "that names a body above the root": contentFile("../../../x.md"),
  "that names the folder of bodies itself": contentFile("../knowledge/"),
  "that names an absolute body": contentFile("/etc/passwd"),
  "that names a body of another drive": contentFile("C:/x.md"),
  "that names a body with a NUL": contentFile('"../knowledge/a\\0.md"'),
  "that names a body too deep": contentFile(`../knowledge/${"a/".repeat(40)}x.md`),
  "that names a body behind a link out of the folder": (scratch, made) => {
    Deno.symlinkSync("../migrations", scratch.at(".theurian/knowledge/domain"));
    contentFile("../knowledge/domain/x.md")(scratch, made);
  },
  "whose body was edited": (scratch, made) => write(scratch, made.bodyFile, "# F \n"),
  "whose body is gone": (scratch, made) => Deno.removeSync(scratch.at(made.bodyFile)),
};

for (const [what, spoil] of Object.entries(SPOILED)) {
  Deno.test(`acceptProposal() refuses a proposal ${what}, exit 1, and changes nothing`, () =>
    inScratchProject(async (scratch) => {
      const made = await draft(scratch);
      spoil(scratch, made);
      const landed = () => [
        tree(scratch.at(".theurian/migrations")),
        Deno.readDirSync(scratch.at(".theurian/knowledge")).toArray().length,
      ];
      const before = landed();
      const start = performance.now();
      await refusal(1, () => accept(scratch, made.proposalId));
      assert.ok(performance.now() - start < 5_000);
      assert.deepEqual(landed(), before);
    }));
}

Deno.test("acceptProposal() grades a folder of proposals that leaves the repository 4", () =>
  inScratchProject(async (scratch) => {
    await draft(scratch);
    const outside = `${scratch.root}-outside`;
    Deno.renameSync(scratch.at(".theurian/proposals"), outside);
    Deno.symlinkSync(outside, scratch.at(".theurian/proposals"));
    const { projectPaths } = await import("../projects/mod.ts");
    const refused = await refusal(4, () => projectPaths(scratch.root));
    assert.ok(!refused.message.includes(outside));
  }));

Deno.test("acceptProposal() answers 4 for an id that landed under another name", () =>
  inScratchProject(async (scratch) => {
    const made = await draft(scratch);
    const path = scratch.at(join(made.proposalDirectory, made.migrationFile));
    Deno.copyFileSync(path, scratch.at(`.theurian/migrations/${made.migrationId}-other.yaml`));
    write(scratch, made.bodyDestination, "# F\n");
    await refusesToAccept(scratch, 4, made.proposalId);
  }));

Deno.test("acceptProposal() answers 4 when the landed migrations are tampered with or its name is taken", () =>
  inScratchProject(async (scratch) => {
    const made = await draft(scratch);
    // What does not lead anywhere counts as present, also for a name that no file has.
    const taken = scratch.at(`.theurian/migrations/${made.migrationFile}`);
    Deno.symlinkSync("nowhere", taken);
    await refusal(4, () => accept(scratch, made.proposalId));
    Deno.removeSync(taken);
    scratch.add({ "a.b": { body: "one" } });
    const [body] = [...Deno.readDirSync(scratch.at(".theurian/knowledge"))];
    write(scratch, `.theurian/knowledge/${body!.name}`, "two");
    await refusesToAccept(scratch, 4, made.proposalId);
  }));

Deno.test("acceptProposal() lands a body without folders at the top of the knowledge folder", () =>
  inScratchProject(async (scratch) => {
    const made = await draft(scratch, { itemId: "leaf" });
    assert.equal(
      made.bodyFile,
      `${made.proposalDirectory}/knowledge/leaf.${made.revisionId}.md`,
    );
    assert.equal((await accept(scratch, made.proposalId)).bodyFiles[0], made.bodyDestination);
    assert.equal(made.bodyDestination, `.theurian/knowledge/leaf.${made.revisionId}.md`);
  }));

Deno.test("acceptProposal() prefers the body below knowledge/ to one beside it", () =>
  inScratchProject(async (scratch) => {
    const made = await draft(scratch);
    const flat = join(made.proposalDirectory, `domain/foo.${made.revisionId}.md`);
    write(scratch, flat, "# other\n");
    await accept(scratch, made.proposalId);
    assert.equal(Deno.readTextFileSync(scratch.at(made.bodyDestination)), "# F\n");
    assert.equal(Deno.readTextFileSync(scratch.at(flat)), "# other\n");
  }));

Deno.test("acceptProposal() reads one body once however often and however spelled it is named", () =>
  inScratchProject(async (scratch) => {
    const made = await draft(scratch);
    editMigration(scratch, made, (text) => {
      const upsert = /- op: upsertRevision[^]*/.exec(text)![0]
        .replace("../knowledge/domain/", "../knowledge/./domain/../domain/");
      return text + upsert;
    });
    // The same revision once more changes nothing.
    assert.deepEqual((await accept(scratch, made.proposalId)).bodyFiles, [made.bodyDestination]);
  }));

Deno.test("acceptProposal() takes exactly 250 operations past the first gate and 251 never", () =>
  inScratchProject(async (scratch) => {
    for (const [count, message] of [[250, /breaks a rule/], [251, /more than 250/]] as const) {
      const made = await draft(scratch, { body: `${count}\n` });
      Deno.removeSync(scratch.at(made.bodyFile));
      editMigration(
        scratch,
        made,
        (text) => text.replace(/operations:[^]*/, `operations:\n${"- x\n".repeat(count)}`),
      );
      assert.match((await refusesToAccept(scratch, 1, made.proposalId)).message, message);
    }
  }));

Deno.test("acceptProposal() accepts 250 operations", () =>
  inScratchProject(async (scratch) => {
    scratch.add({ "a.b": { body: "one" } });
    const made = await draftOperations(
      scratch,
      Array.from({ length: 250 }, (_, i) => ({ op: "addAlias", alias: `x.n${i}`, itemId: "a.b" })),
    );
    await accept(scratch, made.proposalId);
    assert.deepEqual((await scratch.apply()).applied.length, 2);
  }));

Deno.test("acceptProposal() leaves alone what no migration names", () =>
  inScratchProject(async (scratch) => {
    const made = await draft(scratch);
    for (const name of ["notes.md", "knowledge/old.md", `${made.migrationFile}.bak`]) {
      write(scratch, join(made.proposalDirectory, name), "kept");
    }
    await accept(scratch, made.proposalId);
    const left = Object.keys(tree(scratch.at(made.proposalDirectory))).sort();
    assert.deepEqual(left, [
      `${made.migrationFile}.bak`,
      "evidence.json",
      "knowledge/old.md",
      "notes.md",
    ]);
  }));

Deno.test("acceptProposal() refuses a document about items that nobody knows, and unknown dependencies", () =>
  inScratchProject(async (scratch) => {
    const unknown = await draftOperations(scratch, [{
      op: "changeOwner",
      itemId: "a.b",
      owner: "x",
    }]);
    await refusesToAccept(scratch, 1, unknown.proposalId);
    scratch.add({ "a.b": { body: "one" } });
    const dependent = await draftOperations(
      scratch,
      [{ op: "changeOwner", itemId: "a.b", owner: "y" }],
      { dependsOn: ["01K0000000000000000000000A"] },
    );
    await refusesToAccept(scratch, 1, dependent.proposalId);
  }));
