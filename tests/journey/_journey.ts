/**
 * The whole journey: which cases are in scope, one test per state, and the account at the end.
 *
 * @module
 */

import { dirname, join } from "node:path";
import { type Case, loadCases, prefixOf } from "./_cases.ts";
import type { Difference } from "./_match.ts";
import { findProgram, type Program } from "../../scripts/program.ts";
import { commitAll, removeTree, writeText } from "./_repository.ts";
import { Stage } from "./_run_case.ts";
import {
  CommandTree,
  commandWords,
  contractTools,
  expectsUsageError,
  limitToBuilt,
} from "./_scope.ts";
import { type Variables, versionVariables } from "./_variables.ts";
import { StateUnavailable, Workspace } from "./_workspace.ts";

/** What became of a case. */
type Verdict =
  | { readonly kind: "passed" }
  | { readonly kind: "failed" }
  | { readonly kind: "out"; readonly reason: string };

/** One run over all cases. */
export class Journey {
  readonly cases: readonly Case[];
  readonly program: Program;
  readonly #base = Deno.makeTempDirSync({ prefix: "theurian-journey-" });
  readonly #tree: CommandTree;
  readonly #workspace: Workspace;
  readonly #contract: ReadonlySet<string>;
  readonly #verdicts = new Map<string, Verdict>();
  #versions: Variables | null = null;
  #tools: ReadonlySet<string> = new Set();

  constructor() {
    const only = Deno.env.get("THEURIAN_JOURNEY_ONLY");
    const pattern = only === undefined ? null : new RegExp(only);
    const all = loadCases();
    const wanted = new Set(
      all.filter(({ name }) => pattern === null || pattern.test(name))
        .flatMap(({ name, after }) => [name, ...(after ?? [])]),
    );
    this.cases = all.filter(({ name }) => wanted.has(name));
    this.#contract = contractTools(all);
    this.program = findProgram();
    this.#tree = new CommandTree(this.program, this.#base);
    this.#workspace = new Workspace(
      this.program,
      async (words) => await this.#tree.missingWord(words) === null,
      this.#base,
    );
  }

  /** The states of the cases, in order of first use. */
  get states(): readonly string[] {
    return [...new Set(this.cases.map(({ state }) => state))];
  }

  /** Runs the cases of one state, each as a step. */
  async playState(state: string, t: Deno.TestContext): Promise<void> {
    this.#versions ??= await versionVariables(this.program, this.#base);
    const cases = this.cases.filter((test) => test.state === state);
    if (state === "applied+migration" || state === "applied+tamper") {
      const groups = Map.groupBy(cases, ({ name }) => name.slice(0, name.lastIndexOf("/")));
      for (const group of groups.values()) {
        await this.#playTogether(group, t, "applied-bad", (root) => change(root, group[0]));
      }
      return;
    }
    await this.#playTogether(cases, t, state, () => Promise.resolve());
  }

  /** Plays cases on one copy of a state. */
  async #playTogether(
    cases: readonly Case[],
    t: Deno.TestContext,
    snapshot: string,
    prepare: (root: string) => Promise<void>,
  ): Promise<void> {
    const [first] = cases;
    if (first === undefined || this.#versions === null) return;
    const root = this.#workspace.repositoryOf(first.state);
    try {
      await this.#workspace.restore(snapshot);
    } catch (error) {
      if (!(error instanceof StateUnavailable)) throw error;
      for (const test of cases) this.#leaveOut(test, `state ${snapshot}: ${error.message}`);
      return;
    }
    await prepare(root);
    const stage = new Stage(this.#workspace, first.state, this.#versions, this.cases);
    try {
      await this.#openDaemon(cases, stage);
      for (const test of cases) {
        const reason = await this.#outOfScope(test);
        if (reason !== null) this.#leaveOut(test, reason);
        else await t.step(`${test.name} answers as recorded`, () => this.#playOne(stage, test));
        if (test.name === "migrate-apply/uncommitted") {
          await commitAll(root, "Add the knowledge of the project");
        }
      }
    } finally {
      await stage.close();
    }
  }

  async #openDaemon(cases: readonly Case[], stage: Stage): Promise<void> {
    const needed = cases.some(({ kind, state }) => kind !== "cli" || state === "reviewed");
    if (!needed || await this.#tree.missingWord(["daemon", "start"]) !== null) return;
    await stage.daemon();
    this.#tools = await stage.toolNames();
  }

  async #playOne(stage: Stage, test: Case): Promise<void> {
    this.#verdicts.set(test.name, { kind: "failed" });
    const differences = await stage.play(test, limitToBuilt(test, this.#tools));
    if (differences.length > 0) throw new Error(explain(test, differences));
    this.#verdicts.set(test.name, { kind: "passed" });
  }

  /** Why a case is not in scope, or `null` when it is (decision 45). */
  async #outOfScope(test: Case): Promise<string | null> {
    const missing = (test.after ?? []).find((name) => this.#verdicts.get(name)?.kind === "out");
    if (missing !== undefined) return `it needs ${missing}`;
    const earlier = test.run === undefined ? undefined : this.#leftOutBefore(test);
    if (earlier !== undefined) return `it follows ${earlier}`;
    if (test.kind === "cli") {
      if (expectsUsageError(test)) return null;
      const word = await this.#tree.missingWord(commandWords(test));
      return word === null ? null : `command \`${word}\` is not built`;
    }
    if (await this.#tree.missingWord(["daemon", "start"]) !== null) {
      return "command `daemon start` is not built";
    }
    const { tool } = test.input;
    const called = tool ?? (test.name === "body-1mb-arg" ? "knowledge.proposeChange" : undefined);
    if (called === undefined || !this.#contract.has(called) || this.#tools.has(called)) return null;
    return `tool ${called} is not built`;
  }

  /** An earlier case of the same tampered copy that is out of scope. */
  #leftOutBefore(test: Case): string | undefined {
    const group = test.name.slice(0, test.name.lastIndexOf("/") + 1);
    return this.cases.map(({ name }) => name).find((name) =>
      name.startsWith(group) && this.#verdicts.get(name)?.kind === "out"
    );
  }

  #leaveOut(test: Case, reason: string): void {
    this.#verdicts.set(test.name, { kind: "out", reason });
  }

  /** What was in scope, what was not and why, and which cases failed. */
  account(): { readonly text: string; readonly failed: readonly string[]; undecided: string[] } {
    const names = (kind: Verdict["kind"]) =>
      this.cases.filter(({ name }) => this.#verdicts.get(name)?.kind === kind).map((c) => c.name);
    const out = names("out");
    const lines = [
      `Program: ${this.program.description}`,
      `${this.cases.length - out.length} in scope, ${out.length} out of scope`,
    ];
    const reasons = Map.groupBy(out, (name) => {
      const verdict = this.#verdicts.get(name);
      return verdict?.kind === "out" ? verdict.reason : "";
    });
    for (const [reason, group] of reasons) {
      const prefixes = [...Map.groupBy(group, prefixOf)].map(([prefix, { length }]) =>
        `${prefix} ${length}`
      );
      lines.push(`  ${reason}: ${prefixes.join(", ")}`);
    }
    const failed = names("failed");
    lines.push(`${names("passed").length} passed, ${failed.length} failed`);
    for (const name of failed) lines.push(`  ${name}`);
    const undecided = this.cases.map((c) => c.name).filter((name) => !this.#verdicts.has(name));
    if (undecided.length > 0) lines.push(`${undecided.length} not reached: a state was not built`);
    return { text: lines.join("\n"), failed, undecided };
  }

  /** Removes every file of the run. */
  close(): void {
    removeTree(this.#base);
  }
}

function explain(test: Case, differences: readonly Difference[]): string {
  const lines = differences.slice(0, 6).map(({ at, expected, actual }) =>
    `  ${at}\n    expected ${expected}\n    actual   ${actual}`
  );
  const rest = differences.length - lines.length;
  if (rest > 0) lines.push(`  … and ${rest} more`);
  return `${test.name} (${test.kind}, ${test.state})\n${lines.join("\n")}`;
}

/** Brings a working copy into the condition that a case describes, and commits it. */
async function change(root: string, test: Case | undefined): Promise<void> {
  if (test === undefined) return;
  const { migration, files, symlinks, tamper } = test.input;
  for (const [path, text] of Object.entries(files ?? {})) writeText(join(root, path), text);
  for (const [path, target] of Object.entries(symlinks ?? {})) {
    Deno.mkdirSync(dirname(join(root, path)), { recursive: true });
    Deno.symlinkSync(target, join(root, path));
  }
  if (migration !== undefined) {
    const [, name] = test.name.split("/");
    const file = `.theurian/migrations/01KA0MG0600000000000000000-${name}.yaml`;
    writeText(join(root, file), migration);
  }
  if (tamper?.edit !== undefined) {
    const [path, from, to] = tamper.edit;
    const text = Deno.readTextFileSync(join(root, path));
    if (!text.includes(from)) throw new Error(`${path} does not hold the text to edit`);
    Deno.writeTextFileSync(join(root, path), text.replace(from, () => to));
  }
  if (tamper?.write !== undefined) writeText(join(root, tamper.write[0]), tamper.write[1]);
  if (tamper?.rename !== undefined) {
    Deno.renameSync(join(root, tamper.rename[0]), join(root, tamper.rename[1]));
  }
  if (tamper?.delete !== undefined) removeTree(join(root, tamper.delete));
  await commitAll(root, "Change the knowledge");
}
