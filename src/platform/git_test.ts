import assert from "node:assert/strict";
import {
  gitBlobId,
  gitBranch,
  gitFilesAtHead,
  gitHashObject,
  gitHeadCommit,
  gitIgnoredFiles,
  gitOriginUrl,
  gitTopLevel,
  gitTreeObjects,
  gitUser,
} from "./git.ts";

const encode = (text: string) => new TextEncoder().encode(text);

function git(cwd: string, ...args: string[]): string {
  const { code, stdout, stderr } = new Deno.Command("git", {
    args,
    cwd,
    env: { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
  }).outputSync();
  assert.equal(code, 0, new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout).trim();
}

function inRepository(
  work: (root: string) => Promise<void>,
  format: "sha1" | "sha256" = "sha1",
): () => Promise<void> {
  return async () => {
    const folder = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "platform-git-" }));
    const root = `${folder}/repo`;
    try {
      git(folder, "init", "-q", "-b", "trunk", `--object-format=${format}`, "repo");
      git(root, "config", "user.name", "Ada");
      git(root, "config", "user.email", "ada@example.org");
      await work(root);
    } finally {
      Deno.removeSync(folder, { recursive: true });
    }
  };
}

function commit(root: string, files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    Deno.mkdirSync(`${root}/${path}`.replace(/\/[^/]*$/, ""), { recursive: true });
    Deno.writeTextFileSync(`${root}/${path}`, text);
  }
  git(root, "add", "-A");
  git(root, "commit", "-q", "-m", "m");
}

Deno.test(
  "gitTopLevel() finds the root from below and nothing outside a working tree",
  inRepository(async (root) => {
    Deno.mkdirSync(`${root}/a/b`, { recursive: true });
    assert.equal(await gitTopLevel(`${root}/a/b`), root);
    assert.equal(await gitTopLevel(`${root}/..`), null);
    assert.equal(await gitTopLevel(`${root}/.git`), null);
  }),
);

Deno.test(
  "gitHeadCommit() is null before the first commit, gitBranch() when detached",
  inRepository(async (root) => {
    assert.equal(await gitHeadCommit(root), null);
    assert.equal(await gitBranch(root), "trunk");
    commit(root, { "a": "x" });
    const head = git(root, "rev-parse", "HEAD");
    assert.equal(await gitHeadCommit(root), head);
    git(root, "checkout", "-q", "--detach");
    assert.equal(await gitBranch(root), null);
  }),
);

Deno.test(
  "gitOriginUrl() and gitUser() tell what is configured",
  inRepository(async (root) => {
    assert.equal(await gitOriginUrl(root), null);
    git(root, "remote", "add", "origin", "git@example.org:o/r.git");
    assert.equal(await gitOriginUrl(root), "git@example.org:o/r.git");
    git(root, "config", "--add", "user.name", "Grace H\u00f6pper");
    assert.deepEqual(await gitUser(root), { name: "Grace H\u00f6pper", email: "ada@example.org" });
    git(root, "config", "--unset-all", "user.name");
    assert.deepEqual(await gitUser(root), { name: null, email: "ada@example.org" });
  }),
);

const STRANGE = [
  "-dash.yaml",
  ":(top)x é.yaml",
  "new\nline.yaml",
  'quote".yaml',
  "back\\slash.yaml",
  "tab\t.yaml",
  "*.yaml",
];

for (const format of ["sha1", "sha256"] as const) {
  Deno.test(
    `gitTreeObjects() lists names of any kind and gitBlobId() agrees, in ${format}`,
    inRepository(async (root) => {
      const files = Object.fromEntries(STRANGE.map((name) => [`.theurian/m/${name}`, name]));
      commit(root, { ...files, "other": "x", ".theurian/m/sub/x.yaml": "deep" });
      const objects = await gitTreeObjects(root, ".theurian/m");
      assert.deepEqual(
        [...objects.keys()].sort(),
        [...Object.keys(files), ".theurian/m/sub/x.yaml"].sort(),
      );
      for (const [path, text] of Object.entries(files)) {
        const { objectId, mode } = objects.get(path)!;
        assert.equal(mode, "100644");
        assert.equal(gitBlobId(encode(text), objectId), objectId);
        assert.equal(await gitHashObject(root, path, encode(text)), objectId, path);
      }
      assert.equal((await gitTreeObjects(root, "")).size, STRANGE.length + 2);
    }, format),
  );
}

Deno.test(
  "gitTreeObjects() is empty without a commit, and where the directory is absent or a link",
  inRepository(async (root) => {
    assert.equal((await gitTreeObjects(root, "a")).size, 0);
    Deno.symlinkSync("real", `${root}/link`);
    commit(root, { "real/x": "x", "file": "x" });
    for (const name of ["none", "file", "link"]) {
      assert.equal((await gitTreeObjects(root, name)).size, 0, name);
    }
    assert.equal((await gitTreeObjects(root, "")).get("link")!.mode, "120000");
  }),
);

Deno.test(
  "gitTreeObjects() sees what is committed and not what is staged",
  inRepository(async (root) => {
    commit(root, { "m/a": "1" });
    Deno.writeTextFileSync(`${root}/m/b`, "2");
    git(root, "add", "-A");
    assert.deepEqual([...(await gitTreeObjects(root, "m")).keys()], ["m/a"]);
  }),
);

Deno.test(
  "gitHashObject() applies the line-end rules of the path, which gitBlobId() does not",
  inRepository(async (root) => {
    commit(root, { ".gitattributes": "*.yaml text eol=lf\n", "m/a.yaml": "one\ntwo\n" });
    const { objectId } = (await gitTreeObjects(root, "m")).get("m/a.yaml")!;
    const onDisk = encode("one\r\ntwo\r\n");
    assert.notEqual(gitBlobId(onDisk, objectId), objectId);
    assert.equal(await gitHashObject(root, "m/a.yaml", onDisk), objectId);
    assert.notEqual(await gitHashObject(root, "m/a.yaml", encode("other\n")), objectId);
  }),
);

Deno.test(
  "git questions ignore GIT_* variables that point elsewhere",
  inRepository(async (root) => {
    commit(root, { "a": "x" });
    // In a process of its own: the tests beside this one share the environment.
    const module = new URL("./git.ts", import.meta.url).href;
    const { stdout } = await new Deno.Command(Deno.execPath(), {
      args: [
        "eval",
        `const git = await import(${JSON.stringify(module)});
         console.log(JSON.stringify([
           await git.gitTopLevel(${JSON.stringify(root)}),
           await git.gitHeadCommit(${JSON.stringify(root)}),
         ]));`,
      ],
      env: { GIT_DIR: "/nonexistent" },
      stderr: "inherit",
    }).output();
    const [topLevel, head] = JSON.parse(new TextDecoder().decode(stdout));
    assert.equal(topLevel, root);
    assert.match(head, /^[0-9a-f]{40}$/);
  }),
);

Deno.test("gitTopLevel() takes a root whose name has blanks and letters of any kind", async () => {
  const folder = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "platform-git-" }));
  try {
    const root = `${folder}/a b é#%?'`;
    Deno.mkdirSync(root);
    git(root, "init", "-q");
    assert.equal(await gitTopLevel(root), root);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});

Deno.test(
  "gitFilesAtHead() answers for exactly the paths asked for, however many and however named",
  inRepository(async (root) => {
    assert.deepEqual(await gitFilesAtHead(root, ["a.md"]), new Map());
    const names = Array.from({ length: 450 }, (_, i) => `docs/n${i}.md`);
    commit(root, { ...Object.fromEntries(names.map((n) => [n, n])), "docs/:(x) *.md": "odd" });
    const found = await gitFilesAtHead(root, [...names, "docs/:(x) *.md", "docs/absent.md"]);
    assert.equal(found.size, 451);
    const odd = found.get("docs/:(x) *.md")!;
    assert.equal(odd.objectId, gitBlobId(encode("odd"), odd.objectId));
  }),
);

Deno.test(
  "gitIgnoredFiles() names what is ignored and untracked, by whatever rule",
  inRepository(async (root) => {
    commit(root, { ".gitignore": "build/\n*.tmp.md\n", "a.md": "a" });
    Deno.mkdirSync(`${root}/build`);
    for (const path of ["build/a.md", "x.tmp.md", "new.md"]) {
      Deno.writeTextFileSync(`${root}/${path}`, path);
    }
    const asked = ["a.md", "build/a.md", "x.tmp.md", "new.md", "absent.md"];
    assert.deepEqual([...await gitIgnoredFiles(root, asked)], ["build/a.md", "x.tmp.md"]);
    // No path is a pattern, whatever it looks like.
    for (const odd of ["*.tmp.md", ":(glob)**", ":/x.tmp.md", "build"]) {
      const found = [...await gitIgnoredFiles(root, [odd])];
      assert.deepEqual(found, odd === "build" ? ["build/a.md"] : [], odd);
    }
  }),
);

Deno.test(
  "no question starts a program that the repository's settings name",
  inRepository(async (root) => {
    commit(root, { ".gitignore": "/x\n", "a.txt": "a", "b/c.txt": "c" });
    const mark = `${root}/../mark`;
    const program = `${root}/../program`;
    Deno.writeTextFileSync(program, `#!/bin/sh\necho x >> '${mark}'\n`, { mode: 0o755 });
    for (const key of ["core.fsmonitor", "core.pager", "core.sshCommand", "alias.ls-files"]) {
      git(root, "config", key, key.startsWith("alias") ? `!${program}` : program);
    }
    Deno.mkdirSync(`${root}/.git/hooks`, { recursive: true });
    for (const hook of ["post-index-change", "post-checkout"]) {
      Deno.copyFileSync(program, `${root}/.git/hooks/${hook}`);
    }
    Deno.writeTextFileSync(`${root}/x`, "ignored");
    // The guard is seen to be needed: the same question, asked plainly, starts one.
    git(root, "ls-files", "--others", "--ignored", "--exclude-standard");
    Deno.removeSync(mark);
    assert.deepEqual([...await gitIgnoredFiles(root, ["x", "a.txt"])], ["x"]);
    await gitTopLevel(root);
    await gitHeadCommit(root);
    await gitOriginUrl(root);
    await gitBranch(root);
    await gitUser(root);
    await gitTreeObjects(root, "b");
    await gitFilesAtHead(root, ["a.txt"]);
    await gitHashObject(root, "a.txt", encode("a"));
    assert.throws(() => Deno.statSync(mark), Deno.errors.NotFound);
  }),
);
