/**
 * What a soak works on: two projects whose every page is published again and again, and what each
 * page must say at any moment.
 *
 * @module
 */

import { join } from "node:path";
import { ServedProject } from "../tests/support/served_project.ts";
import { testUlid, writeMigration } from "../tests/support/corpus.ts";
import { sha256Hex } from "../src/platform/hash.ts";

/** A page as it is published now. */
export interface Page {
  readonly itemId: string;
  readonly version: number;
  readonly revisionId: string;
}

const PAGES = 150;
const SIDES = ["left", "right"] as const;
export type Side = typeof SIDES[number];

/** A word that only one version of one page holds, far from every other one. */
export function wordOf(side: Side, page: number, version: number): string {
  return `w${sha256Hex(`${side} ${page} ${version}`).replace(/[^a-f]/g, "").slice(0, 14)}${
    side[0]
  }${page}v${version}`;
}

function bodyOf(side: Side, page: number, version: number): string {
  const filler = Array.from(
    { length: 12 },
    (_, n) => `Part ${n} speaks of ${side} and page ${page}.`,
  );
  return `# Page ${page}\n\nIts word is ${wordOf(side, page, version)}.\n\n${
    filler.join("\n\n")
  }\n`;
}

/** One project of the two. */
export class SoakProject {
  readonly side: Side;
  readonly root: string;
  readonly pages: Page[] = [];
  /** Counts up at the begin and at the end of each publication: odd while one is under way. */
  epoch = 0;
  readonly #served: ServedProject;
  #migrations = 1;

  constructor(served: ServedProject, side: Side) {
    this.#served = served;
    this.side = side;
    this.root = side === "left" ? served.root : join(served.repository.folder, side);
  }

  /** Writes, applies and indexes the first version of every page. */
  async begin(): Promise<void> {
    const other = this.side === "left" ? this.#served : new ServedProject();
    writeMigration(
      other.repository,
      1,
      Array.from({ length: PAGES }, (_, n) => ({
        itemId: `guide.page-${n}`,
        title: `Page ${n}`,
        body: bodyOf(this.side, n, 1),
      })),
    );
    other.repository.commit();
    if (other !== this.#served) {
      await new Deno.Command("cp", { args: ["-a", other.root, this.root] }).output();
      other.repository[Symbol.dispose]();
    }
    for (let n = 0; n < PAGES; n++) {
      const revisionId = testUlid("RV", 100 + n);
      this.pages.push({ itemId: `guide.page-${n}`, version: 1, revisionId });
    }
    await this.run("project", "register", "--project-id", this.side);
    await this.run("migrate", "apply");
    await this.run("index", "build", "--raptor");
  }

  /** Runs a command in the project; throws when it fails. */
  async run(...words: string[]): Promise<string> {
    const { exit, stdout, stderr } = await this.#served.commandIn(this.root, ...words, "--json");
    if (exit !== 0) throw new Error(`${this.side}: ${words.join(" ")}: ${exit} ${stderr}`);
    return stdout;
  }

  /** Publishes a new version of a few pages. */
  async publish(numbers: readonly number[]): Promise<void> {
    const migration = ++this.#migrations;
    const next = numbers.map((n) => ({
      ...this.pages[n]!,
      version: this.pages[n]!.version + 1,
      revisionId: testUlid("RV", migration * 1000 + n),
    }));
    for (const [i, n] of numbers.entries()) {
      const path = join(this.root, `.theurian/knowledge/${next[i]!.revisionId}.md`);
      Deno.writeTextFileSync(path, bodyOf(this.side, n, next[i]!.version));
    }
    const id = testUlid("MG", migration);
    const file = {
      apiVersion: "theurian.dev/v1",
      id,
      createdAt: new Date().toISOString().replace(/\.\d+Z/, "Z"),
      author: "ada@example.org",
      operations: numbers.map((n, i) => operation(this.side, n, this.pages[n]!, next[i]!)),
    };
    const path = join(this.root, `.theurian/migrations/${id}-soak.yaml`);
    Deno.writeTextFileSync(path, JSON.stringify(file));
    // Drafts come and go meanwhile: Git must not stumble over one.
    await this.#git("add", ".theurian/migrations", ".theurian/knowledge");
    await this.#git("commit", "-q", "-m", "Publish");
    this.epoch++;
    await this.run("migrate", "apply");
    await this.run("index", "build", "--raptor");
    for (const [i, n] of numbers.entries()) this.pages[n] = next[i]!;
    this.epoch++;
  }

  async #git(...args: string[]): Promise<void> {
    const identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
    const { success } = await new Deno.Command("git", {
      args: [...identity, ...args],
      cwd: this.root,
      stdout: "null",
      stderr: "null",
    }).output();
    if (!success) throw new Error(`${this.side}: git ${args[0]} failed`);
  }
}

function operation(side: Side, n: number, now: Page, next: Page) {
  return {
    op: "upsertRevision",
    itemId: now.itemId,
    revisionId: next.revisionId,
    expectedRevision: now.revisionId,
    contentFile: `../knowledge/${next.revisionId}.md`,
    contentSha256: sha256Hex(bodyOf(side, n, next.version)),
    metadata: {
      title: `Page ${n}`,
      contentType: "text/markdown",
      kind: "convention",
      status: "approved",
      namespace: "guide",
      owner: "team",
      labels: ["authored-in-theurian"],
    },
  };
}

/** Both projects, published once, and a daemon before them. */
export async function newWorld(): Promise<{ served: ServedProject; projects: SoakProject[] }> {
  const served = new ServedProject("left");
  const projects = SIDES.map((side) => new SoakProject(served, side));
  for (const project of projects) await project.begin();
  await served.serve();
  return { served, projects };
}
