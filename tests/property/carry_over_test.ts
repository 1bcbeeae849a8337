/**
 * A state that was built on another one equals a full replay, row for row, whatever was carried over
 * (corpus-and-migrations.md 15.3, decision 11).
 *
 * @module
 */

import assert from "node:assert/strict";
import fc from "fast-check";
import { type ApplyReport, stateFilename } from "../../src/knowledge/mod.ts";
import { isFault } from "../../src/platform/errors.ts";
import { openForReading } from "../../src/platform/sqlite/mod.ts";
import {
  KnowledgeProject,
  type Loose,
  migrationId,
  revisionId,
} from "../support/knowledge_project.ts";

const ITEMS = ["a", "b", "c", "d"];
const SENSITIVITIES = ["public", "internal", "confidential", "restricted"];
const STATUSES = ["draft", "proposed", "approved", "deprecated", "superseded", "rejected"];

/** One operation as numbers; the project turns it into what a file says. */
interface Step {
  readonly kind: number;
  readonly item: number;
  readonly other: number;
  readonly word: number;
}

interface History {
  readonly migrations: readonly { readonly steps: readonly Step[]; readonly needs: number }[];
  /** Order in which the files appear. */
  readonly arrival: readonly number[];
}

const step = fc.record({
  kind: fc.nat(11),
  item: fc.nat(ITEMS.length - 1),
  other: fc.nat(ITEMS.length - 1),
  word: fc.nat(23),
});

const history: fc.Arbitrary<History> = fc.array(
  fc.record({ steps: fc.array(step, { minLength: 1, maxLength: 3 }), needs: fc.nat(12) }),
  { minLength: 2, maxLength: 7 },
).chain((migrations) =>
  fc.shuffledSubarray(migrations.map((_, i) => i), { minLength: migrations.length })
    .map((arrival) => ({ migrations, arrival }))
);

function operation(at: KnowledgeProject, n: number, index: number, step: Step): Loose {
  const itemId = ITEMS[step.item]!;
  const other = ITEMS[step.other]!;
  const fresh = 100 + n * 10 + index;
  const word = { status: STATUSES[step.word % 6], sensitivity: SENSITIVITIES[step.word % 4] };
  switch (step.kind) {
    case 0:
      return at.upsert(`new-${fresh}`, fresh, word);
    case 1: {
      const declared = 1 + step.item;
      return at.upsert(itemId, declared, word, { expectedRevision: revisionId(declared) });
    }
    case 2:
      return at.upsert(itemId, fresh, word, { expectedRevision: revisionId(1 + step.item) });
    case 3:
      return { op: "deprecateItem", itemId, ...(other === itemId ? {} : { supersededBy: other }) };
    case 4:
      return { op: "restoreItem", itemId };
    case 5:
      return { op: "changeSensitivity", itemId, sensitivity: word.sensitivity, reason: "r" };
    case 6:
      return { op: "changeOwner", itemId, owner: `owner ${step.word}` };
    case 7:
    case 8: {
      const edge = { sourceItemId: itemId, relationType: "related_to", targetItemId: `${other}x` };
      return step.kind === 7
        ? { op: "addRelation", ...edge, note: String(fresh) }
        : { op: "removeRelation", ...edge };
    }
    case 9: {
      const sourceUri = `u\0${step.word % 2}`;
      return step.word % 3 === 0 ? { op: "removeEvidence", itemId, sourceUri } : {
        op: "addEvidence",
        itemId,
        anchor: { provider: "git", sourceUri },
        description: `d ${fresh}`,
      };
    }
    case 10:
      return step.word % 3 === 0
        ? { op: "supersedeSpecification", specId: `s-${other}`, supersededBy: "t" }
        : {
          op: "registerSpecification",
          specId: `s-${other}`,
          itemId,
          sourceUri: String(fresh),
          format: "a/b",
        };
    default:
      return step.word % 3 === 0
        ? { op: "removeAlias", alias: `old-${other}` }
        : { op: "addAlias", alias: `old-${other}`, itemId };
  }
}

/** Writes the file of one migration of the history; number 1 makes the items. */
function writeMigration(at: KnowledgeProject, { migrations }: History, i: number): void {
  const n = i + 2;
  const { steps, needs } = migrations[i]!;
  const dependsOn = [migrationId(1)];
  if (needs < i) dependsOn.push(migrationId(needs + 2));
  at.migration(n, steps.map((one, index) => operation(at, n, index, one)), {
    dependsOn,
    createdAt: `2026-01-01T00:00:${String(n).padStart(2, "0")}Z`,
  });
}

function writeFirst(at: KnowledgeProject): void {
  at.migration(1, ITEMS.map((itemId, i) => at.upsert(itemId, 1 + i)));
}

const TABLES = [
  "SELECT item_id, status, sensitivity, revision_id, facts, trace FROM items ORDER BY item_id",
  "SELECT * FROM revisions ORDER BY revision_id",
  "SELECT * FROM bodies ORDER BY content_sha256",
  "SELECT * FROM relations ORDER BY source_item_id, relation_type, target_item_id",
  "SELECT * FROM aliases ORDER BY alias",
  "SELECT * FROM evidence ORDER BY item_id, source",
  "SELECT * FROM specifications ORDER BY spec_id",
  "SELECT sequence, migration_id, checksum FROM history ORDER BY sequence",
  "SELECT stamp, schema_version, engine_version, state_hash, project_id, surfaceable FROM meta",
];

function rowsOf(at: KnowledgeProject, stateHash: string): unknown {
  using connection = openForReading(at.path(`.theurian/state/${stateFilename(stateHash)}`));
  return TABLES.map((sql) => connection.all(sql));
}

type Answer = { readonly report: ApplyReport } | { readonly refused: string };

async function applied(at: KnowledgeProject): Promise<Answer> {
  try {
    return { report: await at.apply() };
  } catch (error) {
    if (!isFault(error)) throw error;
    return { refused: error.message };
  }
}

Deno.test("a carried-over state equals a full replay over random histories", async () => {
  const seen = { prefix: 0, inserted: 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(history, async (drawn) => {
      using grown = new KnowledgeProject();
      writeFirst(grown);
      await grown.apply();
      const present = new Set<number>();
      const add = (i: number): void => {
        if (present.has(i)) return;
        const { needs } = drawn.migrations[i]!;
        if (needs < i) add(needs);
        present.add(i);
        writeMigration(grown, drawn, i);
      };
      for (const i of drawn.arrival) {
        if (present.has(i)) continue;
        add(i);
        using whole = new KnowledgeProject();
        writeFirst(whole);
        for (const j of present) writeMigration(whole, drawn, j);
        const [one, other] = [await applied(grown), await applied(whole)];
        if ("refused" in one || "refused" in other) {
          assert.deepEqual(one, other);
          seen.refused++;
          return;
        }
        compare(one.report, other.report);
        const { stateHash, applied: fresh, skipped } = one.report;
        assert.deepEqual(rowsOf(grown, stateHash), rowsOf(whole, stateHash));
        if (skipped.length === 0) continue;
        if (fresh.every((id, k) => other.report.applied[skipped.length + k] === id)) {
          seen.prefix++;
        } else seen.inserted++;
      }
    }),
    { numRuns: 30, seed: 20260101 },
  );
  for (const [way, count] of Object.entries(seen)) assert.ok(count >= 2, `${way}: ${count}`);
});

/** What the incremental run reports is the full replay's report, cut to what it applied. */
function compare(one: ApplyReport, whole: ApplyReport): void {
  assert.equal(one.stateHash, whole.stateHash);
  const fresh = new Set(one.applied);
  assert.deepEqual([...one.skipped, ...one.applied].sort(), [...whole.applied].sort());
  assert.deepEqual(one.applied, whole.applied.filter((id) => fresh.has(id)));
  assert.deepEqual(
    one.permissiveMoves,
    whole.permissiveMoves.filter((move) => fresh.has(move.migrationId)),
  );
}
