import assert from "node:assert/strict";
import { compileSchemas, VALIDATORS_FILE } from "../../scripts/compile_schemas.ts";
import { configurationSchemaFaults, migrationSchemaFaults } from "./migration_schema.ts";
import { OPERATION_NAMES } from "./migration.ts";
import {
  KINDS,
  RELATION_TYPES,
  SENSITIVITIES,
  SPECIFICATION_STATUSES,
  STATUSES,
  TRUST_LEVELS,
} from "./model.ts";

const read = (path: string) =>
  JSON.parse(Deno.readTextFileSync(new URL(`../../schemas/${path}`, import.meta.url)));

Deno.test("the compiled checks are those of the published schemas", () => {
  const current = Deno.readTextFileSync(VALIDATORS_FILE) === compileSchemas();
  assert.ok(current, "run: deno run -A scripts/compile_schemas.ts");
});

Deno.test("the vocabularies of the schema are those of the model", () => {
  const { $defs } = read("migrations/knowledge-migration.schema.json");
  assert.deepEqual($defs.kind.enum, KINDS);
  assert.deepEqual($defs.status.enum, STATUSES);
  assert.deepEqual($defs.trustLevel.enum, TRUST_LEVELS);
  assert.deepEqual($defs.sensitivity.enum, SENSITIVITIES);
  assert.deepEqual($defs.relationType.enum, RELATION_TYPES);
  const { status } = $defs.registerSpecification.properties;
  assert.deepEqual(status.enum, SPECIFICATION_STATUSES);
  const branches = $defs.operation.oneOf.map(({ $ref }: { $ref: string }) =>
    $ref.split("/").at(-1)
  );
  assert.deepEqual(branches, OPERATION_NAMES);
  for (const name of OPERATION_NAMES) assert.equal($defs[name].properties.op.const, name);
});

Deno.test("every object of the published schemas is closed", () => {
  const open: string[] = [];
  const walk = (value: unknown, at: string): void => {
    if (typeof value !== "object" || value === null) return;
    const schema = value as Record<string, unknown>;
    if (schema["properties"] !== undefined && schema["additionalProperties"] !== false) {
      open.push(at);
    }
    for (const [key, child] of Object.entries(schema)) walk(child, `${at}/${key}`);
  };
  walk(read("migrations/knowledge-migration.schema.json"), "migration");
  walk(read("config/config.schema.json"), "config");
  assert.deepEqual(open, []);
});

const ID = "01K1AAAA000000000000000001";
const document = (...operations: unknown[]) => ({
  apiVersion: "theurian.dev/v1",
  id: ID,
  createdAt: "2026-01-01T00:00:00Z",
  author: "ada",
  operations,
});

const rules = (value: unknown) =>
  migrationSchemaFaults(value).map(({ location, rule }) => `${location}: ${rule}`);

Deno.test("migrationSchemaFaults() takes the smallest document", () => {
  assert.deepEqual(rules(document({ op: "removeAlias", alias: "a" })), []);
});

Deno.test("migrationSchemaFaults() says what is missing, unexpected or wrong, and where", () => {
  assert.deepEqual(rules({}), [
    `<root>: lacks "apiVersion", "id", "createdAt", "author", "operations"`,
  ]);
  assert.deepEqual(rules({ ...document({ op: "removeAlias", alias: "a" }), x: 1, "y\u0007": 2 }), [
    `<root>: has keys that are not allowed: "x", "y\\x07"`,
  ]);
  assert.deepEqual(rules([]), ["<root>: must be of type object (type); found a list of 0"]);
  assert.deepEqual(rules({ ...document(), operations: [] }), [
    "operations: must have at least 1 entries (minItems); found a list of 0",
  ]);
  assert.deepEqual(rules(document("x")), [
    `operations/0: must be of type object (type); found "x"`,
  ]);
});

Deno.test("migrationSchemaFaults() chooses the branch by op and reports the fault inside it", () => {
  assert.deepEqual(rules(document({ op: "eraseItem", itemId: "a" })), [
    `operations/0: "op" must be one of the 14 operations (discriminator); found "eraseItem"`,
  ]);
  assert.deepEqual(rules(document({ itemId: "a" })), [`operations/0: lacks "op"`]);
  assert.deepEqual(rules(document({ op: null })), [
    `operations/0: "op" must be one of the 14 operations (discriminator); found null`,
  ]);
  assert.deepEqual(
    rules(document(
      { op: "removeAlias", alias: "a" },
      { op: "changeSensitivity", itemId: "a", sensitivity: "secret" },
    )),
    [
      `operations/1: lacks "reason"`,
      `operations/1/sensitivity: must be one of public, internal, confidential, restricted (enum); found "secret"`,
    ],
  );
});

Deno.test("migrationSchemaFaults() cuts what it repeats and tells how long it was", () => {
  const [rule] = rules({
    ...document({ op: "removeAlias", alias: "a" }),
    author: "é".repeat(5000),
  });
  assert.match(
    rule!,
    /^author: must have at most 320 characters \(maxLength\); found "é{1000}… \(cut, 5000 characters\)"$/,
  );
  const many = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`k${i}`, i]));
  assert.ok(rules({ ...document({ op: "removeAlias", alias: "a" }), ...many })[0]!.length < 500);
});

Deno.test("migrationSchemaFaults() anchors every pattern: a trailing newline never matches", () => {
  for (const [key, value] of [["id", ID], ["dependsOn", [ID]]] as const) {
    const spoiled = typeof value === "string" ? `${value}\n` : [`${value[0]}\n`];
    const base = document({ op: "removeAlias", alias: "a" });
    assert.equal(rules({ ...base, [key]: value }).length, 0);
    assert.equal(rules({ ...base, [key]: spoiled }).length, 1, key);
  }
  assert.equal(rules(document({ op: "removeAlias", alias: "a\n" })).length, 1);
});

Deno.test("migrationSchemaFaults() counts code points and answers huge documents at once", () => {
  const base = document({ op: "removeAlias", alias: "a" });
  assert.deepEqual(rules({ ...base, author: "😀".repeat(320) }), []);
  assert.equal(rules({ ...base, author: "😀".repeat(321) }).length, 1);
  const started = performance.now();
  rules(document({ op: "removeAlias", alias: `${"a-".repeat(200_000)}!` }));
  rules({ ...base, dependsOn: Array.from({ length: 90_000 }, (_, i) => i) });
  assert.ok(performance.now() - started < 10_000);
});

Deno.test("configurationSchemaFaults() takes a full configuration and names what is not", () => {
  const config = {
    apiVersion: "theurian.dev/v1",
    projectId: "demo",
    providers: { review: { adapter: "github", repositories: ["acme/ledger"] } },
    security: { secretScan: "warn", maxSourceFileBytes: 1024 },
    traceabilityPolicy: { "bug-fix": { regressionTest: "required" } },
  };
  assert.deepEqual(configurationSchemaFaults(config), []);
  const locations = (value: unknown) => configurationSchemaFaults(value).map((f) => f.location);
  assert.deepEqual(locations({ ...config, security: { secretScan: false } }), [
    "security/secretScan",
  ]);
  assert.deepEqual(locations({ ...config, providers: { review: { repositories: ["../x"] } } }), [
    "providers/review/repositories/0",
  ]);
  assert.deepEqual(locations({ ...config, traceabilityPolicy: { typo: {} } }), [
    "traceabilityPolicy",
  ]);
});
