/**
 * Repositories that bundles leave and enter, through the command line.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { runForTest } from "../../src/cli/test_world.ts";
import { parseBundleYaml, type WritableYaml } from "../../src/platform/yaml/mod.ts";
import { type TestItem, writeMigration } from "./corpus.ts";
import { type TemporaryRepository, temporaryRepository } from "./temporary_repository.ts";

export type Json = Record<string, unknown>;

/** What an import has to be told besides the bundle. */
export const IMPORT = [
  ...["--owner", "team", "--author", "ada@example.org", "--agent-id", "a", "--task-id", "t"],
  ...["--model", "m", "--reasoning", "r"],
];

/** One command with `--json`: its exit code, and the document of whichever stream holds one. */
export async function run(repository: TemporaryRepository, args: string[], cwd = repository.root) {
  const { exit, stdout, stderr } = await runForTest([...args, "--json"], {
    cwd,
    environment: repository.environment,
  });
  assert(stdout === "" || stderr === "");
  return { exit, stdout, json: JSON.parse(stdout === "" ? stderr : stdout) };
}

/** A repository whose items are applied. */
export async function applied(
  items: readonly TestItem[],
  operations: readonly WritableYaml[] = [],
  name = "demo",
): Promise<TemporaryRepository> {
  const repository = temporaryRepository(name);
  if (items.length > 0 || operations.length > 0) writeMigration(repository, 1, items, operations);
  repository.commit();
  const { exit, json } = await run(repository, ["migrate", "apply"]);
  assert.equal(exit, 0, JSON.stringify(json));
  return repository;
}

/** An `addRelation` operation. */
export function relation(
  sourceItemId: string,
  relationType: string,
  targetItemId: string,
  note?: string,
): WritableYaml {
  const edge = { op: "addRelation", sourceItemId, relationType, targetItemId };
  return note === undefined ? edge : { ...edge, note };
}

/** Exports into a directory beside the repository; answers what came of it and where. */
export async function exported(repository: TemporaryRepository, target = "../out") {
  const outcome = await run(repository, ["okf", "export", target]);
  return { ...outcome, path: outcome.exit === 0 ? outcome.json.bundlePath as string : "" };
}

/** Imports a bundle. */
export function imported(repository: TemporaryRepository, bundle: string, ...more: string[]) {
  return run(repository, ["okf", "import", bundle, ...IMPORT, ...more]);
}

/** Writes a bundle by hand, beside the repository. */
export function bundle(
  repository: TemporaryRepository,
  files: Readonly<Record<string, string | Uint8Array>>,
  name = "bundle",
): string {
  const root = join(repository.folder, name);
  Deno.mkdirSync(root, { recursive: true });
  for (const [path, content] of Object.entries(files)) {
    Deno.mkdirSync(join(root, path, ".."), { recursive: true });
    if (typeof content === "string") Deno.writeTextFileSync(join(root, path), content);
    else Deno.writeFileSync(join(root, path), content);
  }
  return root;
}

/** A concept document with what every one needs. */
export function page(front = "", body = "\nText.\n"): string {
  return `---\ntype: convention\ntitle: T\nstatus: stable\n${front}---\n${body}`;
}

/** Every file below a folder, POSIX, sorted; empty when there is none. */
export function tree(folder: string, prefix = ""): string[] {
  try {
    return [...Deno.readDirSync(folder)].flatMap((entry) =>
      entry.isDirectory
        ? tree(join(folder, entry.name), `${prefix}${entry.name}/`)
        : [`${prefix}${entry.name}`]
    ).sort();
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}

/** The front matter and the rest of a document. */
export function opened(text: string): { front: Json; rest: string } {
  const end = text.indexOf("\n---\n", 3);
  assert(text.startsWith("---\n") && end > 0, text.slice(0, 80));
  const front = parseBundleYaml(new TextEncoder().encode(text.slice(4, end + 1)), "it");
  return { front: front as Json, rest: text.slice(end + 5) };
}

/** A document of a bundle. */
export function concept(bundlePath: string, path: string): { front: Json; rest: string } {
  return opened(Deno.readTextFileSync(join(bundlePath, path)));
}

/** Accepts proposals in order and applies them. */
export async function acceptAll(repository: TemporaryRepository, ids: readonly string[]) {
  for (const id of ids) {
    const { exit, json } = await run(repository, ["propose", "accept", id]);
    assert.equal(exit, 0, JSON.stringify(json));
  }
  repository.commit();
  const { exit, json } = await run(repository, ["migrate", "apply"]);
  assert.equal(exit, 0, JSON.stringify(json));
}

/** The migration of a waiting proposal. */
export function migrationOf(repository: TemporaryRepository, proposalId: string): Json {
  const folder = join(repository.root, ".theurian/proposals", proposalId);
  const name = [...Deno.readDirSync(folder)].find(({ name }) => name.endsWith(".yaml"))!.name;
  const bytes = Deno.readFileSync(join(folder, name));
  return parseBundleYaml(bytes, "the migration") as Json;
}

/** Imports what is written here into an empty project. */
export async function taking(
  files: Readonly<Record<string, string | Uint8Array>>,
  work: (
    outcome: { exit: number; json: Json },
    repository: TemporaryRepository,
  ) => void | Promise<void>,
  ...more: string[]
): Promise<void> {
  using repository = temporaryRepository();
  await work(await imported(repository, bundle(repository, files), ...more), repository);
}

/** What a content proposal's revision says about itself. */
export function metadataOf(repository: TemporaryRepository, id: string): Json {
  const { operations } = migrationOf(repository, id) as { operations: { metadata: Json }[] };
  return operations[1]!.metadata;
}
