import assert from "node:assert/strict";
import { indexContent } from "../../tests/support/index_content.ts";
import { inScratchProject } from "../../tests/support/scratch_project.ts";
import { writeBuildingFile } from "./_building_file.ts";
import { fillBuild } from "./_fill_build.ts";
import { admittedItems, planChanges } from "./_plan_changes.ts";

const LONG = "Some words that fill a passage. ".repeat(10);

Deno.test("fillBuild() gives the same file however many words it holds at once", async () => {
  await inScratchProject(async (scratch) => {
    scratch.add(Object.fromEntries(
      Array.from({ length: 10 }, (_, n) => [`a.n${n}`, { body: `word${n % 3} ${LONG}` }]),
    ));
    await scratch.apply();
    using reader = scratch.reader();
    const sensitivities = ["public", "internal"] as const;
    const plan = planChanges(null, reader, admittedItems(false, sensitivities));
    const contents = [1, 300, 3000, undefined].map((mostPostings) => {
      const path = scratch.state(`${mostPostings}.building`);
      writeBuildingFile(path, null, (connection) => {
        fillBuild(connection, reader, plan, {
          parts: { vectors: true, forest: true, secrets: true },
          facts: {
            buildId: "id",
            stateHash: reader.stateHash,
            projectId: "demo",
            builtAt: "now",
            indexesUnapproved: false,
            sensitivities,
            embeddingModel: "m",
            raptor: true,
            scanned: true,
            history: { count: 0, sha256: "" },
            purged: [],
          },
          mostPostings,
        });
      });
      return indexContent(path);
    });
    for (const content of contents) assert.deepEqual(content, contents[0]);
    assert.equal((contents[0]!["documents"] as unknown[]).length, 10);
  });
});
