/**
 * Two implementations, one repository: evidence written by either is the same bytes apart from run
 * id and time, either reads the other's, and both find the same findings. Runs only where another
 * implementation's command is named:
 *
 * `THEURIAN_PEER=/path/to/theurian deno test -A tests/interop/review.ts`
 *
 * @module
 */

import assert from "node:assert/strict";
import { findProgram, type Program, run } from "../../scripts/program.ts";
import {
  fixturePath,
  git,
  goldenRows,
  type TrailerRow,
  writeHistory,
} from "../support/golden_review.ts";
import { withoutRun } from "../support/ingest_project.ts";

const peerCommand = Deno.env.get("THEURIAN_PEER") ?? "";
const ignore = peerCommand === "";
const peer: Program = {
  description: "the other implementation",
  command: peerCommand,
  prefix: [],
  environment: {},
};

/** Scenarios that both land alike, with what differs from the plain settings. */
const LANDINGS: readonly (readonly [string, string, string])[] = [
  ["basic", "", ""],
  ["basic", "redacted", "    redactParticipantNames: true\n"],
  ["respelled", "", ""],
  ["people", "", ""],
  ["people", "redacted", "    redactParticipantNames: true\n"],
  ["names", "", ""],
  ["spans", "", ""],
  ["huge", "", ""],
  ["partial", "", ""],
  ["skips", "", ""],
  ["secrets", "", ""],
  ["secrets", "warned", 'security:\n  secretScan: "warn"\n'],
];

class Checkout {
  readonly root: string;
  readonly home: string;

  constructor(readonly program: Program, folder: string) {
    this.root = `${folder}/proj`;
    this.home = `${folder}/home`;
    Deno.mkdirSync(`${this.home}/.config/gh`, { recursive: true });
  }

  async prepare(settings: string): Promise<void> {
    Deno.mkdirSync(this.root, { recursive: true });
    git(this.root, "init", "-q", "-b", "main", ".");
    await this.run("init", "--json");
    const allowlist = 'providers:\n  review:\n    repositories: ["acme/widgets"]\n';
    Deno.writeTextFileSync(`${this.root}/.theurian/config.yaml`, allowlist + settings);
    await this.run("project", "register", "--project-id", "proj", "--json");
  }

  async run(...argv: string[]) {
    const path = `${fixturePath("fake-gh")}:/usr/local/bin:/usr/bin:/bin`;
    const env = { HOME: this.home, PATH: path };
    return await run(this.program, argv, { cwd: this.root, env, limitMs: 120_000 });
  }

  scenario(name: string): void {
    Deno.writeTextFileSync(`${this.home}/.config/gh/fake-gh.scenario`, `${name}\n`);
  }

  evidence(): Record<string, string> {
    const files: Record<string, string> = {};
    const walk = (folder: string, prefix: string) => {
      for (const entry of Deno.readDirSync(folder)) {
        const path = `${prefix}${entry.name}`;
        if (entry.isDirectory) walk(`${folder}/${entry.name}`, `${path}/`);
        else files[path] = withoutRun(Deno.readTextFileSync(`${folder}/${entry.name}`));
      }
    };
    walk(`${this.root}/.theurian/review`, "");
    return files;
  }
}

async function both(
  settings: string,
  work: (ours: Checkout, theirs: Checkout) => Promise<void>,
): Promise<void> {
  const folder = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "review-interop-" }));
  try {
    const ours = new Checkout(findProgram(), `${folder}/ours`);
    const theirs = new Checkout(peer, `${folder}/theirs`);
    await ours.prepare(settings);
    await theirs.prepare(settings);
    await work(ours, theirs);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

for (const [scenario, variant, settings] of LANDINGS) {
  const name = `${scenario} ${variant}`.trim();
  Deno.test({
    name: `both implementations land ${name} as the same bytes and read each other's`,
    ignore,
    fn: () =>
      both(settings, async (ours, theirs) => {
        for (const one of [ours, theirs]) {
          one.scenario(scenario);
          await one.run("review", "ingest", "acme/widgets", "--json");
        }
        const [a, b] = [ours.evidence(), theirs.evidence()];
        assert.deepEqual(Object.keys(a).sort(), Object.keys(b).sort());
        for (const path of Object.keys(a)) assert.equal(a[path], b[path], path);
        // Each builds its store from what the other wrote.
        const review = (one: Checkout) => `${one.root}/.theurian/review`;
        Deno.renameSync(review(ours), `${ours.root}/mine`);
        Deno.renameSync(review(theirs), review(ours));
        Deno.renameSync(`${ours.root}/mine`, review(theirs));
        for (const one of [ours, theirs]) {
          const built = await one.run("review", "build", "--json");
          assert.equal(built.exit, 0, built.stderr);
          assert.equal(JSON.parse(built.stdout).records, Object.keys(a).length);
        }
      }),
  });
}

Deno.test({
  name: "both implementations find the same findings and rejections",
  ignore,
  fn: () =>
    both("", async (ours, theirs) => {
      for (const one of [ours, theirs]) {
        Deno.removeSync(one.root, { recursive: true });
        writeHistory(one.root, goldenRows<TrailerRow>("trailers.jsonl"));
      }
      const counts = [];
      for (const one of [ours, theirs]) {
        const built = await one.run("findings", "build", "--json");
        assert.equal(built.exit, 0, built.stderr);
        const { findings, rejected, parserStamp } = JSON.parse(built.stdout);
        counts.push([findings, rejected, parserStamp]);
      }
      assert.deepEqual(counts[0], counts[1]);
    }),
});
