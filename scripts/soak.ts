/**
 * The long part of the proof, which no suite has time for: a mixed load, every fuzz target for ten
 * minutes, a hundred races, every step of every command that writes. Writes a report and ends with 1
 * when anything was wrong.
 *
 * @module
 */

import { findProgram } from "./program.ts";
import { runLoad } from "./soak_load.ts";
import { soakReport } from "./soak_report.ts";
import { fuzz, keepCase } from "../tests/fuzz/fuzz.ts";
import { TARGETS } from "../tests/fuzz/targets.ts";

const USAGE = `deno task soak [options]

  --minutes=60         how long the mixed load lasts
  --fuzz-minutes=10    how long each fuzz target is tried
  --races=100          rounds of the races
  --only=LIST          of load, fuzz, races, faults (default all)
  --report=PATH        where the report goes (default dist/soak.md)

The executable is the one that THEURIAN_BINARY names, else dist/theurian.
`;

/** A part's outcome, in words for the report. */
export interface PartOutcome {
  readonly part: string;
  readonly ok: boolean;
  readonly seconds: number;
  readonly lines: readonly string[];
}

interface Options {
  readonly minutes: number;
  readonly fuzzMinutes: number;
  readonly races: number;
  readonly only: readonly string[];
  readonly report: string;
  /** A single target, in a process of its own. */
  readonly target: string | null;
}

function readOptions(args: readonly string[]): Options | null {
  const values = new Map<string, string>();
  for (const arg of args) {
    const match = /^--(minutes|fuzz-minutes|races|only|report|target)=(.+)$/.exec(arg);
    if (match === null) return null;
    values.set(match[1]!, match[2]!);
  }
  const number = (name: string, usual: number) => Number(values.get(name) ?? usual);
  return {
    minutes: number("minutes", 60),
    fuzzMinutes: number("fuzz-minutes", 10),
    races: number("races", 100),
    only: (values.get("only") ?? "load,fuzz,races,faults").split(","),
    report: values.get("report") ?? "dist/soak.md",
    target: values.get("target") ?? null,
  };
}

async function loadPart({ minutes }: Options): Promise<PartOutcome> {
  const begun = performance.now();
  const report = await runLoad(minutes * 60, (interval) => console.log(JSON.stringify(interval)));
  return {
    part: "load",
    ok: report.wrong.length === 0,
    seconds: secondsSince(begun),
    lines: soakReport(report),
  };
}

/** Two targets at a time, each in a process of its own. */
async function fuzzPart({ fuzzMinutes }: Options): Promise<PartOutcome> {
  const begun = performance.now();
  const waiting = TARGETS.map(({ name }) => name);
  const lines: string[] = [];
  let ok = true;
  const lane = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const args = [`--target=${name}`, `--fuzz-minutes=${fuzzMinutes}`];
      const { code, text } = await ownProcess([
        "run",
        "--quiet",
        "-A",
        import.meta.filename!,
        ...args,
      ]);
      ok &&= code === 0;
      lines.push(text.trim());
      console.log(text.trim());
    }
  };
  await Promise.all([lane(), lane()]);
  return { part: "fuzz", ok, seconds: secondsSince(begun), lines: lines.sort() };
}

/** One target, here; prints a line and keeps the case that failed. */
async function fuzzTarget(name: string, { fuzzMinutes }: Options): Promise<number> {
  const target = TARGETS.find((one) => one.name === name)!;
  const seed = Math.floor(Math.random() * 2 ** 31);
  const { runs, failure } = await fuzz(target, { seconds: fuzzMinutes * 60, seed });
  if (failure === null) {
    console.log(
      `- ${name}: ${runs} inputs in ${fuzzMinutes} minutes from seed ${seed}, none met badly`,
    );
    return 0;
  }
  const path = keepCase(name, failure.input);
  console.log(`- ${name}: after ${runs} inputs, ${failure.report.slice(0, 600)} (kept in ${path})`);
  return 1;
}

async function testPart(
  part: string,
  env: Readonly<Record<string, string>>,
  path: string,
): Promise<PartOutcome> {
  const begun = performance.now();
  const { code, text } = await ownProcess(["test", "-A", "--quiet", path], env);
  const summary = text.split("\n").filter((line) => /\d+ passed/.test(line)).at(-1) ?? "no result";
  const setting = Object.entries(env).map(([name, value]) => `${name}=${value}`).join(" ");
  const lines = [`- ${path} with ${setting}: ${summary.trim()}`];
  if (code !== 0) lines.push("```", text.slice(-4000), "```");
  return { part, ok: code === 0, seconds: secondsSince(begun), lines };
}

async function ownProcess(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [...args],
    env: { ...env, NO_COLOR: "1" },
  }).output();
  const text = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
  return { code, text };
}

function secondsSince(begun: number): number {
  return Math.round((performance.now() - begun) / 1000);
}

async function main(): Promise<number> {
  const options = readOptions(Deno.args);
  if (options === null) {
    console.error(USAGE);
    return 2;
  }
  if (options.target !== null) return await fuzzTarget(options.target, options);
  const program = findProgram().description;
  console.log(`Soaking ${program}`);
  const parts: Readonly<Record<string, () => Promise<PartOutcome>>> = {
    load: () => loadPart(options),
    fuzz: () => fuzzPart(options),
    races: () =>
      testPart(
        "races",
        { THEURIAN_RACE_ROUNDS: String(options.races) },
        "tests/leaks/races_test.ts",
      ),
    faults: () =>
      testPart("faults", { THEURIAN_FAULT_STEPS: "all" }, "tests/fault/every_command_test.ts"),
  };
  const outcomes: PartOutcome[] = [];
  for (const name of options.only) {
    const outcome = await parts[name]!();
    outcomes.push(outcome);
    console.log(`${name}: ${outcome.ok ? "ok" : "FAILED"} after ${outcome.seconds} s`);
    writeReport(options.report, program, outcomes);
  }
  return outcomes.every(({ ok }) => ok) ? 0 : 1;
}

function writeReport(path: string, program: string, outcomes: readonly PartOutcome[]): void {
  const sections = outcomes.map(({ part, ok, seconds, lines }) =>
    `## ${part}: ${ok ? "ok" : "FAILED"} (${seconds} s)\n\n${lines.join("\n")}\n`
  );
  const text = `# Soak of ${new Date().toISOString().slice(0, 10)}\n\nProgram: ${program}\n`;
  Deno.mkdirSync(path.replace(/[^/]*$/, "") || ".", { recursive: true });
  Deno.writeTextFileSync(path, `${text}\n${sections.join("\n")}`);
}

if (import.meta.main) Deno.exit(await main());
