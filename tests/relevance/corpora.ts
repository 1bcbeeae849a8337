/**
 * The corpora that relevance is judged on, each as a project that is applied and indexed for real.
 *
 * @module
 */

import { join } from "node:path";
import { ScratchProject } from "../support/scratch_project.ts";

const HERE = new URL("./", import.meta.url).pathname;
const CHECKOUT = new URL("../../", import.meta.url).pathname;

/** One labelled query. */
export interface LabelledQuery {
  readonly kind: string;
  readonly query: string;
  /** Item ids that answer it; the best placed one counts. */
  readonly wanted: readonly string[];
  /** Written after the ranking was settled, so never looked at while it changed. */
  readonly heldOut?: boolean;
}

/** A corpus and what is asked of it. */
export interface Corpus {
  readonly name: string;
  readonly queries: readonly LabelledQuery[];
  /** Fills an empty project. */
  readonly fill: (project: ScratchProject) => Promise<void>;
}

/** Corpora at hand: our own, the recorded project, the sample and the public one where they are. */
export function availableCorpora(publicArchive: string | undefined): readonly Corpus[] {
  const corpora = [
    harbour(),
    charging(),
    copied("ledger", join(CHECKOUT, "tests/fixtures/journey/corpus/overlay")),
  ];
  const sample = join(CHECKOUT, "examples/sample-project");
  if (isDirectory(join(sample, ".theurian/migrations"))) corpora.push(copied("sample", sample));
  if (publicArchive !== undefined) {
    corpora.push({
      name: "public",
      queries: queriesOf("public"),
      fill: (project) => unpack(publicArchive, project.root),
    });
  }
  return [...corpora, ...corpora.map(askedAfresh).filter(({ queries }) => queries.length > 0)];
}

/** The same corpus with the queries that no change of the ranking was judged by. */
function askedAfresh({ name, fill }: Corpus): Corpus {
  const queries = read("fresh.jsonl").split("\n").filter((line) => line !== "")
    .map((line) => JSON.parse(line) as LabelledQuery & { readonly corpus: string })
    .filter(({ corpus }) => corpus === name);
  return { name: `${name} afresh`, queries, fill };
}

/** A container terminal in four languages. */
export function harbour(): Corpus {
  return written("harbour");
}

/** A network of chargers for electric cars; corpus and queries were written before any measuring. */
export function charging(): Corpus {
  return written("charging");
}

/** A corpus of our own: a line of `@@ id | title` before each body. */
function written(name: string): Corpus {
  return {
    name,
    queries: queriesOf(name),
    fill: (project) => {
      const items: Record<string, { title: string; body: string; kind: string }> = {};
      for (const entry of read(`${name}.txt`).split(/^@@ /m).slice(1)) {
        const end = entry.indexOf("\n");
        const [itemId, title] = entry.slice(0, end).split(" | ");
        const kind = itemId!.split(".")[0]!;
        items[itemId!] = { title: title!, body: entry.slice(end + 1), kind };
      }
      project.add(items);
      return Promise.resolve();
    },
  };
}

function copied(name: string, from: string): Corpus {
  return {
    name,
    queries: queriesOf(name),
    fill: (project) => {
      copyTree(join(from, ".theurian"), project.at(".theurian"));
      return Promise.resolve();
    },
  };
}

function queriesOf(name: string): readonly LabelledQuery[] {
  return read(`${name}.jsonl`).split("\n").filter((line) => line !== "")
    .map((line) => JSON.parse(line) as LabelledQuery);
}

function read(name: string): string {
  return Deno.readTextFileSync(join(HERE, name));
}

function isDirectory(path: string): boolean {
  try {
    return Deno.statSync(path).isDirectory;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/** Copies a directory with all that is in it. */
export function copyTree(from: string, to: string): void {
  Deno.mkdirSync(to, { recursive: true });
  for (const { name, isDirectory } of Deno.readDirSync(from)) {
    if (isDirectory) copyTree(join(from, name), join(to, name));
    else Deno.copyFileSync(join(from, name), join(to, name));
  }
}

async function unpack(archive: string, to: string): Promise<void> {
  const command = new Deno.Command("tar", { args: ["xzf", archive, "-C", to] });
  const { code } = await command.output();
  if (code !== 0) throw new Error("Cannot unpack the public corpus");
}
