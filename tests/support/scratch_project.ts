/**
 * A project in a temporary directory, with a data directory of its own: knowledge is written as
 * migrations and applied, indexed and purged in this process.
 *
 * @module
 */

import { join } from "node:path";
import { sha256Hex } from "../../src/platform/hash.ts";
import { ulidSource } from "../../src/platform/ulid.ts";
import { type Project, projectPaths } from "../../src/projects/mod.ts";
import {
  applyMigrations,
  type ApplyReport,
  nothingPurged,
  openActiveState,
  type Purge,
  type StateReader,
} from "../../src/knowledge/mod.ts";
import {
  buildIndex,
  type BuildOptions,
  type BuildOutcome,
  purgeWithdrawn,
} from "../../src/index/mod.ts";

/** One operation of a migration, as its file has it. */
export type Operation = Readonly<Record<string, unknown>>;

/** What {@linkcode ScratchProject.revise} may set; the rest has defaults. */
export interface RevisionWords {
  readonly title?: string;
  readonly body: string;
  readonly status?: string;
  readonly sensitivity?: string;
  readonly kind?: string;
  readonly namespace?: string;
  readonly trustLevel?: string;
  readonly sourceAnchors?: readonly Operation[];
}

/** Makes a project, hands it to `work`, removes it. */
export async function inScratchProject(
  work: (project: ScratchProject) => void | Promise<void>,
  projectId = "demo",
  directory = "repo",
): Promise<void> {
  const parent = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "index-scratch-" }));
  try {
    await work(new ScratchProject(parent, projectId, directory));
  } finally {
    Deno.removeSync(parent, { recursive: true });
  }
}

/** A project whose time stands still unless a test moves it. */
export class ScratchProject {
  readonly root: string;
  readonly dataDirectory: string;
  project: Project;
  now = Date.UTC(2026, 2, 10, 9, 30);
  readonly ulids = ulidSource({ now: () => this.now });
  readonly #revisions = new Map<string, string>();
  #seals = 0;

  constructor(parent: string, projectId: string, directory: string) {
    this.root = join(parent, directory);
    this.dataDirectory = join(parent, "data");
    Deno.mkdirSync(join(this.root, ".theurian/migrations"), { recursive: true });
    Deno.mkdirSync(join(this.root, ".theurian/knowledge"), { recursive: true });
    this.project = { projectId, root: this.root, paths: projectPaths(this.root) };
  }

  /** Path below the root. */
  at(path: string): string {
    return join(this.root, path);
  }

  /** Path below `.theurian/state/`. */
  state(name: string): string {
    return join(this.project.paths.state, name);
  }

  /** Writes one migration with the operations and returns its id. */
  migrate(...operations: readonly Operation[]): string {
    const id = this.ulids();
    const file = {
      apiVersion: "theurian.dev/v1",
      id,
      createdAt: "2026-03-10T10:30:00+01:00",
      author: "ada@example.org",
      operations,
    };
    Deno.writeTextFileSync(this.at(`.theurian/migrations/${id}-x.yaml`), JSON.stringify(file));
    return id;
  }

  /** Operations that give an item a new revision; the item is created when it is new here. */
  revise(itemId: string, words: RevisionWords): Operation[] {
    const { kind = "domain", namespace = "n", sensitivity = "internal", body } = words;
    const revisionId = this.ulids();
    const bodyName = `${revisionId}.md`;
    Deno.writeTextFileSync(this.at(`.theurian/knowledge/${bodyName}`), body);
    const upsert = {
      op: "upsertRevision",
      itemId,
      revisionId,
      contentFile: `../knowledge/${bodyName}`,
      contentSha256: sha256Hex(body),
      metadata: {
        title: words.title ?? itemId,
        contentType: "text/markdown",
        kind,
        status: words.status ?? "approved",
        namespace,
        owner: "ada",
        sensitivity,
        trustLevel: words.trustLevel ?? "reviewed",
        labels: ["authored-in-theurian"],
        sourceAnchors: words.sourceAnchors ?? [],
      },
    };
    const previous = this.#revisions.get(itemId);
    this.#revisions.set(itemId, revisionId);
    if (previous !== undefined) return [{ ...upsert, expectedRevision: previous }];
    return [{ op: "createItem", itemId, kind, namespace, owner: "ada", sensitivity }, upsert];
  }

  /** Writes a migration with one revision for each item. */
  add(items: Readonly<Record<string, RevisionWords>>): void {
    this.migrate(...Object.entries(items).flatMap(([id, words]) => this.revise(id, words)));
  }

  /** `migrate apply`, with the purge of the published index unless told otherwise. */
  apply(purge: Purge = this.purge()): Promise<ApplyReport> {
    return applyMigrations(this.project, {
      dataDirectory: this.dataDirectory,
      clock: { now: () => this.now },
      seal: () => `seal-${this.#seals++}-${this.ulids()}`,
      allowUncommitted: true,
      purge,
    });
  }

  /** The purge that `migrate apply` is given. */
  purge(): Purge {
    const { dataDirectory, ulids } = this;
    return purgeWithdrawn(this.project, { dataDirectory, ulids, clock: { now: () => this.now } });
  }

  /** `migrate apply` without touching the index. */
  applyWithoutPurge(): Promise<ApplyReport> {
    return this.apply(() => nothingPurged("no-published-index"));
  }

  /** `index build`. */
  build(options: Partial<BuildOptions> = {}): Promise<BuildOutcome> {
    return buildIndex(this.project, {
      dataDirectory: this.dataDirectory,
      clock: { now: () => this.now },
      ulids: this.ulids,
      includeUnapproved: false,
      embeddings: true,
      raptor: false,
      ...options,
    });
  }

  /** The applied state; the caller closes it. */
  reader(): StateReader {
    return openActiveState(this.project, this.dataDirectory).reader;
  }

  /** Names in `.theurian/state/`, sorted. */
  stateFiles(): string[] {
    return [...Deno.readDirSync(this.project.paths.state)].map((entry) => entry.name).sort();
  }

  /** Sets the serving profile's ceiling. */
  serve(ceiling: string): void {
    const directory = join(this.dataDirectory, "auth");
    Deno.mkdirSync(directory, { recursive: true, mode: 0o700 });
    const path = join(directory, "serving-profile");
    Deno.writeTextFileSync(path, ceiling);
    Deno.chmodSync(path, 0o600);
    Deno.chmodSync(directory, 0o700);
  }
}
