import assert from "node:assert/strict";
import { join } from "node:path";
import { isFault } from "../platform/errors.ts";
import { registerProject, unregisterProject } from "./register.ts";
import { readRegistry, readRegistryEntry } from "./registry.ts";

const clock = { now: () => Date.UTC(2026, 7, 1) };

function folder(content?: string | Record<string, unknown>) {
  const path = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "theurian-registry-" }));
  const file = join(path, "projects.json");
  if (content !== undefined) {
    Deno.writeTextFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
  }
  return {
    path,
    file,
    stored: () => JSON.parse(Deno.readTextFileSync(file)),
    [Symbol.dispose]: () => Deno.removeSync(path, { recursive: true }),
  };
}

function registration(projectId: string, root: string) {
  return { projectId, root, repositoryUrl: "", defaultBranch: "main" };
}

Deno.test("readRegistry() takes an absent file for an empty registry", () => {
  using data = folder();
  const { entries, unreadable } = readRegistry(join(data.path, "nowhere"));
  assert.deepEqual([entries.size, unreadable.length], [0, 0]);
});

Deno.test("readRegistry() lists entries without a usable root apart, sorted", () => {
  using data = folder({
    zed: { rootPath: "." },
    relative: { rootPath: "a/b" },
    number: { rootPath: 7 },
    proc: { rootPath: "/proc/self/cwd" },
    dotted: { rootPath: "/x/../proc/1/root" },
    slashes: { rootPath: "//proc/self/cwd" },
    nul: { rootPath: "/a\u0000b" },
    long: { rootPath: `/${"x".repeat(5_000)}` },
    list: [],
    none: null,
    text: "x",
    empty: {},
    "Not An Id": { rootPath: "/somewhere" },
    procession: { rootPath: "/procession" },
    good: { rootPath: "/usr" },
  });
  const { entries, unreadable } = readRegistry(data.path);
  assert.deepEqual([...entries.keys()], ["Not An Id", "good", "procession"]);
  assert.deepEqual(unreadable, [
    ...["dotted", "empty", "list", "long", "none", "nul", "number", "proc", "relative"],
    ...["slashes", "text", "zed"],
  ]);
  for (const id of [...entries.keys(), ...unreadable, "no-such"]) {
    assert.deepEqual(readRegistryEntry(data.path, id), entries.get(id) ?? null, id);
  }
});

Deno.test("readRegistry() takes a root that leads in a circle, or to whoever asks, for unreadable", () => {
  using data = folder();
  Deno.symlinkSync("circle", join(data.path, "circle"));
  Deno.symlinkSync("/proc", join(data.path, "processes"));
  const entries = Object.fromEntries(
    ["circle", "processes"].map((name) => [name, { rootPath: join(data.path, name) }]),
  );
  Deno.writeTextFileSync(data.file, JSON.stringify(entries));
  const { unreadable } = readRegistry(data.path);
  assert.deepEqual(unreadable, Deno.build.os === "linux" ? ["circle", "processes"] : ["circle"]);
});

Deno.test("readRegistry() resolves links of a root", () => {
  using data = folder();
  Deno.mkdirSync(join(data.path, "real"));
  Deno.symlinkSync("real", join(data.path, "link"));
  Deno.writeTextFileSync(data.file, JSON.stringify({ a: { rootPath: join(data.path, "link") } }));
  assert.equal(readRegistry(data.path).entries.get("a")?.root, join(data.path, "real"));
  assert.equal(readRegistryEntry(data.path, "a")?.root, join(data.path, "real"));
});

Deno.test("readRegistry() refuses what is no JSON object, and says what deleting it loses", () => {
  for (const content of ["{bad", "[]", "", "1", "null", '"x"', "\ufeff{}"]) {
    using data = folder(content);
    assert.throws(() => readRegistry(data.path), (error) => {
      assert(isFault(error, "registry-unreadable"), content);
      assert.match(error.remedy, /^Inspect .*deleting it unregisters every project/);
      return error.exit === 1;
    });
  }
});

Deno.test("readRegistry() refuses a directory, a link and a pipe in its place without waiting", () => {
  using data = folder();
  const faults = (prepare: () => void) => {
    prepare();
    assert.throws(() => readRegistry(data.path), (error) => isFault(error, "registry-unreadable"));
    Deno.removeSync(data.file);
  };
  faults(() => Deno.mkdirSync(data.file));
  faults(() => Deno.symlinkSync("/etc/hostname", data.file));
  faults(() => new Deno.Command("mkfifo", { args: [data.file] }).outputSync());
});

Deno.test("registerProject() writes a private file, sorted, with a final line feed", async () => {
  using data = folder();
  assert.equal(await registerProject(data.path, registration("b", "/b"), clock), true);
  assert.equal(await registerProject(data.path, registration("a", "/a"), clock), true);
  assert.equal(
    Deno.readTextFileSync(data.file),
    `{
  "a": {
    "defaultBranch": "main",
    "knowledgeDirectory": ".theurian",
    "registeredAt": "2026-08-01T00:00:00.000000+00:00",
    "repositoryUrl": "",
    "rootPath": "/a"
  },
  "b": {
    "defaultBranch": "main",
    "knowledgeDirectory": ".theurian",
    "registeredAt": "2026-08-01T00:00:00.000000+00:00",
    "repositoryUrl": "",
    "rootPath": "/b"
  }
}
`,
  );
  assert.equal(Deno.statSync(data.file).mode! & 0o777, 0o600);
});

Deno.test("registerProject() writes nothing for an identical entry and keeps when it was made", async () => {
  using data = folder();
  await registerProject(data.path, registration("a", "/a"), clock);
  const before = Deno.statSync(data.file);
  const later = { now: () => Date.UTC(2030, 0, 1) };
  assert.equal(await registerProject(data.path, registration("a", "/a"), later), false);
  assert.equal(Deno.statSync(data.file).ino, before.ino);
  const moved = { ...registration("a", "/a"), defaultBranch: "trunk" };
  assert.equal(await registerProject(data.path, moved, later), true);
  assert.equal(data.stored().a.registeredAt, "2026-08-01T00:00:00.000000+00:00");
});

Deno.test("registerProject() never moves an id or a root silently", async () => {
  using data = folder();
  await registerProject(data.path, registration("a", "/a"), clock);
  for (const [id, root] of [["a", "/other"], ["b", "/a"]] as const) {
    await assert.rejects(registerProject(data.path, registration(id, root), clock), (error) => {
      return isFault(error, "project-conflict") && error.exit === 1 &&
        error.remedy.includes("theurian project");
    });
  }
});

Deno.test("registerProject() refuses while any entry names no usable root", async () => {
  using data = folder({ "broken one": { rootPath: "." } });
  await assert.rejects(registerProject(data.path, registration("a", "/a"), clock), (error) => {
    return isFault(error, "registry-ambiguous") &&
      error.remedy.includes("theurian project unregister -- 'broken one'");
  });
});

Deno.test("unregisterProject() removes any key and preserves every other entry as it is", async () => {
  using data = folder({
    "Team One/API": { rootPath: "/x", extra: [1] },
    broken: 7,
    __proto__: null,
    keep: { rootPath: "/k", more: { deep: true } },
  });
  assert.equal(await unregisterProject(data.path, "Team One/API"), true);
  assert.equal(await unregisterProject(data.path, "absent"), false);
  assert.deepEqual(data.stored(), { broken: 7, keep: { rootPath: "/k", more: { deep: true } } });
  assert.equal(await unregisterProject(data.path, "broken"), true);
});

Deno.test("unregisterProject() creates no data directory", async () => {
  using data = folder();
  const none = join(data.path, "none");
  assert.equal(await unregisterProject(none, "x"), false);
  assert.throws(() => Deno.statSync(none), Deno.errors.NotFound);
});

Deno.test("registerProject() loses nothing when many register at once", async () => {
  using data = folder();
  await Promise.all(
    Array.from(
      { length: 20 },
      (_, i) => registerProject(data.path, registration(`p${i}`, `/p${i}`), clock),
    ),
  );
  assert.equal(Object.keys(data.stored()).length, 20);
});
