/**
 * A registered Git repository with a home of its own, driven by the program as it ships.
 *
 * @module
 */

import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { Daemon, freePort } from "../../scripts/daemon.ts";
import { findProgram, type Run, run } from "../../scripts/program.ts";

const PROGRAM = findProgram();

/** A JSON document, of whatever shape. */
// deno-lint-ignore no-explicit-any
export type Document = any;

/** One command's end. */
export interface Outcome extends Run {
  /** The document that stdout holds, or stderr of a refusal; `null` for other text. */
  readonly document: Document;
}

/** Makes a project with a built state, hands it to `work`, removes it. */
export async function withProgramProject(
  work: (project: ProgramProject) => Promise<void>,
): Promise<void> {
  const folder = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "proposals-program-" }));
  try {
    const project = new ProgramProject(folder);
    await project.prepare();
    await work(project);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

/** A repository named `demo`. */
export class ProgramProject {
  readonly folder: string;
  readonly root: string;
  readonly home: string;

  constructor(folder: string) {
    this.folder = folder;
    this.root = join(folder, "demo");
    this.home = join(folder, "home");
  }

  async prepare(): Promise<void> {
    Deno.mkdirSync(this.root);
    Deno.mkdirSync(this.home);
    this.git("init", "-q", "-b", "main");
    this.commit();
    await this.succeed("init");
    await this.succeed("project", "register");
    this.commit();
    await this.succeed("migrate", "apply");
  }

  at(path: string): string {
    return join(this.root, path);
  }

  write(path: string, text: string | Uint8Array): void {
    Deno.mkdirSync(dirname(this.at(path)), { recursive: true });
    if (typeof text === "string") Deno.writeTextFileSync(this.at(path), text);
    else Deno.writeFileSync(this.at(path), text);
  }

  git(...args: string[]): string {
    const author = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"];
    const { code, stdout, stderr } = new Deno.Command("git", {
      args: [...author, ...args],
      cwd: this.root,
      env: { HOME: this.home, GIT_CONFIG_NOSYSTEM: "1" },
    }).outputSync();
    assert.equal(code, 0, new TextDecoder().decode(stderr));
    return new TextDecoder().decode(stdout).trim();
  }

  commit(): void {
    this.git("add", "-A");
    this.git("commit", "-q", "--allow-empty", "-m", "m");
  }

  /** Runs the program; `--json` is added unless it is asked for text. */
  async theurian(argv: readonly string[], options: { text?: boolean } = {}): Promise<Outcome> {
    const outcome = await run(PROGRAM, options.text ? argv : [...argv, "--json"], {
      cwd: this.root,
      env: { HOME: this.home, PATH: Deno.env.get("PATH")! },
    });
    return { ...outcome, document: documentOf(outcome.stdout || outcome.stderr) };
  }

  async succeed(...argv: string[]): Promise<Document> {
    const { exit, document, stderr } = await this.theurian(argv);
    assert.equal(exit, 0, `${argv.join(" ")}: ${stderr}`);
    return document;
  }

  /** Runs a daemon of this home for as long as `work` takes; it must end cleanly. */
  async withDaemon(work: (call: ToolCall, daemon: Daemon) => Promise<void>): Promise<void> {
    const daemon = await Daemon.start(PROGRAM, {
      port: freePort(),
      cwd: this.root,
      home: this.home,
      path: Deno.env.get("PATH")!,
    });
    const worked = await work(
      (name, input) => callRaw(daemon, JSON.stringify(request(name, input))),
      daemon,
    ).then(() => null, (error) => ({ error }));
    const { code, stderr } = await daemon.stop();
    if (worked !== null) throw worked.error;
    assert.equal(code, 0, stderr);
    assert.ok(!/error|defect/i.test(stderr), stderr);
  }
}

/** Calls a tool and gives its result. */
export type ToolCall = (name: string, input: Record<string, unknown>) => Promise<Document>;

/** The request of a call. */
export function request(name: string, input: Record<string, unknown>): Document {
  return { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: input } };
}

/** Sends exactly this body; gives the result, or the whole answer where it holds none. */
export async function callRaw(daemon: Daemon, body: string): Promise<Document> {
  const response = await fetch(`http://127.0.0.1:${daemon.port}/mcp`, {
    method: "POST",
    headers: { "authorization": `Bearer ${daemon.token}`, "content-type": "application/json" },
    body,
  });
  const answer = documentOf(await response.text());
  return answer?.result ?? { status: response.status, ...answer };
}

function documentOf(text: string): Document {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** A call of `knowledge.proposeChange` that is fine. */
export const PROPOSAL = {
  projectId: "demo",
  itemId: "domain.foo",
  title: "Foo",
  kind: "domain",
  owner: "team",
  author: "ada@example.org",
  description: "Write it down.",
  body: "# F\n",
  contentType: "text/markdown",
  evidence: { agentId: "agent-1", taskId: "task-1", model: "m", reasoning: "r" },
  sourceAnchors: [{ provider: "git", sourceUri: "git://demo/docs/a.md" }],
};

/** Arguments of `theurian propose` that are fine, changed by `more`; `null` leaves one out. */
export function proposeArguments(more: Record<string, string | null> = {}): string[] {
  const options: Record<string, string | null> = {
    "item-id": "domain.foo",
    title: "Foo",
    kind: "domain",
    owner: "team",
    author: "ada@example.org",
    description: "Write it down.",
    "body-file": "body.md",
    "agent-id": "agent-1",
    "task-id": "task-1",
    model: "human",
    reasoning: "Seen.",
    "source-uri": "git://demo/docs/a.md",
    ...more,
  };
  const given = Object.entries(options).filter(([, value]) => value !== null);
  return ["propose", ...given.flatMap(([name, value]) => [`--${name}`, value!])];
}
