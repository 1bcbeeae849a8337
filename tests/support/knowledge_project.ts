/**
 * A project on disk for tests of the corpus: real files, a real repository where one is needed.
 *
 * @module
 */

import { dirname, join } from "node:path";
import {
  applyMigrations,
  type ApplyOptions,
  type ApplyReport,
  nothingPurged,
} from "../../src/knowledge/mod.ts";
import { sha256Hex } from "../../src/platform/hash.ts";
import { type Project, projectPaths } from "../../src/projects/mod.ts";

/** Everything an operation or a migration may say; the schema decides what is right. */
export type Loose = Readonly<Record<string, unknown>>;

/** Ids that sort by their number. */
export const migrationId = (n: number) => `01KA0MG${String(n).padStart(4, "0")}000000000000000`;
export const revisionId = (n: number) => `01KA0RV${String(n).padStart(4, "0")}000000000000000`;

/** A repository-shaped folder that removes itself. */
export class KnowledgeProject implements Disposable {
  readonly folder = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "knowledge-" }));
  readonly dataDirectory = join(this.folder, "data");
  readonly root: string;
  now = Date.UTC(2026, 0, 1);
  #seals = 0;

  constructor(name = "ledger") {
    this.root = join(this.folder, name);
    Deno.mkdirSync(join(this.root, ".theurian/migrations"), { recursive: true });
    Deno.mkdirSync(join(this.root, ".theurian/knowledge"), { recursive: true });
  }

  get project(): Project {
    return { projectId: "ledger", root: this.root, paths: projectPaths(this.root) };
  }

  path(below: string): string {
    return join(this.root, below);
  }

  write(below: string, content: string | Uint8Array): void {
    const path = this.path(below);
    Deno.mkdirSync(dirname(path), { recursive: true });
    if (typeof content === "string") Deno.writeTextFileSync(path, content);
    else Deno.writeFileSync(path, content);
  }

  read(below: string): string {
    return Deno.readTextFileSync(this.path(below));
  }

  remove(below: string): void {
    Deno.removeSync(this.path(below), { recursive: true });
  }

  /** Writes migration number `n`; returns its path below the root. */
  migration(n: number, operations: readonly Loose[], extra: Loose = {}): string {
    const below = `.theurian/migrations/${migrationId(n)}-m.yaml`;
    const document = {
      apiVersion: "theurian.dev/v1",
      id: migrationId(n),
      createdAt: "2026-01-01T00:00:00Z",
      author: "ada@example.org",
      operations,
      ...extra,
    };
    // Readers of YAML disagree about these unless they are escaped.
    const escaped = JSON.stringify(document, null, 1).replace(
      /[\u007f-\u009f\u2028\u2029]/g,
      (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`,
    );
    this.write(below, escaped);
    return below;
  }

  /** Writes a body and gives the operation that makes it revision number `n` of an item. */
  upsert(itemId: string, n: number, metadata: Loose = {}, extra: Loose = {}): Loose {
    const body = `body ${n} of ${itemId}\n`;
    this.write(`.theurian/knowledge/${itemId}-${n}.md`, body);
    return {
      op: "upsertRevision",
      itemId,
      revisionId: revisionId(n),
      contentFile: `../knowledge/${itemId}-${n}.md`,
      contentSha256: sha256Hex(body),
      metadata: {
        title: `Title ${n}`,
        contentType: "text/markdown",
        kind: "domain",
        namespace: "ns",
        status: "approved",
        owner: "team",
        sourceAnchors: [{ provider: "git", sourceUri: "git://x" }],
        ...metadata,
      },
      ...extra,
    };
  }

  options(extra: Partial<ApplyOptions> = {}): ApplyOptions {
    return {
      dataDirectory: this.dataDirectory,
      clock: { now: () => this.now },
      seal: () => `seal-${this.folder}-${this.#seals++}`,
      allowUncommitted: true,
      purge: ({ itemIds }) =>
        nothingPurged(itemIds.length > 0 ? "no-published-index" : "no-withdrawal"),
      ...extra,
    };
  }

  apply(extra: Partial<ApplyOptions> = {}): Promise<ApplyReport> {
    return applyMigrations(this.project, this.options(extra));
  }

  /** Names in `.theurian/state`, sorted. */
  stateFiles(): readonly string[] {
    const path = this.path(".theurian/state");
    try {
      return [...Deno.readDirSync(path)].map((entry) => entry.name).sort();
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return [];
      throw error;
    }
  }

  /** Runs Git in the root; throws with its message when it fails. */
  git(...args: string[]): string {
    const { code, stdout, stderr } = new Deno.Command("git", {
      args: [
        ...["-c", "user.name=Ada", "-c", "user.email=ada@example.org"],
        ...["-c", "init.defaultBranch=main", "-c", "commit.gpgsign=false"],
        ...args,
      ],
      cwd: this.root,
      env: { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" },
    }).outputSync();
    if (code !== 0) throw new Error(new TextDecoder().decode(stderr));
    return new TextDecoder().decode(stdout).trim();
  }

  /** Makes the root a repository, once, and commits everything in it. */
  commit(): void {
    try {
      Deno.statSync(this.path(".git"));
    } catch {
      this.git("init", "--quiet");
      this.write(".gitignore", ".theurian/state/\n.theurian/cache/\n.theurian/runtime/\n");
    }
    this.git("add", "--all");
    this.git("commit", "--quiet", "--allow-empty", "--message", "change");
  }

  [Symbol.dispose](): void {
    Deno.removeSync(this.folder, { recursive: true });
  }
}
