/**
 * A project whose `gh` answers from recorded scenarios (tests/fixtures/fake-gh), driven through the
 * command line in this process.
 *
 * @module
 */

import { createHash } from "node:crypto";
import { dirname, join } from "node:path";
import { registerProject } from "../../src/projects/mod.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { type Outcome, runForTest } from "../../src/cli/test_world.ts";
import { fixturePath, git } from "./golden_review.ts";

/** What `.theurian/config.yaml` says. */
export interface IngestSettings {
  readonly allowlist?: readonly string[];
  readonly redactParticipantNames?: boolean;
  readonly secretScan?: string;
}

/** A repository registered as `proj`, with a home for `gh`. */
export class IngestProject {
  readonly root: string;
  readonly home: string;
  readonly dataDirectory: string;

  constructor(readonly folder: string) {
    this.root = join(folder, "proj");
    this.home = join(folder, "home");
    this.dataDirectory = join(folder, "data");
  }

  async prepare(settings: IngestSettings = {}): Promise<this> {
    Deno.mkdirSync(join(this.root, ".theurian"), { recursive: true });
    Deno.mkdirSync(join(this.home, ".config/gh"), { recursive: true });
    git(this.root, "init", "-q", "-b", "main", ".");
    const { root, dataDirectory } = this;
    const registration = { projectId: "proj", root, repositoryUrl: "", defaultBranch: "main" };
    await registerProject(dataDirectory, registration, systemClock);
    this.configure(settings);
    return this;
  }

  configure(settings: IngestSettings): void {
    const { allowlist = ["acme/widgets"], redactParticipantNames, secretScan } = settings;
    const lines = ["providers:", "  review:", `    repositories: ${JSON.stringify(allowlist)}`];
    if (redactParticipantNames !== undefined) {
      lines.push(`    redactParticipantNames: ${redactParticipantNames}`);
    }
    if (secretScan !== undefined) lines.push("security:", `  secretScan: "${secretScan}"`);
    this.write("config.yaml", lines.join("\n") + "\n");
  }

  /** Writes below `.theurian/`. */
  write(path: string, text: string): void {
    const file = join(this.root, ".theurian", path);
    Deno.mkdirSync(dirname(file), { recursive: true });
    Deno.writeTextFileSync(file, text);
  }

  /** Chooses the recorded answers: a name under fake-gh, or an absolute path. */
  scenario(name: string): void {
    Deno.writeTextFileSync(join(this.home, ".config/gh/fake-gh.scenario"), `${name}\n`);
  }

  /** What `gh` was asked since the log was last read. */
  calls(): string[] {
    const path = join(this.home, ".config/gh/fake-gh.log");
    try {
      const lines = Deno.readTextFileSync(path).split("\n").filter((line) => line !== "");
      Deno.removeSync(path);
      return lines;
    } catch {
      return [];
    }
  }

  /** Runs a command line with the recorded `gh` first on the search path. */
  async run(...args: string[]): Promise<Outcome> {
    return await this.runWith({}, ...args);
  }

  async runWith(more: Readonly<Record<string, string>>, ...args: string[]): Promise<Outcome> {
    return await runForTest(args, {
      cwd: this.root,
      environment: {
        HOME: this.home,
        THEURIAN_DATA_DIR: this.dataDirectory,
        PATH: `${fixturePath("fake-gh")}:/usr/local/bin:/usr/bin:/bin`,
        ...more,
      },
    });
  }

  /** `review ingest … --json`. */
  async ingest(repository = "acme/widgets", ...options: string[]): Promise<Ingested> {
    const outcome = await this.run("review", "ingest", repository, "--json", ...options);
    return {
      ...outcome,
      document: outcome.stdout === "" ? null : JSON.parse(outcome.stdout),
      error: outcome.stderr === "" ? null : JSON.parse(outcome.stderr),
    };
  }

  /** Paths below `.theurian/review/`, sorted. */
  files(): string[] {
    return walk(join(this.root, ".theurian/review"), "").sort();
  }

  readFile(path: string): string {
    return Deno.readTextFileSync(join(this.root, ".theurian/review", path));
  }

  /** Digest of every evidence file, without its run id and time. */
  digests(): Record<string, string> {
    return Object.fromEntries(
      this.files().map((path) => {
        const text = withoutRun(this.readFile(path));
        return [path, createHash("sha256").update(text).digest("hex")];
      }),
    );
  }
}

export interface Ingested extends Outcome {
  // deno-lint-ignore no-explicit-any
  readonly document: any;
  readonly error: { readonly error: string; readonly remedy: string } | null;
}

/** The text with a fixed run id and time. */
export function withoutRun(text: string): string {
  return text
    .replace(/("lastSeenRun": \{\n {4}"runId": )"[^"]*"/, '$1"00000000000000000000000000"')
    .replace(/(\n {4}"observedAt": )"[^"]*"/, '$1"2026-01-01T00:00:00+00:00"');
}

function walk(folder: string, prefix: string): string[] {
  let entries: Deno.DirEntry[];
  try {
    entries = [...Deno.readDirSync(folder)];
  } catch {
    return [];
  }
  return entries.flatMap((entry) => {
    const path = `${prefix}${entry.name}`;
    return entry.isDirectory ? walk(join(folder, entry.name), `${path}/`) : [path];
  });
}

/** Runs `work` with a prepared project in a folder of its own. */
export async function inIngestProject(
  settings: IngestSettings,
  work: (project: IngestProject) => Promise<void>,
): Promise<void> {
  const folder = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "review-ingest-" }));
  try {
    await work(await new IngestProject(folder).prepare(settings));
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}
