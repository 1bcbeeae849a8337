/**
 * Takes every rule of `tests/mutants` out of a copy of the checkout, one at a time, and tells which
 * ones no test notices.
 *
 * `deno task mutants [AREA…] [--trap=N]`; exit 1 when one survived.
 *
 * @module
 */

import { dirname, join } from "node:path";
import { AREAS } from "../tests/mutants/areas.ts";
import { type Area, type Mutant, mutate, trapsOf } from "../tests/mutants/mutant.ts";
import { table, type Verdict, verdictOf } from "./mutant_verdict.ts";
import { CHECKOUT } from "./program.ts";

/** A mutant may make a test wait for ever, which is noticed too. */
const LIMIT_MS = 180_000;

/** Copies what Git tracks or would track, as it is in the working tree. */
async function copyCheckout(target: string): Promise<void> {
  const listed = await new Deno.Command("git", {
    args: ["ls-files", "-z", "--cached", "--others", "--exclude-standard"],
    cwd: CHECKOUT,
  }).output();
  if (!listed.success) throw new Error("Cannot list the files of the checkout");
  for (const path of new Set(new TextDecoder().decode(listed.stdout).split("\0"))) {
    if (path === "") continue;
    const to = join(target, path);
    Deno.mkdirSync(dirname(to), { recursive: true });
    try {
      Deno.copyFileSync(join(CHECKOUT, path), to);
    } catch (error) {
      // Removed in the working tree and not yet committed.
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
}

type Tests = Pick<Mutant, "tests" | "filter">;

/** What `deno test` prints and answers; `null` as the exit code when it had to be ended. */
async function runTests(copy: string, { tests, filter }: Tests) {
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      "test",
      "--allow-all",
      "--no-check",
      "--quiet",
      ...(filter === undefined ? [] : [`--filter=${filter}`]),
      ...tests,
    ],
    cwd: copy,
    env: { THEURIAN_BINARY: "source", NO_COLOR: "1" },
    stdout: "piped",
    stderr: "piped",
    detached: true,
  }).spawn();
  let ended = false;
  const timer = setTimeout(() => {
    ended = true;
    // With whatever a test has started and now waits for.
    Deno.kill(-child.pid, "SIGKILL");
  }, LIMIT_MS);
  const { code, stdout, stderr } = await child.output();
  clearTimeout(timer);
  const output = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
  return { exit: ended ? null : code, output };
}

/** Baselines of test sets: a test that fails anyway notices nothing. */
const baselines = new Map<string, Promise<boolean>>();

function passesUnchanged(copy: string, tests: Tests): Promise<boolean> {
  const key = JSON.stringify([tests.tests, tests.filter]);
  let passes = baselines.get(key);
  if (passes === undefined) {
    passes = runTests(copy, tests)
      .then(({ exit, output }) => exit === 0 && /\b[1-9]\d* passed/.test(output));
    baselines.set(key, passes);
  }
  return passes;
}

async function tryMutant(copy: string, mutant: Mutant): Promise<Verdict> {
  if (!await passesUnchanged(copy, mutant)) return { kind: "no baseline", by: "" };
  const path = join(copy, mutant.file);
  const text = Deno.readTextFileSync(path);
  Deno.writeTextFileSync(path, mutate(text, mutant));
  try {
    const { exit, output } = await runTests(copy, mutant);
    return verdictOf(exit, output);
  } finally {
    Deno.writeTextFileSync(path, text);
  }
}

function chosenAreas(words: readonly string[]): readonly Area[] {
  const unknown = words.filter((word) => !AREAS.some(({ name }) => name === word));
  if (unknown.length > 0) {
    throw new Error(`No such area: ${unknown}; there are ${AREAS.map(({ name }) => name)}`);
  }
  return words.length === 0 ? AREAS : AREAS.filter(({ name }) => words.includes(name));
}

const areas = chosenAreas(Deno.args.filter((word) => !word.startsWith("--")));
const traps = Deno.args.filter((word) => word.startsWith("--trap="))
  .flatMap((word) => word.slice("--trap=".length).split(",").map(Number));
const copy = Deno.makeTempDirSync({ prefix: "theurian-mutants-" });
const rows: { area: string; mutant: Mutant; verdict: Verdict }[] = [];
try {
  await copyCheckout(copy);
  for (const area of areas) {
    for (const mutant of area.mutants) {
      if (traps.length > 0 && !trapsOf(mutant).some((trap) => traps.includes(trap))) continue;
      const row = { area: area.name, mutant, verdict: await tryMutant(copy, mutant) };
      rows.push(row);
      console.log(table([row]).trimEnd());
    }
  }
} finally {
  Deno.removeSync(copy, { recursive: true });
}
const noticed = rows.filter(({ verdict }) => verdict.kind === "noticed").length;
for (const { name, traps, withoutMutant } of areas) {
  const mine = rows.filter(({ area }) => area === name);
  const held = mine.filter(({ verdict }) => verdict.kind === "noticed").length;
  const excused = withoutMutant.flatMap(trapsOf).length;
  console.log(
    `${name}: ${traps} traps, ${mine.length} mutants, ${held} noticed, ${excused} traps without one`,
  );
}
console.log(`${rows.length} mutants, ${noticed} noticed, ${rows.length - noticed} not`);
Deno.exit(noticed === rows.length ? 0 : 1);
