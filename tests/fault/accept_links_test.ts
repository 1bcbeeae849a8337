/**
 * Links and pipes in a proposal, met by the program under the permissions that ship: `O_NOFOLLOW`
 * behaves otherwise with every permission granted (decision 22, proposals.md traps 24 and 25).
 *
 * @module
 */

import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import {
  type Document,
  type ProgramProject,
  proposeArguments,
  withProgramProject,
} from "../support/program_project.ts";

/** Moves a part of the proposal out of the repository and links to it. */
function outside(project: ProgramProject, path: string): void {
  const aside = join(project.folder, "aside");
  Deno.renameSync(project.at(path), aside);
  Deno.symlinkSync(aside, project.at(path));
}

function pipe(project: ProgramProject, path: string): void {
  Deno.removeSync(project.at(path));
  assert.ok(new Deno.Command("mkfifo", { args: [project.at(path)] }).outputSync().success);
}

const migration = (made: Document) => join(made.proposalDirectory, made.migrationFile);

const SPOILED: Readonly<Record<string, (project: ProgramProject, made: Document) => void>> = {
  "the migration": (project, made) => outside(project, migration(made)),
  "the body": (project, made) => outside(project, made.bodyFile),
  "the body's folder": (project, made) => outside(project, dirname(made.bodyFile)),
  "the evidence": (project, made) => outside(project, made.evidenceFile),
  "the proposal": (project, made) => outside(project, made.proposalDirectory),
  "a pipe for the migration": (project, made) => pipe(project, migration(made)),
  "a pipe for the body": (project, made) => pipe(project, made.bodyFile),
  "a pipe for the evidence": (project, made) => pipe(project, made.evidenceFile),
};

Deno.test("the program accepts nothing that lies behind a link or in a pipe, and waits for none", async (t) => {
  for (const [what, spoil] of Object.entries(SPOILED)) {
    await t.step(what, () =>
      withProgramProject(async (project) => {
        project.write("body.md", "# F\n");
        const made = await project.succeed(...proposeArguments());
        spoil(project, made);
        const start = performance.now();
        const { exit, stdout, document } = await project.theurian(
          ["propose", "accept", made.proposalId],
        );
        assert.deepEqual([exit, stdout], [1, ""]);
        assert.ok(performance.now() - start < 10_000);
        assert.ok(!document.error.includes(project.folder), document.error);
        assert.equal(project.git("status", "--porcelain", ".theurian/migrations"), "");
        assert.throws(() => Deno.lstatSync(project.at(made.bodyDestination)));
      }));
  }
});

Deno.test("the program lands nothing through a link in place of a body's folder", () =>
  withProgramProject(async (project) => {
    project.write("body.md", "# F\n");
    const made = await project.succeed(...proposeArguments());
    Deno.removeSync(project.at(".theurian/knowledge/domain"), { recursive: true });
    const elsewhere = join(project.folder, "elsewhere");
    Deno.mkdirSync(elsewhere);
    Deno.symlinkSync(elsewhere, project.at(".theurian/knowledge/domain"));
    const { exit } = await project.theurian(["propose", "accept", made.proposalId]);
    assert.equal(exit, 1);
    assert.deepEqual([...Deno.readDirSync(elsewhere)], []);
  }));

Deno.test("the program lists and shows without following what a proposal links to", () =>
  withProgramProject(async (project) => {
    project.write("body.md", "# F\n");
    const made = await project.succeed(...proposeArguments());
    Deno.writeTextFileSync(join(project.folder, "secret.md"), "outside\n");
    Deno.removeSync(project.at(made.bodyFile));
    Deno.symlinkSync(join(project.folder, "secret.md"), project.at(made.bodyFile));
    const shown = await project.theurian(["propose", "show", made.proposalId]);
    assert.equal(shown.exit, 1);
    assert.ok(!(shown.stdout + shown.stderr).includes("outside"));
    outside(project, migration(made));
    const { unreadable } = await project.succeed("propose", "list");
    assert.equal(unreadable.length, 1);
  }));
