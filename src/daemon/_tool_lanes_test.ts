import assert from "node:assert/strict";
import { join } from "node:path";
import { toolThreads } from "./_tool_lanes.ts";
import type { Lanes } from "./_run_tool.ts";

const WORKER = new URL("./_testing/worker.ts", import.meta.url);

async function refusedIn(lanes: Lanes, lane: keyof Lanes, path: string): Promise<unknown> {
  const outcome = await lanes[lane].run({
    tool: "test.reach",
    step: "whole",
    input: { path },
    context: {
      dataDirectory: "/nowhere",
      grant: { tenantId: "local", sensitivities: ["public"] },
      toolNames: [],
    },
  });
  assert.ok(outcome.kind === "result");
  return JSON.parse(outcome.json).structuredContent.refused;
}

Deno.test("only the writer writes, only where registered projects keep proposals", async () => {
  const root = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "daemon-lanes-" }));
  try {
    const file = (project: string, folder: string) => {
      const directory = join(root, project, ".theurian", folder);
      Deno.mkdirSync(directory, { recursive: true });
      Deno.writeTextFileSync(join(directory, "file"), "text");
      return join(directory, "file");
    };
    const register = (...projects: string[]) =>
      Deno.writeTextFileSync(
        join(root, "projects.json"),
        JSON.stringify(
          Object.fromEntries(projects.map((name) => [name, { rootPath: join(root, name) }])),
        ),
      );
    const always = ["net", "run", "env", "sys"];
    const noWrite = [...always, "write"];
    register("one");
    using threads = toolThreads(WORKER, root);
    const { lanes } = threads;
    for (const folder of ["proposals", "proposals-local", "runtime"]) {
      assert.deepEqual(await refusedIn(lanes, "draft", file("one", folder)), always, folder);
      assert.deepEqual(await refusedIn(lanes, "read", file("one", folder)), noWrite, folder);
      assert.deepEqual(await refusedIn(lanes, "gated", file("one", folder)), noWrite, folder);
    }
    for (const folder of ["migrations", "knowledge", "state"]) {
      assert.deepEqual(await refusedIn(lanes, "draft", file("one", folder)), noWrite, folder);
    }
    assert.deepEqual(await refusedIn(lanes, "draft", file("two", "proposals")), noWrite);
    register("one", "two");
    assert.deepEqual(await refusedIn(lanes, "draft", file("two", "proposals")), always);
    register("two");
    assert.deepEqual(await refusedIn(lanes, "draft", file("one", "proposals")), noWrite);
    Deno.writeTextFileSync(join(root, "projects.json"), "{bad");
    assert.deepEqual(await refusedIn(lanes, "draft", file("two", "proposals")), noWrite);
  } finally {
    Deno.removeSync(root, { recursive: true });
  }
});
