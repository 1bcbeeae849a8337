/**
 * Drafting through a daemon of the program, under the permissions that ship: many callers at once,
 * callers that loop, and what no file can hold (proposals.md 1, 4 and traps).
 *
 * @module
 */

import assert from "node:assert/strict";
import {
  callRaw,
  type Document,
  PROPOSAL,
  request,
  withProgramProject,
} from "../support/program_project.ts";
import { tree } from "../support/proposals.ts";

const TOOL = "knowledge.proposeChange";
const error = (result: Document) => result._meta["dev.theurian/error"];

Deno.test("sixteen callers at once get sixteen whole proposals, in any mix of tools", () =>
  withProgramProject((project) =>
    project.withDaemon(async (call) => {
      const calls = Array.from({ length: 16 }, (_, i) =>
        i % 4 === 3
          ? call("knowledge.generateMigrationDraft", {
            projectId: "demo",
            document: {
              author: "ada@example.org",
              operations: [{ op: "removeAlias", alias: `x.n${i}` }],
            },
            evidence: PROPOSAL.evidence,
          })
          : call(TOOL, { ...PROPOSAL, itemId: `domain.item-${i}`, body: `# ${i}\n` }));
      const results = await Promise.all(calls);
      const payloads = results.map((result) => {
        assert.equal(result.isError, false, JSON.stringify(result));
        return result.structuredContent;
      });
      assert.equal(
        new Set(payloads.map((one) =>
          one.proposalId
        )).size,
        16,
      );
      for (const one of payloads) {
        const files = Object.keys(tree(project.at(one.proposalDirectory)));
        assert.equal(files.length, one.bodyFile === undefined ? 2 : 3, files.join());
      }
      const { proposals, unreadable } = await project.succeed("propose", "list");
      assert.deepEqual([proposals.length, unreadable], [16, []]);
      assert.deepEqual(Object.keys(tree(project.at(".theurian/runtime"))), ["write.lock"]);
      // Ids sort as the calls were answered, so the list is the order of drafting.
      for (const one of payloads.filter((payload) => payload.bodyFile !== undefined)) {
        await project.succeed("propose", "accept", one.proposalId);
      }
      project.commit();
      assert.equal((await project.succeed("migrate", "apply")).applied.length, 12);
    })
  ));

Deno.test("sixteen callers with one change get one proposal", () =>
  withProgramProject((project) =>
    project.withDaemon(async (call) => {
      const results = await Promise.all(Array.from({ length: 16 }, () => call(TOOL, PROPOSAL)));
      const ids = new Set(results.map((result) => result.structuredContent.proposalId));
      assert.equal(ids.size, 1);
      assert.equal((await project.succeed("propose", "list")).count, 1);
    })
  ));

Deno.test("a caller in a loop fills no disk: the bound holds and the refusal has a remedy", () =>
  withProgramProject((project) =>
    project.withDaemon(async (call) => {
      project.write(
        ".theurian/config.yaml",
        "proposals:\n  maxPending: 12\n  maxPendingBytes: 40000\n",
      );
      const outcomes: string[] = [];
      for (let round = 0; round < 4; round++) {
        const results = await Promise.all(
          Array.from(
            { length: 10 },
            (_, i) => call(TOOL, { ...PROPOSAL, body: `round ${round}, call ${i}\n` }),
          ),
        );
        outcomes.push(...results.map((result) => result.isError ? "refused" : "drafted"));
      }
      assert.equal(outcomes.filter((one) => one === "drafted").length, 12);
      const full = await call(TOOL, { ...PROPOSAL, body: "one more\n" });
      assert.match(full.content[0].text, /12 proposals wait for review.*propose discard/s);
      assert.equal(error(full).code, null);
      const { proposals } = await project.succeed("propose", "list");
      await project.succeed("propose", "discard", proposals[0].proposalId);
      const large = await call(TOOL, { ...PROPOSAL, body: "x".repeat(40_000) });
      assert.match(large.content[0].text, /maxPendingBytes/);
      assert.equal((await call(TOOL, { ...PROPOSAL, body: "one more\n" })).isError, false);
    })
  ));

Deno.test("what no file can hold is refused, nothing is written, and the daemon serves on", () =>
  withProgramProject((project) =>
    project.withDaemon(async (call, daemon) => {
      const body = JSON.stringify(request(TOOL, PROPOSAL));
      for (const key of ["body", "title", "itemId", "reasoning"]) {
        const spoiled = body.replace(
          new RegExp(`"${key}":"[^"]*"`),
          `"${key}":"a\\ud800"`,
        );
        assert.notEqual(spoiled, body);
        const result = await callRaw(daemon, spoiled);
        assert.ok(result.isError === true || result.error !== undefined, JSON.stringify(result));
      }
      const big = await call(TOOL, { ...PROPOSAL, body: "x".repeat(9 * 1_048_576) });
      assert.equal(error(big).code, "INVALID_INPUT");
      assert.equal((await project.succeed("propose", "list")).count, 0);
      assert.equal((await call(TOOL, PROPOSAL)).isError, false);
    })
  ));

Deno.test("a number beyond what is exact reaches the draft as it is and is refused by name", () =>
  withProgramProject((project) =>
    project.withDaemon(async (_call, daemon) => {
      const body = JSON.stringify(request("knowledge.generateMigrationDraft", {
        projectId: "demo",
        document: {
          author: "ada@example.org",
          operations: [{ op: "deprecateItem", itemId: "a.b", reason: "REASON" }],
        },
        evidence: PROPOSAL.evidence,
      })).replace('"REASON"', "123456789012345678901234567890");
      const result = await callRaw(daemon, body);
      assert.equal(error(result).code, "INVALID_INPUT");
      assert.match(result.content[0].text, /operations\/0\/reason/);
    })
  ));

Deno.test("a local draft works where the ignore rule stands, and says how to get it where not", () =>
  withProgramProject((project) =>
    project.withDaemon(async (call) => {
      const made = await call(TOOL, { ...PROPOSAL, local: true });
      assert.match(made.structuredContent.bodyFile, /proposals-local/);
      Deno.removeSync(project.at(".gitignore"));
      const refused = await call(TOOL, { ...PROPOSAL, body: "# G\n", local: true });
      assert.equal(refused.isError, true);
      assert.match(refused.content[0].text, /theurian init/);
      assert.throws(() => Deno.statSync(project.at(".gitignore")));
      await project.succeed("init");
      const again = await call(TOOL, { ...PROPOSAL, body: "# G\n", local: true });
      assert.equal(again.isError, false);
    })
  ));

Deno.test("a folder of proposals that is elsewhere, a link or a file is refused without a word of where", () =>
  withProgramProject((project) =>
    project.withDaemon(async (call) => {
      const proposals = project.at(".theurian/proposals");
      Deno.removeSync(proposals, { recursive: true });
      const outside = `${project.folder}/outside`;
      Deno.mkdirSync(outside);
      const refused = async () => {
        const result = await call(TOOL, PROPOSAL);
        assert.equal(result.isError, true, JSON.stringify(result));
        return result.content[0].text as string;
      };
      Deno.symlinkSync(outside, proposals);
      assert.ok(!(await refused()).includes(project.folder));
      assert.equal((await project.theurian(["propose", "list"])).exit, 4);
      Deno.removeSync(proposals);
      Deno.symlinkSync("migrations", proposals);
      assert.ok(!(await refused()).includes(project.folder));
      Deno.removeSync(proposals);
      Deno.writeTextFileSync(proposals, "a file");
      await refused();
      assert.deepEqual([...Deno.readDirSync(outside)], []);
      Deno.removeSync(proposals);
      assert.equal((await call(TOOL, PROPOSAL)).isError, false);
    })
  ));
