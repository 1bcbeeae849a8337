/**
 * A trial of the program on a copy of a project: a Git repository of its own, a home of its own,
 * replayed and indexed, and a question over MCP. The demonstration shows it, a test asserts it.
 *
 * @module
 */

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { type Program, run } from "./program.ts";

/** JSON objects as the program answers them. */
export type Document = Readonly<Record<string, unknown>>;

/** A project that was replayed and indexed in a temporary place. */
export interface Trial {
  readonly root: string;
  readonly home: string;
  readonly path: string;
  readonly validated: Document;
  readonly applied: Document;
  readonly indexed: Document;
}

/** What is told while a trial is being set up. */
export type Narrator = (command: string) => void;

/**
 * Copies a project into `work`, commits it, and runs `init`, `project register`, `migrate validate`,
 * `migrate apply` and `index build` on the copy. Throws when a command does not exit with 0.
 */
export async function setUpTrial(
  program: Program,
  source: string,
  work: string,
  projectId: string,
  tell: Narrator = () => {},
): Promise<Trial> {
  const root = `${work}/${projectId}`;
  const home = `${work}/home`;
  const path = Deno.env.get("PATH") ?? "/usr/bin:/bin";
  await Deno.mkdir(home, { recursive: true });
  await copyAuthored(source, root);
  await git(root, ["init", "--quiet", "--initial-branch=main"]);
  await git(root, ["add", "--all"]);
  await git(root, ["commit", "--quiet", "--message", "Start from the sample"]);
  const command = async (...argv: string[]): Promise<Document> => {
    tell(`theurian ${argv.join(" ")}`);
    const { exit, stdout, stderr } = await run(program, [...argv, "--json"], {
      cwd: root,
      env: { HOME: home, PATH: path },
    });
    if (exit !== 0) {
      throw new Error(`\`theurian ${argv.join(" ")}\` ended with ${exit}: ${stderr || stdout}`);
    }
    return JSON.parse(stdout) as Document;
  };
  await command("init");
  await command("project", "register", "--project-id", projectId);
  const validated = await command("migrate", "validate");
  const applied = await command("migrate", "apply");
  const indexed = await command("index", "build");
  return { root, home, path, validated, applied, indexed };
}

const DERIVED = ["state", "cache", "runtime", "generated"];

/** Copies a project without its history and without anything derived. */
async function copyAuthored(from: string, to: string): Promise<void> {
  await Deno.mkdir(to, { recursive: true });
  for await (const entry of Deno.readDir(from)) {
    if (entry.name === ".git") continue;
    const source = `${from}/${entry.name}`;
    if (from.endsWith("/.theurian") && DERIVED.includes(entry.name)) continue;
    if (entry.isDirectory) await copyAuthored(source, `${to}/${entry.name}`);
    else if (entry.isFile) await Deno.copyFile(source, `${to}/${entry.name}`);
  }
}

async function git(cwd: string, args: readonly string[]): Promise<void> {
  const identity = ["-c", "user.name=Theurian trial", "-c", "user.email=trial@example.org"];
  const { code, stderr } = await new Deno.Command("git", {
    args: [...identity, "-c", "commit.gpgsign=false", ...args],
    cwd,
    stdin: "null",
  }).output();
  if (code !== 0) throw new Error(`git ${args[0]} failed: ${new TextDecoder().decode(stderr)}`);
}

/** Calls one tool with the official client, in a connection of its own. */
export async function callTool(
  port: number,
  token: string,
  name: string,
  toolArguments: Record<string, unknown>,
): Promise<Document> {
  const client = new Client({ name: "theurian-trial", version: "1.0.0" });
  const transport = new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`), {
    requestInit: { headers: { Authorization: `Bearer ${token}` } },
  });
  await client.connect(transport);
  try {
    const result = await client.callTool({ name, arguments: toolArguments });
    if (result.isError === true) throw new Error(`${name} refused: ${JSON.stringify(result)}`);
    return result.structuredContent as Document;
  } finally {
    await client.close();
  }
}
