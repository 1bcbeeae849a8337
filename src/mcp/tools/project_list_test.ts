import assert from "node:assert/strict";
import { call, payloadOf, refusalText } from "../../../tests/support/tool_calls.ts";

async function inDataDirectory(
  registry: unknown,
  work: (dataDirectory: string) => Promise<void>,
): Promise<void> {
  const dataDirectory = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "project-list-" }));
  try {
    if (registry !== null) {
      const text = typeof registry === "string" ? registry : JSON.stringify(registry);
      Deno.writeTextFileSync(`${dataDirectory}/projects.json`, text);
    }
    await work(dataDirectory);
  } finally {
    Deno.removeSync(dataDirectory, { recursive: true });
  }
}

Deno.test("project.list of an absent registry has four keys and nothing in them", async () => {
  await inDataDirectory(null, async (dataDirectory) => {
    assert.deepEqual(payloadOf(await call({ dataDirectory }, "project.list", {})), {
      count: 0,
      projects: [],
      unreadable: [],
      remedy: null,
    });
  });
});

Deno.test("project.list publishes ids and roots whole, and sorts out what nothing can serve", async () => {
  const long = `/srv${"/directory".repeat(40)}`;
  const registry = {
    "zeta": { rootPath: "/no/such/dir" },
    "Not An Id": { rootPath: '/srv/we ird\n"x"' },
    "alpha": { rootPath: long },
    "number": { rootPath: 7 },
    "empty": { rootPath: "" },
    "relative": { rootPath: "a/b" },
    "self": { rootPath: "/proc/self/cwd" },
    "sneaky": { rootPath: "/x/../proc/1/root" },
    "nul": { rootPath: "/a\0b" },
    "list": [],
  };
  await inDataDirectory(registry, async (dataDirectory) => {
    const payload = payloadOf(await call({ dataDirectory }, "project.list", {}));
    assert.deepEqual(payload["projects"], [
      { projectId: "Not An Id", rootPath: '/srv/we ird\n"x"' },
      { projectId: "alpha", rootPath: long },
      { projectId: "zeta", rootPath: "/no/such/dir" },
    ]);
    assert.equal(payload["count"], 3);
    assert.deepEqual(
      payload["unreadable"],
      ["empty", "list", "nul", "number", "relative", "self", "sneaky"],
    );
    assert.match(String(payload["remedy"]), /theurian project unregister/);
    const named = { projectId: "relative" };
    const refused = refusalText(await call({ dataDirectory }, "knowledge.status", named));
    assert.match(refused, /relative.*theurian project unregister relative/);
    const gone = refusalText(
      await call({ dataDirectory }, "knowledge.status", { projectId: "zeta" }),
    );
    assert.match(gone, /no state is built/);
    assert.match(gone, /unregister -- zeta.*theurian migrate apply.*\/no\/such\/dir/);
  });
});

Deno.test("project.list refuses an unreadable registry and heals with it; capabilities do not need it", async () => {
  for (const text of ["{bad", "[]", "7"]) {
    await inDataDirectory(text, async (dataDirectory) => {
      const path = `${dataDirectory}/projects.json`;
      assert.match(refusalText(await call({ dataDirectory }, "project.list", {})), /registry/);
      const named = { projectId: "demo" };
      refusalText(await call({ dataDirectory }, "knowledge.status", named));
      payloadOf(await call({ dataDirectory }, "system.capabilities", {}));
      Deno.writeTextFileSync(path, "{}");
      payloadOf(await call({ dataDirectory }, "project.list", {}));
    });
  }
});

Deno.test("A project id too long for an id is reported by its length", async () => {
  await inDataDirectory({}, async (dataDirectory) => {
    const { resolveRegisteredProject } = await import("../../projects/mod.ts");
    assert.throws(
      () => resolveRegisteredProject(dataDirectory, "a".repeat(250)),
      /an id of 250 characters/,
    );
  });
});
