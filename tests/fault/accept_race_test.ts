/**
 * Two processes of the program at one proposal: one success, one clean refusal, nothing lost
 * (proposals.md 6.2, trap 49, decision 9).
 *
 * @module
 */

import assert from "node:assert/strict";
import { tree } from "../support/proposals.ts";
import {
  type Outcome,
  type ProgramProject,
  proposeArguments,
  withProgramProject,
} from "../support/program_project.ts";

const ROUNDS = 20;

async function drafted(project: ProgramProject, itemId: string, body: string) {
  project.write("body.md", body);
  return await project.succeed(...proposeArguments({ "item-id": itemId }));
}

function exits(outcomes: readonly Outcome[]): number[] {
  return outcomes.map(({ exit }) => exit).sort();
}

Deno.test(`two processes accept one proposal, ${ROUNDS} times: one wins, one is refused, the body stays`, () =>
  withProgramProject(async (project) => {
    for (let round = 0; round < ROUNDS; round++) {
      const made = await drafted(project, `race.item-${round}`, `# ${round}\n`);
      const accept = () => project.theurian(["propose", "accept", made.proposalId]);
      const outcomes = await Promise.all([accept(), accept()]);
      assert.deepEqual(exits(outcomes), [0, 4], `round ${round}: ${outcomes.map((o) => o.stderr)}`);
      assert.equal(Deno.readTextFileSync(project.at(made.bodyDestination)), `# ${round}\n`);
      assert.deepEqual(Object.keys(tree(project.at(made.proposalDirectory))), ["evidence.json"]);
    }
    project.commit();
    assert.equal((await project.succeed("migrate", "validate")).migrationCount, ROUNDS);
    assert.equal((await project.succeed("migrate", "apply")).applied.length, ROUNDS);
  }));

Deno.test("two processes accept two proposals on one revision: one wins, the other is out of date", () =>
  withProgramProject(async (project) => {
    for (let round = 0; round < 5; round++) {
      const itemId = `race.item-${round}`;
      const both = [
        await drafted(project, itemId, "# one\n"),
        await drafted(project, itemId, "# two\n"),
      ];
      const outcomes = await Promise.all(
        both.map((made) => project.theurian(["propose", "accept", made.proposalId])),
      );
      assert.deepEqual(exits(outcomes), [0, 1]);
      const lost = both[outcomes.findIndex(({ exit }) => exit === 1)]!;
      assert.equal(Object.keys(tree(project.at(lost.proposalDirectory))).length, 3);
    }
    await project.succeed("migrate", "validate");
  }));

Deno.test("a process accepts while another discards: one wins, and what is accepted is whole", () =>
  withProgramProject(async (project) => {
    for (let round = 0; round < 10; round++) {
      const made = await drafted(project, `race.item-${round}`, `# ${round}\n`);
      const [accepted, discarded] = await Promise.all([
        project.theurian(["propose", "accept", made.proposalId]),
        project.theurian(["propose", "discard", made.proposalId]),
      ]);
      assert.equal([accepted, discarded].filter(({ exit }) => exit === 0).length, 1);
      const landed = accepted.exit === 0;
      assert.deepEqual(
        Object.keys(tree(project.at(made.proposalDirectory))),
        landed ? ["evidence.json"] : [],
      );
      if (landed) Deno.readTextFileSync(project.at(made.bodyDestination));
    }
    await project.succeed("migrate", "validate");
  }));

Deno.test("eight processes draft one change: one proposal", () =>
  withProgramProject(async (project) => {
    project.write("body.md", "# F\n");
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, () => project.theurian(proposeArguments())),
    );
    assert.deepEqual(exits(outcomes), Array(8).fill(0));
    assert.equal(new Set(outcomes.map(({ document }) => document.proposalId)).size, 1);
    assert.equal((await project.succeed("propose", "list")).count, 1);
  }));
