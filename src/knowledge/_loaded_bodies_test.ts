import assert from "node:assert/strict";
import { KnowledgeProject } from "../../tests/support/knowledge_project.ts";
import { isFault } from "../platform/errors.ts";
import { sha256Hex } from "../platform/hash.ts";
import { LoadedBodies } from "./_loaded_bodies.ts";
import { SourceReader } from "./_source_reader.ts";
import { loadMigrationSet } from "./load_migrations.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);

/** Two bodies of 13 bytes, of which `mostHeld` bytes are held. */
function loaded(at: KnowledgeProject, mostHeld: number): LoadedBodies {
  at.migration(1, [at.upsert("a.a", 1), at.upsert("a.b", 2)]);
  const [{ migration, outline, path }] = loadMigrationSet(at.project.paths)
    .migrations as [ReturnType<typeof loadMigrationSet>["migrations"][number]];
  const bodies = new LoadedBodies(new SourceReader(at.project.paths), mostHeld);
  for (const text of ["body 1 of a.a\n", "body 2 of a.b\n"]) {
    bodies.now(sha256Hex(text), bytesOf(text));
  }
  bodies.later(path, migration, outline.bodies);
  return bodies;
}

Deno.test("LoadedBodies gives every body, whether there was room for it or not", () => {
  for (const mostHeld of [0, 14, 27, 28, 100]) {
    using at = new KnowledgeProject();
    const bodies = loaded(at, mostHeld);
    for (const text of ["body 1 of a.a\n", "body 2 of a.b\n"]) {
      assert.deepEqual(bodies.get(sha256Hex(text)), bytesOf(text), String(mostHeld));
    }
    assert.equal(bodies.get(sha256Hex("unknown")), undefined);
  }
});

Deno.test("LoadedBodies refuses a body that was not held and has changed since, and only that", () => {
  using at = new KnowledgeProject();
  const bodies = loaded(at, 14);
  at.write(".theurian/knowledge/a.a-1.md", "changed\n");
  at.write(".theurian/knowledge/a.b-2.md", "changed\n");
  assert.deepEqual(bodies.get(sha256Hex("body 1 of a.a\n")), bytesOf("body 1 of a.a\n"));
  assert.throws(
    () => bodies.get(sha256Hex("body 2 of a.b\n")),
    (error) => isFault(error, "migration-invalid") && /changed just now/.test(error.message),
  );
});
