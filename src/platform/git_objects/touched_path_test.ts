import assert from "node:assert/strict";
import { git, writeLooseObject } from "../../../tests/support/golden_review.ts";
import { commitTouchesPath } from "./touched_path.ts";

const PATHS = [
  "a.txt",
  "src/deep/er/b.ts",
  "src/deep",
  "src",
  "swap",
  "swap/inside",
  "mode.sh",
  "big.txt",
  "naïve file.md",
  "*[x].txt",
  "x.txt",
  "renamed.txt",
  "link",
  "none",
  "",
  "./a.txt",
  "src/",
  "src//deep/er/b.ts",
  "/a.txt",
];

function inFolder(work: (folder: string) => void): () => void {
  return () => {
    const folder = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "platform-objects-" }));
    try {
      work(folder);
    } finally {
      Deno.removeSync(folder, { recursive: true });
    }
  };
}

/** A history with every kind of change; two branches and a merge. */
function history(root: string, format: "sha1" | "sha256"): void {
  Deno.mkdirSync(root);
  git(root, "init", "-q", `--object-format=${format}`, "-b", "main", ".");
  const put = (path: string, text: string) => {
    const parent = path.split("/").slice(0, -1).join("/");
    Deno.mkdirSync(`${root}/${parent}`, { recursive: true });
    Deno.writeTextFileSync(`${root}/${path}`, text);
  };
  const commit = (message: string) => {
    git(root, "add", "-A");
    git(root, "commit", "-q", "-m", message);
  };
  const lines = Array.from({ length: 4000 }, (_, i) => `line ${i} ${(i * 7919) % 104729}`);
  put("a.txt", "one\n");
  put("src/deep/er/b.ts", "b\n");
  put("swap", "a file\n");
  put("mode.sh", "#!/bin/sh\n");
  put("big.txt", lines.join("\n"));
  put("naïve file.md", "x\n");
  put("*[x].txt", "star\n");
  put("x.txt", "plain\n");
  commit("root");
  put("src/deep/er/b.ts", "b2\n");
  put("big.txt", lines.with(2000, "changed").join("\n"));
  put("*[x].txt", "star2\n");
  commit("edit");
  Deno.chmodSync(`${root}/mode.sh`, 0o755);
  Deno.removeSync(`${root}/swap`);
  put("swap/inside", "now a folder\n");
  commit("mode and swap");
  git(root, "checkout", "-q", "-b", "side");
  put("naïve file.md", "y\n");
  Deno.renameSync(`${root}/x.txt`, `${root}/renamed.txt`);
  commit("side");
  git(root, "checkout", "-q", "main");
  put("a.txt", "two\n");
  put("big.txt", lines.with(10, "changed again").with(2000, "changed").join("\n"));
  commit("main");
  git(root, "merge", "-q", "--no-ff", "-m", "merge", "side");
  Deno.removeSync(`${root}/src`, { recursive: true });
  Deno.symlinkSync("a.txt", `${root}/link`);
  commit("remove a folder, add a link");
  git(root, "tag", "-a", "v1", "-m", "tag", "HEAD~1");
  git(root, "tag", "-a", "v2", "-m", "tag of a tag", "v1");
}

const EXPECTED_FAULTS =
  /bad object|bad revision|expected commit type|unknown|pathspec|outside repository/;

/** What git itself answers. */
function gitSays(root: string, id: string, path: string): boolean {
  const { code, stdout, stderr } = new Deno.Command("git", {
    cwd: root,
    args: ["--literal-pathspecs", "log", "--no-walk", "--first-parent", "-m", "--name-only"]
      .concat(["--format=", "-z", "--root", "--end-of-options", `${id}^{commit}`, "--", path]),
    env: { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" },
  }).outputSync();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  // Only the id or the path may make it fail: a git that could not run says nothing of a commit.
  if (code !== 0) assert.match(text(stderr), EXPECTED_FAULTS);
  return code === 0 && text(stdout).split("\0").includes(path);
}

function idsOf(root: string): string[] {
  const commits = git(root, "rev-list", "--all").split("\n");
  const tags = git(root, "for-each-ref", "--format=%(objectname)", "refs/tags");
  const width = commits[0]!.length;
  const other = [git(root, "rev-parse", "HEAD^{tree}"), git(root, "rev-parse", "HEAD:a.txt")];
  return [...commits, ...tags.split("\n").filter((id) => id !== ""), ...other, "0".repeat(width)];
}

function compareWithGit(root: string): number {
  let touched = 0;
  for (const id of idsOf(root)) {
    for (const path of PATHS) {
      const expected = gitSays(root, id, path);
      assert.equal(commitTouchesPath(root, id, path), expected, `${id} ${JSON.stringify(path)}`);
      touched += Number(expected);
    }
  }
  return touched;
}

for (const format of ["sha1", "sha256"] as const) {
  Deno.test(
    `commitTouchesPath() answers as git does, loose and packed, ${format}`,
    inFolder((folder) => {
      const root = `${folder}/r`;
      history(root, format);
      const loose = compareWithGit(root);
      assert.ok(loose > 20, String(loose));
      git(root, "gc", "-q", "--aggressive", "--prune=now");
      assert.equal(compareWithGit(root), loose);
      git(root, "-c", "repack.useDeltaBaseOffset=false", "repack", "-q", "-adF", "--depth=50");
      assert.equal(compareWithGit(root), loose);
    }),
  );
}

Deno.test(
  "commitTouchesPath() works in a linked worktree and through alternates",
  inFolder((folder) => {
    const root = `${folder}/r`;
    history(root, "sha1");
    git(root, "gc", "-q");
    git(root, "worktree", "add", "-q", `${folder}/w`, "side");
    git(folder, "clone", "-q", "--shared", root, "c");
    git(folder, "clone", "-q", "--shared", `${folder}/c`, "cc");
    const head = git(root, "rev-parse", "HEAD");
    for (const name of ["w", "c", "cc"]) {
      assert.equal(commitTouchesPath(`${folder}/${name}`, head, "link"), true, name);
      assert.equal(commitTouchesPath(`${folder}/${name}`, head, "a.txt"), false, name);
    }
  }),
);

Deno.test(
  "commitTouchesPath() cannot verify the boundary of a shallow clone",
  inFolder((folder) => {
    const root = `${folder}/r`;
    history(root, "sha1");
    git(folder, "clone", "-q", "--depth=1", `file://${root}`, "s");
    const head = git(root, "rev-parse", "HEAD");
    assert.equal(commitTouchesPath(root, head, "link"), true);
    assert.equal(commitTouchesPath(`${folder}/s`, head, "link"), false);
  }),
);

Deno.test(
  "commitTouchesPath() honours no replacement and refuses ids of another length",
  inFolder((folder) => {
    const root = `${folder}/r`;
    history(root, "sha1");
    const head = git(root, "rev-parse", "HEAD");
    const rootCommit = git(root, "rev-list", "--max-parents=0", "HEAD");
    git(root, "replace", head, rootCommit);
    assert.equal(commitTouchesPath(root, head, "link"), true);
    assert.equal(commitTouchesPath(root, head, "x.txt"), false);
    assert.equal(commitTouchesPath(root, "0".repeat(64), "a.txt"), false);
    assert.equal(commitTouchesPath(folder, head, "link"), false);
  }),
);

Deno.test(
  "commitTouchesPath() reads nothing out of a damaged or forged object",
  inFolder((folder) => {
    const root = `${folder}/r`;
    history(root, "sha1");
    const head = git(root, "rev-parse", "HEAD");
    const object = (id: string) => `${root}/.git/objects/${id.slice(0, 2)}/${id.slice(2)}`;
    const rootCommit = git(root, "rev-list", "--max-parents=0", "HEAD");
    Deno.chmodSync(object(head), 0o644);
    Deno.writeFileSync(object(head), Deno.readFileSync(object(rootCommit)));
    assert.equal(commitTouchesPath(root, head, "a.txt"), false);
    Deno.writeFileSync(object(head), new Uint8Array([1, 2, 3]));
    assert.equal(commitTouchesPath(root, head, "link"), false);
    const loop = `${root}/.git/objects/info`;
    Deno.mkdirSync(loop, { recursive: true });
    Deno.writeTextFileSync(
      `${loop}/alternates`,
      `# x\n../objects\n${root}/.git/objects\n/nowhere\n`,
    );
    assert.equal(commitTouchesPath(root, rootCommit, "a.txt"), true);
  }),
);

Deno.test(
  "commitTouchesPath() gives up on an object that inflates past the limit, and when time is up",
  inFolder((folder) => {
    const root = `${folder}/r`;
    history(root, "sha1");
    const bomb = writeLooseObject(`${root}/.git`, "commit", new Uint8Array(40 * 1024 * 1024));
    assert.equal(commitTouchesPath(root, bomb, "a.txt"), false);
    const head = git(root, "rev-parse", "HEAD");
    let ticks = 0;
    const now = () => ticks++ * 10_000;
    assert.equal(commitTouchesPath(root, head, "link", { now }), false);
  }),
);

Deno.test(
  "commitTouchesPath() passes over a damaged pack and still reads the others",
  inFolder((folder) => {
    const root = `${folder}/r`;
    history(root, "sha1");
    const head = git(root, "rev-parse", "HEAD");
    git(root, "repack", "-q", "-ad");
    Deno.writeTextFileSync(`${root}/.git/objects/pack/pack-0.idx`, "not an index, but long enough");
    Deno.writeTextFileSync(`${root}/.git/objects/pack/pack-0.pack`, "PACK");
    assert.equal(commitTouchesPath(root, head, "link"), true);
    const pack = [...Deno.readDirSync(`${root}/.git/objects/pack`)]
      .find(({ name }) => name.endsWith(".pack") && name !== "pack-0.pack")!.name;
    const path = `${root}/.git/objects/pack/${pack}`;
    Deno.chmodSync(path, 0o644);
    const bytes = Deno.readFileSync(path);
    bytes.fill(0, 12, bytes.length - 20);
    Deno.writeFileSync(path, bytes);
    git(root, "prune-packed");
    assert.equal(commitTouchesPath(root, head, "link"), false);
  }),
);
