import assert from "node:assert/strict";
import { join } from "node:path";
import { setWritePointHook } from "../platform/files/_write_points.ts";
import { inScratchProject, type ScratchProject } from "../../tests/support/scratch_project.ts";
import { draft, refusal, tree } from "../../tests/support/proposals.ts";

/** What was written during `work`, as `step name`, without the random names of temporaries. */
async function writes(scratch: ScratchProject, work: () => Promise<unknown>): Promise<string[]> {
  const seen: string[] = [];
  setWritePointHook((step, path) => {
    seen.push(`${step} ${path.replace(`${scratch.root}/`, "")}`);
  });
  try {
    await work();
  } finally {
    setWritePointHook(null);
  }
  return seen;
}

Deno.test("a draft is built out of sight, the migration last, and appears by one rename", () =>
  inScratchProject(async (scratch) => {
    let id = "";
    const seen = await writes(scratch, async () => id = (await draft(scratch)).proposalId);
    const created = seen.filter((step) => /^create .*draft-/.test(step))
      .map((step) => step.replace(/[0-9A-HJKMNP-TV-Z]{26}/g, "ID"));
    assert.deepEqual(created, [
      "create .theurian/runtime/draft-ID/knowledge/domain/foo.ID.md",
      "create .theurian/runtime/draft-ID/evidence.json",
      "create .theurian/runtime/draft-ID/ID-foo.yaml",
    ]);
    const renamed = seen.indexOf(`rename .theurian/proposals/${id}`);
    const flushed = seen.slice(0, renamed).filter((step) => step.startsWith("flush "));
    assert.equal(flushed.length, 3);
    assert.ok(seen.indexOf(flushed[0]!) > seen.findLastIndex((step) => step.startsWith("create ")));
    assert.ok(seen.slice(renamed).includes("flush-directory .theurian/proposals"));
    const before = seen.slice(0, renamed);
    assert.ok(before.every((step) => !step.includes(`.theurian/proposals/${id}`)));
  }));

Deno.test("a draft's files have the modes that the umask leaves of 0666 and 0777", () =>
  inScratchProject(async (scratch) => {
    const made = await draft(scratch);
    const mode = (path: string) => Deno.statSync(scratch.at(path)).mode! & 0o777;
    const mask = Deno.umask();
    for (const file of [made.bodyFile, made.evidenceFile]) assert.equal(mode(file), 0o666 & ~mask);
    assert.equal(mode(made.proposalDirectory), 0o777 & ~mask);
  }));

Deno.test("a draft writes through no link in place of its folder, even one inside the repository", () =>
  inScratchProject(async (scratch) => {
    for (const [name, local] of [["proposals", false], ["proposals-local", true]] as const) {
      for (const target of ["migrations", "knowledge", "nowhere"]) {
        Deno.symlinkSync(target, scratch.at(`.theurian/${name}`));
        const { message } = await refusal(4, () => draft(scratch, { local }));
        assert.match(message, /symbolic link/);
        Deno.removeSync(scratch.at(`.theurian/${name}`));
      }
      assert.deepEqual(tree(scratch.at(".theurian/migrations")), {});
      assert.deepEqual(tree(scratch.at(".theurian/knowledge")), {});
    }
  }));

Deno.test("a local draft refuses an ignore file that it must not touch, and leaves it as it is", () =>
  inScratchProject(async (scratch) => {
    const start = "# >>> theurian >>>\n";
    for (const text of [start, `${start}# <<< theurian <<<\n${start}# <<< theurian <<<\n`]) {
      Deno.writeTextFileSync(scratch.at(".gitignore"), text);
      await refusal(2, () => draft(scratch, { local: true }));
      assert.equal(Deno.readTextFileSync(scratch.at(".gitignore")), text);
    }
    Deno.removeSync(scratch.at(".gitignore"));
    Deno.mkdirSync(scratch.at(".gitignore"));
    await refusal(2, () => draft(scratch, { local: true }));
    assert.deepEqual(tree(scratch.at(".theurian/proposals-local")), {});
    assert.deepEqual(Object.keys(tree(scratch.at(".theurian/runtime"))), ["write.lock"]);
  }));

Deno.test("a draft works in a repository that was never initialised", () =>
  inScratchProject(async (scratch) => {
    Deno.removeSync(scratch.at(".theurian"), { recursive: true });
    const made = await draft(scratch);
    assert.equal(Object.keys(tree(scratch.at(made.proposalDirectory))).length, 3);
    assert.deepEqual([...Deno.readDirSync(scratch.at(".theurian"))].map((e) => e.name).sort(), [
      "proposals",
      "runtime",
    ]);
  }));

Deno.test("a draft that finds no room says what to do and leaves nothing", () =>
  inScratchProject(async (scratch) => {
    Deno.mkdirSync(scratch.at(".theurian/proposals"));
    Deno.chmodSync(scratch.at(".theurian/proposals"), 0o555);
    setWritePointHook((step, path) => {
      if (step === "rename" && path.includes(join(".theurian", "proposals"))) {
        throw Object.assign(new Error("read-only"), { code: "EROFS" });
      }
    });
    try {
      const { remedy } = await refusal(1, () => draft(scratch));
      assert.ok(remedy.length > 0);
    } finally {
      setWritePointHook(null);
      Deno.chmodSync(scratch.at(".theurian/proposals"), 0o755);
    }
    assert.deepEqual(tree(scratch.at(".theurian/proposals")), {});
    assert.deepEqual(Object.keys(tree(scratch.at(".theurian/runtime"))), ["write.lock"]);
  }));
