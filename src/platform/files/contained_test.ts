import assert from "node:assert/strict";
import { isFault } from "../errors.ts";
import { containedPath, readContained, requireContainedEntries } from "./contained.ts";

/** A project at `<folder>/root` beside a file that must never be read. */
function inProject(work: (root: string, migrations: string) => void): () => void {
  return () => {
    const folder = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "platform-files-" }));
    const root = `${folder}/root`;
    try {
      for (
        const path of ["root/.theurian/migrations", "root/.theurian/knowledge", "root/docs/sub"]
      ) {
        Deno.mkdirSync(`${folder}/${path}`, { recursive: true });
      }
      Deno.mkdirSync(`${folder}/outside`);
      Deno.writeTextFileSync(`${folder}/outside/secret.md`, "outside");
      Deno.writeTextFileSync(`${root}/README.md`, "readme");
      Deno.writeTextFileSync(`${root}/docs/a.md`, "docs a");
      Deno.writeTextFileSync(`${root}/.theurian/knowledge/a.md`, "knowledge a");
      work(root, `${root}/.theurian/migrations`);
    } finally {
      Deno.removeSync(folder, { recursive: true });
    }
  };
}

const textOf = (root: string, base: string, request: string) =>
  new TextDecoder().decode(readContained(root, base, request).bytes);

const refuses = (root: string, base: string, request: string, fault = "path-escape") =>
  assert.throws(
    () => readContained(root, base, request),
    (error) => isFault(error) && error.fault === fault && !error.message.includes(request),
    request,
  );

Deno.test(
  "readContained() reads inside the root, above the base too",
  inProject((root, base) => {
    assert.equal(textOf(root, base, "../knowledge/a.md"), "knowledge a");
    assert.equal(textOf(root, base, "../../README.md"), "readme");
    assert.equal(textOf(root, base, "./..//knowledge/./a.md"), "knowledge a");
  }),
);

Deno.test(
  "readContained() refuses absolute requests, climbs out and climbs out that come back",
  inProject((root, base) => {
    refuses(root, base, `${root}/README.md`);
    refuses(root, base, "../../../outside/secret.md");
    refuses(root, base, "../../../root/README.md");
    refuses(root, base, "../knowledge/a.md\0");
  }),
);

Deno.test(
  "readContained() keeps a missing or irregular part as text before ..",
  inProject((root, base) => {
    assert.equal(textOf(root, base, "none/../../knowledge/a.md"), "knowledge a");
    Deno.writeTextFileSync(`${base}/b.md`, "b");
    assert.equal(textOf(root, base, "b.md/../b.md"), "b");
    assert.equal(textOf(root, base, "../knowledge/a.md/"), "knowledge a");
  }),
);

Deno.test(
  "readContained() leaves a link's target on .. and not the link's own folder",
  inProject((root, base) => {
    Deno.symlinkSync("../../docs/sub", `${root}/.theurian/knowledge/l`);
    assert.equal(textOf(root, `${root}/.theurian/knowledge`, "l/../a.md"), "docs a");
    assert.equal(textOf(root, base, "../knowledge/l/../a.md"), "docs a");
  }),
);

Deno.test(
  "readContained() follows in-tree links and refuses a link out, also one that leads back in",
  inProject((root, base) => {
    Deno.symlinkSync("../../docs", `${root}/.theurian/knowledge/in`);
    assert.equal(textOf(root, base, "../knowledge/in/a.md"), "docs a");
    Deno.symlinkSync("../../../outside", `${root}/.theurian/knowledge/hop`);
    Deno.symlinkSync("../root/docs", `${root}/../outside/back`);
    refuses(root, base, "../knowledge/hop/secret.md");
    refuses(root, base, "../knowledge/hop/back/a.md");
    Deno.symlinkSync("../root/docs/a.md", `${root}/back.md`);
    refuses(root, base, "../../back.md");
  }),
);

Deno.test(
  "readContained() takes an absolute link only below the root or base, as given or resolved",
  inProject((root, base) => {
    Deno.symlinkSync(`${root}/docs/a.md`, `${root}/abs.md`);
    assert.equal(textOf(root, base, "../../abs.md"), "docs a");
    Deno.symlinkSync(`${root}/docs/../README.md`, `${root}/dots.md`);
    assert.equal(textOf(root, base, "../../dots.md"), "readme");
    Deno.symlinkSync(`${root}/../outside/secret.md`, `${root}/out.md`);
    refuses(root, base, "../../out.md");
    Deno.symlinkSync(root, `${root}/../alias`);
    Deno.symlinkSync(`${root}/../alias/docs/a.md`, `${root}/alias.md`);
    refuses(root, base, "../../alias.md");
    const alias = `${root.slice(0, -"root".length)}alias`;
    Deno.removeSync(`${root}/alias.md`);
    Deno.symlinkSync(`${alias}/docs/a.md`, `${root}/alias.md`);
    assert.equal(textOf(alias, `${alias}/.theurian/migrations`, "../../alias.md"), "docs a");
    refuses(root, base, "../../alias.md");
  }),
);

Deno.test(
  "readContained() starts at the resolved base when the base is a link",
  inProject((root) => {
    Deno.symlinkSync("../docs/sub", `${root}/.theurian/linked`);
    assert.equal(textOf(root, `${root}/.theurian/linked`, "../a.md"), "docs a");
    Deno.symlinkSync("../../outside", `${root}/.theurian/gone`);
    refuses(root, `${root}/.theurian/gone`, "secret.md");
  }),
);

Deno.test(
  "readContained() refuses loops and more than 40 hops, and takes 40",
  inProject((root, base) => {
    Deno.symlinkSync("loop", `${root}/loop`);
    refuses(root, base, "../../loop");
    Deno.symlinkSync("docs/a.md", `${root}/l1`);
    for (let i = 2; i <= 41; i++) Deno.symlinkSync(`l${i - 1}`, `${root}/l${i}`);
    assert.equal(textOf(root, base, "../../l40"), "docs a");
    refuses(root, base, "../../l41");
  }),
);

Deno.test(
  "readContained() counts 32 parts below the root after folding ..",
  inProject((root, base) => {
    const deep = Array.from({ length: 31 }, (_, i) => `d${i}`).join("/");
    Deno.mkdirSync(`${root}/${deep}`, { recursive: true });
    Deno.writeTextFileSync(`${root}/${deep}/a.md`, "deep");
    assert.equal(textOf(root, base, `../../${deep}/a.md`), "deep");
    refuses(root, base, `../../${deep}/x/a.md`, "path-too-deep");
    assert.equal(textOf(root, base, `../../${"x/../".repeat(50)}README.md`), "readme");
  }),
);

Deno.test(
  "readContained() refuses irregular files before opening them, directories and missing files",
  inProject((root, base) => {
    new Deno.Command("mkfifo", { args: [`${root}/pipe`] }).outputSync();
    refuses(root, base, "../../pipe", "file-irregular");
    refuses(root, base, "../../docs", "file-unreadable");
    refuses(root, base, "../../none.md", "file-missing");
  }),
);

Deno.test(
  "readContained() gives one identity to two spellings of one file",
  inProject((root, base) => {
    const one = readContained(root, base, "../knowledge/a.md");
    const two = readContained(root, root, ".theurian/./knowledge/a.md");
    assert.equal(one.identity, two.identity);
    assert.equal(one.path, `${root}/.theurian/knowledge/a.md`);
    assert.equal(two.path, one.path);
  }),
);

Deno.test(
  "containedPath() resolves in-tree links and missing tails and refuses what leaves",
  inProject((root) => {
    assert.equal(containedPath(root, root), root);
    assert.equal(containedPath(root, ".theurian/state/x"), `${root}/.theurian/state/x`);
    Deno.symlinkSync("../docs", `${root}/.theurian/cache`);
    assert.equal(containedPath(root, `${root}/.theurian/cache/x`), `${root}/docs/x`);
    Deno.symlinkSync("../../outside", `${root}/.theurian/state`);
    Deno.symlinkSync("../../outside/none", `${root}/.theurian/runtime`);
    for (const path of [".theurian/state", ".theurian/state/x", ".theurian/runtime", "../root2"]) {
      assert.throws(
        () => containedPath(root, path),
        (error) => isFault(error, "path-escape") && error.exit === 4,
        path,
      );
    }
    assert.throws(() => containedPath(root, `${root}2`), (error) => isFault(error, "path-escape"));
  }),
);

Deno.test("requireContainedEntries() sees a link that comes into a directory it passed before", async () => {
  const folder = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "platform-files-" }));
  const root = `${folder}/root`;
  const names = ["state", "cache"];
  try {
    Deno.mkdirSync(`${root}/.theurian/state`, { recursive: true });
    // A changed time can only be waited for.
    await new Promise((resolve) => setTimeout(resolve, 2100));
    for (let i = 0; i < 3; i++) requireContainedEntries(root, ".theurian", names);
    Deno.symlinkSync(folder, `${root}/.theurian/cache`);
    const escapes = () => requireContainedEntries(root, ".theurian", names);
    assert.throws(escapes, (error) => isFault(error, "path-escape"));
    Deno.removeSync(`${root}/.theurian/cache`);
    requireContainedEntries(root, ".theurian", names);
    Deno.renameSync(`${root}/.theurian/state`, `${folder}/state`);
    Deno.symlinkSync(`${folder}/state`, `${root}/.theurian/state`);
    assert.throws(escapes, (error) => isFault(error, "path-escape"));
    Deno.removeSync(`${root}/.theurian`, { recursive: true });
    Deno.mkdirSync(`${folder}/elsewhere`);
    Deno.symlinkSync(`${folder}/elsewhere`, `${root}/.theurian`);
    assert.throws(escapes, (error) => isFault(error, "path-escape"));
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});
