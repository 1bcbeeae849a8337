import assert from "node:assert/strict";
import fc from "fast-check";
import type { Migration, Operation } from "./migration.ts";
import { applyStatuses, outlineOf } from "./migration_outline.ts";
import type { Status } from "./model.ts";

const item = fc.constantFrom("a", "b.c", "d-1");
/** Operations with what the outline looks at; nothing else of them is read. */
const operation = fc.oneof(
  fc.record({ op: fc.constantFrom("createItem", "deprecateItem", "restoreItem"), itemId: item }),
  fc.record({ op: fc.constant("changeOwner"), itemId: item, owner: fc.constant("x") }),
  fc.record({ op: fc.constantFrom("addAlias", "removeAlias"), alias: item, itemId: item }),
  fc.record({
    op: fc.constant("upsertRevision"),
    itemId: item,
    revisionId: fc.string(),
    contentFile: fc.string(),
    contentSha256: fc.string(),
    metadata: fc.record({
      status: fc.constantFrom("approved", "draft"),
      tenantId: fc.constantFrom("local", "local", "other"),
      aclGroup: fc.constant("default"),
    }),
  }),
) as unknown as fc.Arbitrary<Operation>;

/** The rule itself, an operation at a time. */
function statusesOf(operations: readonly Operation[]): Map<string, Status> {
  const statuses = new Map<string, Status>();
  for (const one of operations) {
    if (one.op === "createItem" && !statuses.has(one.itemId)) statuses.set(one.itemId, "draft");
    if (one.op === "upsertRevision") statuses.set(one.itemId, one.metadata.status);
    if (one.op === "deprecateItem") statuses.set(one.itemId, "deprecated");
    if (one.op === "restoreItem") statuses.set(one.itemId, "approved");
  }
  return statuses;
}

Deno.test("outlines tell the statuses, aliases, bodies and scopes that their migrations tell", () => {
  fc.assert(
    fc.property(fc.array(fc.array(operation, { maxLength: 6 }), { maxLength: 5 }), (history) => {
      const statuses = new Map<string, Status>();
      for (const [n, operations] of history.entries()) {
        const outline = outlineOf(
          { id: `m${n}`, dependsOn: [], operations } as unknown as Migration,
        );
        applyStatuses(statuses, outline);
        assert.deepEqual(
          outline.aliases,
          operations.flatMap((one) =>
            one.op === "addAlias" || one.op === "removeAlias"
              ? [[one.alias, one.op === "addAlias"]]
              : []
          ),
        );
        const upserts = operations.filter((one) => one.op === "upsertRevision");
        assert.deepEqual(outline.bodies, {
          files: upserts.map((one) => one.contentFile),
          hashes: upserts.map((one) => one.contentSha256),
          revisionIds: upserts.map((one) => one.revisionId),
        });
        assert.equal(
          outline.hasForeignScope,
          upserts.some(({ metadata }) => metadata.tenantId !== "local"),
        );
      }
      assert.deepEqual(statuses, statusesOf(history.flat()));
    }),
    { numRuns: 500 },
  );
});
