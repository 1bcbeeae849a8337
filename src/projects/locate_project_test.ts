import assert from "node:assert/strict";
import { join } from "node:path";
import { isFault } from "../platform/errors.ts";
import { temporaryRepository } from "../../tests/support/temporary_repository.ts";
import { locateProject } from "./locate_project.ts";
import { resolveRegisteredProject } from "./resolve_registered.ts";

function registry(dataDirectory: string, content: unknown): void {
  Deno.mkdirSync(dataDirectory, { recursive: true });
  Deno.writeTextFileSync(join(dataDirectory, "projects.json"), JSON.stringify(content));
}

Deno.test("locateProject() derives the id of a root that nobody registered", async () => {
  using repository = temporaryRepository("My App");
  Deno.mkdirSync(join(repository.root, "src"));
  const project = await locateProject(join(repository.root, "src"), repository.dataDirectory);
  assert.deepEqual([project.projectId, project.root], ["my-app", repository.root]);
});

Deno.test("locateProject() finds the registered id by the resolved root", async () => {
  using repository = temporaryRepository();
  Deno.symlinkSync(repository.root, join(repository.folder, "link"));
  registry(repository.dataDirectory, { other: { rootPath: join(repository.folder, "link") } });
  const project = await locateProject(repository.root, repository.dataDirectory);
  assert.equal(project.projectId, "other");
});

Deno.test("locateProject() keeps two worktrees apart", async () => {
  using repository = temporaryRepository();
  const second = join(repository.folder, "second");
  repository.git("worktree", "add", "-q", second, "-b", "side");
  registry(repository.dataDirectory, { demo: { rootPath: repository.root } });
  assert.equal((await locateProject(second, repository.dataDirectory)).projectId, "second");
});

Deno.test("locateProject() takes an explicit id without asking the registry", async () => {
  using repository = temporaryRepository();
  registry(repository.dataDirectory, { broken: 1 });
  const options = { projectId: "named" };
  const project = await locateProject(repository.root, repository.dataDirectory, options);
  assert.equal(project.projectId, "named");
  for (const projectId of ["No Id", "-x"]) {
    await assert.rejects(
      locateProject(repository.root, repository.dataDirectory, { projectId }),
      (error) => isFault(error, "project-unknown") && !error.message.includes(projectId),
    );
  }
});

Deno.test("locateProject() refuses for every root while an entry names none", async () => {
  using repository = temporaryRepository();
  registry(repository.dataDirectory, {
    demo: { rootPath: repository.root },
    "it's": { rootPath: "." },
  });
  await assert.rejects(locateProject(repository.root, repository.dataDirectory), (error) => {
    return isFault(error, "registry-ambiguous") && error.exit === 1 &&
      error.remedy.includes(`theurian project unregister -- 'it'\\''s'`);
  });
});

Deno.test("locateProject() refuses two ids, and an id that is none, for this root only", async () => {
  using repository = temporaryRepository();
  using elsewhere = temporaryRepository("elsewhere");
  for (const ids of [["a", "b"], ["Bad Id"]]) {
    const content = Object.fromEntries(ids.map((id) => [id, { rootPath: repository.root }]));
    registry(repository.dataDirectory, content);
    await assert.rejects(
      locateProject(repository.root, repository.dataDirectory),
      (error) => isFault(error, "registry-ambiguous"),
    );
    const other = await locateProject(elsewhere.root, repository.dataDirectory);
    assert.equal(other.projectId, "elsewhere");
  }
});

Deno.test("locateProject() refuses a directory outside Git", async () => {
  using repository = temporaryRepository();
  await assert.rejects(locateProject(repository.folder, repository.dataDirectory), (error) => {
    return isFault(error, "not-a-repository") && error.exit === 1;
  });
});

Deno.test("resolveRegisteredProject() answers a registered id and nothing else", () => {
  using repository = temporaryRepository();
  registry(repository.dataDirectory, {
    demo: { rootPath: repository.root },
    "Not An Id": { rootPath: repository.root },
    broken: { rootPath: "." },
  });
  const { dataDirectory } = repository;
  assert.equal(resolveRegisteredProject(dataDirectory, "demo").root, repository.root);
  const refusal = (id: string): string => {
    try {
      resolveRegisteredProject(dataDirectory, id);
    } catch (error) {
      assert(isFault(error, "project-unknown"));
      assert.equal(error.wireCode, "PROJECT_NOT_REGISTERED");
      return `${error.message} ${error.remedy}`;
    }
    return assert.fail("it was resolved");
  };
  for (const part of ["nope", "demo", "broken", "theurian project register"]) {
    assert(refusal("nope").includes(part), part);
  }
  assert.match(refusal("Not An Id"), /is not registered/);
  assert.match(refusal("broken"), /theurian project unregister broken/);
  assert.match(refusal("x".repeat(201)), /an id of 201 characters/);
  assert(!refusal("a\u001b[2J").includes("\u001b"));
});

Deno.test("resolveRegisteredProject() refuses a project whose directory was led away", () => {
  using repository = temporaryRepository();
  registry(repository.dataDirectory, { demo: { rootPath: repository.root } });
  Deno.symlinkSync("/tmp", join(repository.root, ".theurian"));
  assert.throws(
    () => resolveRegisteredProject(repository.dataDirectory, "demo"),
    (error) => isFault(error, "path-escape"),
  );
});

Deno.test("resolveRegisteredProject() takes a root that is gone for an unbuilt state, no escape", () => {
  using repository = temporaryRepository();
  registry(repository.dataDirectory, { demo: { rootPath: join(repository.folder, "gone") } });
  assert.throws(
    () => resolveRegisteredProject(repository.dataDirectory, "demo"),
    (error) => isFault(error, "state-unbuilt") && /it moved/.test(error.remedy),
  );
});
