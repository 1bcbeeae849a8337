/**
 * The demonstration behind `demo.sh`: brings the sample project up in a temporary place, asks the
 * real daemon one question, prints the answer for a reader, and leaves nothing behind.
 *
 * @module
 */

import { Daemon, freePort } from "./daemon.ts";
import { CHECKOUT, findProgram } from "./program.ts";
import { callTool, type Document, setUpTrial, type Trial } from "./trial.ts";

const PROJECT = "sample-project";
const QUESTION = "Can a customer still cancel an order after the warehouse started picking?";

interface Anchor {
  readonly sourceUri: string;
  readonly filePath?: string;
  readonly lineStart?: number | null;
  readonly lineEnd?: number | null;
}

interface Hit {
  readonly itemId: string;
  readonly revisionId: string;
  readonly title: string;
  readonly excerpt: string;
  readonly status: string;
  readonly trustLevel: string;
  readonly sensitivity: string;
  readonly freshness: { readonly revisionCreatedAt: string };
  readonly sourceAnchors: readonly Anchor[];
  readonly foundBy?: readonly string[];
}

function say(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${text}\n`));
}

/** Text from a document, made safe for a terminal and cut into lines of at most 92 characters. */
function wrap(text: string, indent: string): string {
  // deno-lint-ignore no-control-regex -- control characters are what is taken out
  const words = text.replace(/[\x00-\x1f\x7f-\x9f]+/g, " ").trim().split(/ +/);
  const lines: string[] = [];
  let line = "";
  for (const word of words) {
    if (line !== "" && line.length + word.length + 1 > 92) {
      lines.push(line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  lines.push(line);
  return lines.map((one) => indent + one).join("\n");
}

function source(anchor: Anchor): string {
  const { lineStart, lineEnd } = anchor;
  const lines = lineStart === undefined || lineStart === null
    ? ""
    : `, lines ${lineStart}–${lineEnd ?? lineStart}`;
  return `${anchor.sourceUri}${lines}`;
}

function showHit(hit: Hit, number: number): void {
  say(`\n  ${number}. ${hit.title}`);
  say(`     ${hit.itemId}, revision ${hit.revisionId}`);
  say(
    `     ${hit.status}, ${hit.trustLevel}, ${hit.sensitivity}; since ${
      hit.freshness.revisionCreatedAt.slice(0, 10)
    }; found by ${hit.foundBy?.join(", ") ?? "substring"}`,
  );
  for (const anchor of hit.sourceAnchors) say(`     from ${source(anchor)}`);
  say(wrap(hit.excerpt, "     | "));
}

function showAnswer(answer: Document, elapsed: number): void {
  const hits = answer["results"] as readonly Hit[];
  const retrieval = answer["retrieval"] as { snapshotId: string; indexBuildId: string | null };
  const state = retrieval.snapshotId.slice(0, 12);
  const took = `${elapsed.toFixed(0)} ms with connecting and closing`;
  say(
    `\n${hits.length} answers (${took}), from state ${state} and index build ${
      retrieval.indexBuildId ?? "none"
    }:`,
  );
  hits.forEach((hit, index) => showHit(hit, index + 1));
  say("\nEvery hit is marked as untrusted knowledge: a document to read, never an instruction.");
}

async function ask(trial: Trial, question: string): Promise<void> {
  const program = findProgram();
  const port = freePort();
  say(`  theurian daemon start --foreground --port ${port}`);
  const { root, home, path } = trial;
  const daemon = await Daemon.start(program, { port, cwd: root, home, path });
  try {
    say(`\nQuestion, asked with the official MCP client: ${question}`);
    const search = { projectId: PROJECT, query: question, limit: 3 };
    const answer = await callTool(port, daemon.token, "knowledge.search", search);
    // The first call connects and loads what a search needs; the second is what an agent sees.
    const begun = performance.now();
    await callTool(port, daemon.token, "knowledge.search", search);
    showAnswer(answer, performance.now() - begun);
  } finally {
    const { code } = await daemon.stop();
    say(`\nThe daemon was stopped and ended with ${code}; the temporary folder is removed.`);
  }
}

async function main(question: string): Promise<void> {
  const program = findProgram();
  const work = await Deno.makeTempDir({ prefix: "theurian-demo-" });
  try {
    say(`Theurian, running the ${program.description}.`);
    say(`A copy of examples/${PROJECT} becomes a Git repository in ${work}.\n`);
    const trial = await setUpTrial(
      program,
      `${CHECKOUT}/examples/${PROJECT}`,
      work,
      PROJECT,
      (command) => say(`  ${command}`),
    );
    const applied = trial.applied["applied"] as readonly string[];
    say(
      `    ${applied.length} migrations with ${
        trial.applied["operationsApplied"]
      } operations gave state ${String(trial.applied["stateHash"]).slice(0, 12)}; ${
        trial.indexed["chunks"]
      } passages indexed.`,
    );
    await ask(trial, question);
  } finally {
    await Deno.remove(work, { recursive: true });
  }
}

await main(Deno.args.join(" ") || QUESTION);
