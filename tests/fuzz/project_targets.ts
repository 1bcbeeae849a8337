/**
 * Readers of a project's files: migrations, configuration, foreign bundles.
 *
 * @module
 */

import assert from "node:assert/strict";
import { dirname } from "node:path";
import fc from "fast-check";
import {
  configurationSchemaFaults,
  inspectMigrationSet,
  migrationStatus,
  validateMigrations,
} from "../../src/knowledge/mod.ts";
import { mapConcepts } from "../../src/okf/mod.ts";

import { sha256Hex } from "../../src/platform/hash.ts";
import { parseYaml, type WritableYaml, writeYaml } from "../../src/platform/yaml/mod.ts";
import { readConfiguration } from "../../src/projects/mod.ts";
import { ScratchProject } from "../support/scratch_project.ts";
import { damaged, damagedText, type Json, wellFormed } from "./edits.ts";
import {
  CANARY,
  type FuzzTarget,
  refusedCleanly,
  requireSilence,
  textsIn,
  withoutFindings,
} from "./fuzz.ts";
import { fromSchema, type Named, type Schema } from "./from_schema.ts";

const SCHEMAS = new URL("../../schemas/", import.meta.url);

function readSchema(name: string): { schema: Schema; resolve: (ref: string) => Schema } {
  const schema = JSON.parse(Deno.readTextFileSync(new URL(name, SCHEMAS))) as Schema;
  const resolve = (ref: string) =>
    ref.replace(/^#\//, "").split("/").reduce((at, key) => at[key] as Schema, schema);
  return { schema, resolve };
}

interface Scratch extends Disposable {
  readonly project: ScratchProject;
  /** Writes the files of one turn in place of the last one's. */
  put(files: Readonly<Record<string, string>>): void;
}

function openScratch(): Scratch {
  const parent = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "fuzz-" }));
  const project = new ScratchProject(parent, "demo", "repo");
  let written: string[] = [];
  return {
    project,
    put(files) {
      for (const path of written) Deno.removeSync(path);
      written = [];
      for (const [name, text] of Object.entries(files)) {
        const path = project.at(name);
        Deno.mkdirSync(dirname(path), { recursive: true });
        Deno.writeTextFileSync(path, text);
        written.push(path);
      }
    },
    [Symbol.dispose]: () => Deno.removeSync(parent, { recursive: true }),
  };
}

const BODY = "# Body\n\nSome text.\n";
const ulid = (n: number) => `01KFZZ0000000000000000000${n}`;
const ITEMS = fc.constantFrom("a.one", "a.two", "b.three", "a.one.four");

/** The first one nine times out of ten. */
function often(usual: string, ...others: readonly string[]): fc.Arbitrary<Json> {
  return fc.oneof({ weight: 9, arbitrary: fc.constant(usual) }, fc.constantFrom(...others));
}

/** Small pools, so that operations of a set meet one another. */
const POOLS: Named = {
  id: fc.nat(3).map(ulid),
  dependsOn: fc.oneof(
    { weight: 4, arbitrary: fc.constant<Json>(["01KFYY00000000000000000000"]) },
    fc.uniqueArray(fc.nat(3).map(ulid), { maxLength: 2 }),
  ),
  labels: fc.uniqueArray(fc.constantFrom("a", "b", "authored-in-theurian"), { maxLength: 2 }),
  lineStart: fc.constantFrom(1, 3),
  lineEnd: fc.constantFrom(3, 9),
  itemId: ITEMS,
  sourceItemId: ITEMS,
  targetItemId: ITEMS,
  revisionId: fc.nat(5).map(ulid),
  expectedRevision: fc.nat(5).map(ulid),
  contentFile: often("../knowledge/body.md", "../knowledge/none.md", "../../out.md"),
  contentSha256: often(sha256Hex(BODY), "0".repeat(64)),
  contentType: often("text/markdown", "application/json", "TEXT/x"),
  supersededBy: ITEMS,
  createdAt: fc.constantFrom("2026-03-01T09:00:00+01:00", "2026-03-02T00:00:00Z"),
  alias: fc.constantFrom("a.alias", "a.one"),
};

/** A migration that holds, before those that may not: the items they speak of. */
const GROUND: Readonly<Record<string, string>> = {
  ".theurian/migrations/01KFYY00000000000000000000-ground.yaml": JSON.stringify({
    apiVersion: "theurian.dev/v1",
    id: "01KFYY00000000000000000000",
    createdAt: "2026-02-01T00:00:00Z",
    author: "ada@example.org",
    operations: ["a.one", "a.two", "b.three"].map((itemId) => ({
      op: "createItem",
      itemId,
      kind: "domain",
      namespace: "a",
      owner: "ada",
    })),
  }),
};

/** Loads, replays and applies a set, or names what is wrong; validating promises applying. */
const migrations: FuzzTarget = {
  name: "migrations",
  open: () => {
    const scratch = openScratch();
    const { schema, resolve } = readSchema("migrations/knowledge-migration.schema.json");
    const whole = fromSchema(schema, resolve, POOLS);
    const text = fc.oneof(
      { weight: 8, arbitrary: whole.map(yamlOf) },
      { weight: 3, arbitrary: damaged(whole, 2).map(yamlOf) },
      { weight: 1, arbitrary: damagedText(whole.map(yamlOf), ["\t", "&a", "!!x ", "- "], 2) },
    );
    const texts = fc.array(text, { minLength: 1, maxLength: 3 });
    Deno.mkdirSync(scratch.project.at(".theurian/knowledge"), { recursive: true });
    Deno.writeTextFileSync(scratch.project.at(".theurian/knowledge/body.md"), BODY);
    return {
      inputs: texts,
      check: async (files: readonly string[]) => {
        const { project, dataDirectory } = scratch.project;
        scratch.put({
          ...GROUND,
          ...Object.fromEntries(
            files.map((text, n) => [`.theurian/migrations/${nameOf(text, n)}`, text]),
          ),
        });
        const { set, faults } = inspectMigrationSet(project.paths);
        const status = migrationStatus(project, dataDirectory);
        requireSilence(textsIn([faults, status.faults ?? []]).map(withoutFindings));
        const valid = await refusedCleanly(() => validateMigrations(project, dataDirectory));
        assert.ok(set !== null || valid === null);
        const applied = await refusedCleanly(() => scratch.project.applyWithoutPurge());
        assert.equal(applied === null, valid === null, "validating and applying disagree");
        if (applied !== null) assert.equal(applied.stateHash, valid!.document.stateHash);
        if (applied === null) return;
        Deno.removeSync(project.paths.state, { recursive: true });
        Deno.removeSync(dataDirectory, { recursive: true });
      },
      [Symbol.asyncDispose]: () => Promise.resolve(scratch[Symbol.dispose]()),
    };
  },
};

function yamlOf(document: Json): string {
  return writeYaml(wellFormed(document) as WritableYaml);
}

/** A name that fits the document's id where it has one. */
function nameOf(text: string, n: number): string {
  const id = /^id: "?([0-9A-Z]{26})"?$/m.exec(text)?.[1] ?? ulid(n);
  return `${id}-${n}.yaml`;
}

/** Takes a configuration or says which key is wrong. */
const configuration: FuzzTarget = {
  name: "configuration",
  open: () => {
    const scratch = openScratch();
    const { schema, resolve } = readSchema("config/config.schema.json");
    const named: Named = {
      repositories: fc.array(fc.constantFrom<Json>("acme/widgets", "a/b", "../x"), {
        maxLength: 3,
      }),
      projectId: fc.constantFrom<Json>("demo", CANARY),
    };
    const trees = damaged(fromSchema(schema, resolve, named), 4);
    return {
      inputs: damagedText(
        trees.map((tree) => writeYaml(wellFormed(tree) as WritableYaml)),
        ["\t", ": ", "- ", "~", "off", "&a", "{}", "[]", "# "],
        2,
      ),
      check: async (text: string) => {
        scratch.put({ ".theurian/config.yaml": text });
        await refusedCleanly(() => readConfiguration(scratch.project.project.paths));
        const parsed = await refusedCleanly(() =>
          parseYaml(new TextEncoder().encode(text), "config.yaml", { allowEmpty: true }).value
        );
        // A key that is not allowed is named.
        if (parsed === null || hasKey(parsed, CANARY)) return;
        requireSilence(textsIn(configurationSchemaFaults(parsed)).map(withoutFindings));
      },
      [Symbol.asyncDispose]: () => Promise.resolve(scratch[Symbol.dispose]()),
    };
  },
};

/** True when a key somewhere in the value holds the text. */
function hasKey(value: unknown, text: string): boolean {
  return typeof value === "object" && value !== null &&
    Object.entries(value).some(([key, inner]) => key.includes(text) || hasKey(inner, text));
}

const CONCEPT = {
  type: "decision",
  title: CANARY,
  status: "approved",
  description: CANARY,
  labels: ["a", "b"],
  sources: [{ uri: "https://example.org/x" }, "git://a"],
  sensitivity: "internal",
  theurian: { itemId: "a.one", contentType: "text/markdown", exportVersion: 1, bodyFile: "a.json" },
};
const CONCEPT_PIECES = [
  "---\n",
  "\n## Relations\n\n- [a](b.md)\n",
  "[x](../../y.md)",
  "&a",
  "*a",
  "!!x ",
];

/** Maps the concepts of a foreign bundle or says why one cannot be taken. */
const bundles: FuzzTarget = {
  name: "bundles",
  open: () => {
    const scratch = openScratch();
    const concept = damagedText(
      damaged(fc.constant(CONCEPT), 3).map((front) =>
        `---\n${writeYaml(wellFormed(front) as WritableYaml)}---\n\n# Title\n\n${CANARY}\n`
      ),
      CONCEPT_PIECES,
      3,
    );
    const name = fc.constantFrom(
      "a.md",
      "b.md",
      "a/one.md",
      "a/b/c.md",
      "x y.md",
      "é.md",
      "index.md",
    );
    return {
      inputs: fc.dictionary(name, concept, { minKeys: 1, maxKeys: 3 }),
      check: async (files: Readonly<Record<string, string>>) => {
        const root = scratch.project.at("bundle");
        scratch.put(Object.fromEntries(
          Object.entries({ ...files, "a.json": "{}" }).map((
            [path, text],
          ) => [`bundle/${path}`, text]),
        ));
        const mapped = await refusedCleanly(() => mapConcepts(root, []));
        for (const refusal of mapped?.refusals ?? []) {
          assert.ok(JSON.stringify(refusal).length < 2000);
        }
      },
      [Symbol.asyncDispose]: () => Promise.resolve(scratch[Symbol.dispose]()),
    };
  },
};

/** All of them. */
export const PROJECT_TARGETS: readonly FuzzTarget[] = [migrations, configuration, bundles];
