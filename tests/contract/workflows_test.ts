/**
 * The workflows: every action pinned, every right named, the gate in its order
 * (cli-and-plugins.md 7).
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { load } from "js-yaml";
import { CHECKOUT } from "../../scripts/program.ts";
import { whereIs } from "../support/installer.ts";

const FOLDER = join(CHECKOUT, ".github/workflows");

interface Job {
  readonly needs?: string | readonly string[];
  readonly permissions?: Readonly<Record<string, string>>;
  readonly "timeout-minutes"?: number;
  readonly environment?: string;
  readonly uses?: string;
  readonly steps?: readonly { readonly uses?: string; readonly run?: string }[];
}

interface Workflow {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

function workflow(name: string): { text: string; content: Workflow } {
  const text = Deno.readTextFileSync(join(FOLDER, name));
  return { text, content: load(text) as Workflow };
}

const NAMES = [...Deno.readDirSync(FOLDER)].map(({ name }) => name).sort();

function needsOf({ needs }: Job): readonly string[] {
  return typeof needs === "string" ? [needs] : needs ?? [];
}

/** Whether a job starts only after another has succeeded. */
function isBehind(jobs: Workflow["jobs"], name: string, other: string): boolean {
  return needsOf(jobs[name]!).some((need) => need === other || isBehind(jobs, need, other));
}

Deno.test("every action is pinned by a commit, with its version beside it", () => {
  let seen = 0;
  for (const name of NAMES) {
    for (const [, what, rest] of workflow(name).text.matchAll(/uses: (\S+)(.*)$/gm)) {
      if (what!.startsWith("./")) continue;
      assert.match(what!, /^[\w.-]+\/[\w.-]+@[0-9a-f]{40}$/, `${name}: ${what}`);
      assert.match(rest!, /^ # v\d+\.\d+\.\d+$/, `${name}: ${what}`);
      seen++;
    }
  }
  assert.ok(seen > 10);
});

Deno.test("no job has a right that it was not given, and all of them end", () => {
  const writes: string[] = [];
  for (const name of NAMES) {
    const { permissions, jobs } = workflow(name).content;
    assert.deepEqual(permissions, {}, name);
    for (const [id, job] of Object.entries(jobs)) {
      assert.ok(job.permissions !== undefined, `${name}: ${id}`);
      if (job.uses === undefined) assert.ok(job["timeout-minutes"]! <= 60, `${name}: ${id}`);
      for (const [right, value] of Object.entries(job.permissions)) {
        if (value === "write") writes.push(`${name}: ${id}: ${right}`);
        else assert.deepEqual([right, value], ["contents", "read"], `${name}: ${id}`);
      }
    }
  }
  assert.deepEqual(writes, [
    "release.yml: attest: id-token",
    "release.yml: attest: attestations",
    "release.yml: draft: contents",
    "release.yml: publish: contents",
  ]);
});

Deno.test("a release passes the gate in the order of the contract", () => {
  const { jobs } = workflow("release.yml").content;
  const order = ["quality", "gate", "build", "try", "attest", "draft", "publish"];
  assert.deepEqual(Object.keys(jobs), order);
  for (const [i, name] of order.entries()) {
    for (const earlier of order.slice(0, i)) {
      assert.ok(isBehind(jobs, name, earlier), `${name} has to wait for ${earlier}`);
    }
  }
  assert.equal(jobs["quality"]!.uses, "./.github/workflows/ci.yml");
  assert.equal(jobs["publish"]!.environment, "release");
  const commands = (name: string) => jobs[name]!.steps!.map(({ run }) => run ?? "").join("\n");
  assert.match(commands("gate"), /git show origin\/main:\.github\/release-signers/);
  assert.match(commands("gate"), /scripts\/release_gate\.ts/);
  for (const name of ["draft", "publish"]) {
    assert.doesNotMatch(commands(name), /deno|checkout/, "nothing is built after it was tried");
  }
  assert.match(commands("publish"), /releases\/\$ID/, "a release is addressed by its id");
});

Deno.test("no step pastes a value from outside into a shell", () => {
  for (const name of NAMES) {
    for (const [id, { steps }] of Object.entries(workflow(name).content.jobs)) {
      for (const { run } of steps ?? []) assert.doesNotMatch(run ?? "", /\$\{\{/, `${name}: ${id}`);
    }
  }
});

Deno.test("checkouts leave no credential behind", () => {
  for (const name of NAMES) {
    const { text } = workflow(name);
    const count = (pattern: RegExp) => [...text.matchAll(pattern)].length;
    assert.equal(count(/persist-credentials: false/g), count(/actions\/checkout@/g), name);
  }
});

const home = Deno.env.get("HOME") ?? "";
const ACTIONLINT = whereIs("actionlint") ??
  [join(home, "go/bin/actionlint")].find((path) => isFile(path)) ?? null;
if (ACTIONLINT === null) console.log("Not run: actionlint, which is not installed");

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}

Deno.test({
  name: "actionlint finds nothing in the workflows",
  ignore: ACTIONLINT === null,
  async fn() {
    const { code, stdout } = await new Deno.Command(ACTIONLINT!, {
      args: NAMES.map((name) => join(FOLDER, name)),
      cwd: CHECKOUT,
    }).output();
    assert.equal(code, 0, new TextDecoder().decode(stdout));
  },
});
