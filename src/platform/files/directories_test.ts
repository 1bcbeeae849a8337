import assert from "node:assert/strict";
import { isFault } from "../errors.ts";
import { grantFlags } from "../grants.ts";
import { describePath, realPath } from "./describe_path.ts";
import { ensureDirectory, listDirectory } from "./directories.ts";
import { removeFile, removeTree, renamePath } from "./move_and_remove.ts";

function inFolder(work: (folder: string) => void): () => void {
  return () => {
    const folder = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "platform-files-" }));
    try {
      work(folder);
    } finally {
      Deno.removeSync(folder, { recursive: true });
    }
  };
}

Deno.test(
  "listDirectory() gives names in byte order with what they are, links unfollowed",
  inFolder((folder) => {
    for (const name of ["b", "a", "B", "\u{1f600}", "\uff5e", ".hidden"]) {
      Deno.writeTextFileSync(`${folder}/${name}`, "");
    }
    Deno.mkdirSync(`${folder}/dir`);
    Deno.symlinkSync("dir", `${folder}/link`);
    new Deno.Command("mkfifo", { args: [`${folder}/pipe`] }).outputSync();
    assert.deepEqual(
      listDirectory(folder).map(({ name, kind }) => `${name} ${kind}`),
      [
        ".hidden file",
        "B file",
        "a file",
        "b file",
        "dir directory",
        "link link",
        "pipe other",
        "\uff5e file",
        "\u{1f600} file",
      ],
    );
  }),
);

Deno.test(
  "listDirectory() is empty for what is absent and refuses a file",
  inFolder((folder) => {
    assert.deepEqual(listDirectory(`${folder}/none`), []);
    Deno.writeTextFileSync(`${folder}/file`, "");
    assert.throws(() => listDirectory(`${folder}/file`), (e) => isFault(e, "directory-expected"));
  }),
);

Deno.test(
  "ensureDirectory() makes missing parents with the mode and tells whether it made the last",
  inFolder((folder) => {
    assert.equal(ensureDirectory(`${folder}/a/b/c`, { mode: 0o700 }), true);
    assert.equal(ensureDirectory(`${folder}/a/b/c`, { mode: 0o755 }), false);
    for (const path of ["a", "a/b", "a/b/c"]) {
      assert.equal(Deno.statSync(`${folder}/${path}`).mode! & 0o777, 0o700, path);
    }
  }),
);

Deno.test(
  "ensureDirectory() takes a link to a directory and refuses files and links that lead nowhere",
  inFolder((folder) => {
    Deno.mkdirSync(`${folder}/dir`);
    Deno.symlinkSync("dir", `${folder}/link`);
    assert.equal(ensureDirectory(`${folder}/link`), false);
    Deno.writeTextFileSync(`${folder}/file`, "");
    Deno.symlinkSync("none", `${folder}/dangling`);
    Deno.symlinkSync("loop", `${folder}/loop`);
    for (const path of ["file", "dangling", "loop", "file/below"]) {
      assert.throws(
        () => ensureDirectory(`${folder}/${path}`),
        (error) => isFault(error, "directory-expected") && error.exit === 1,
        path,
      );
    }
    assert.equal(describePath(`${folder}/none`), null);
  }),
);

Deno.test(
  "describePath() tells what stands there and nothing about where a link leads",
  inFolder((folder) => {
    Deno.writeTextFileSync(`${folder}/file`, "12345", { mode: 0o640 });
    Deno.symlinkSync("file", `${folder}/link`);
    new Deno.Command("mkfifo", { args: [`${folder}/pipe`] }).outputSync();
    const facts = describePath(`${folder}/file`)!;
    assert.deepEqual([facts.kind, facts.size, facts.mode & 0o777], ["file", 5, 0o640]);
    const second = 1_000_000_000n;
    assert.ok(facts.modifiedNs > 0n && facts.changedNs / second >= facts.modifiedNs / second);
    const kinds = ["link", "pipe", ".", "none", "file/below"]
      .map((name) => describePath(`${folder}/${name}`)?.kind ?? null);
    assert.deepEqual(kinds, ["link", "pipe", "directory", null, null]);
    assert.equal(describePath("/dev/null")?.kind, "character-device");
  }),
);

Deno.test(
  "realPath() resolves links and is null for what leads nowhere",
  inFolder((folder) => {
    Deno.mkdirSync(`${folder}/dir`);
    Deno.symlinkSync("dir", `${folder}/link`);
    Deno.symlinkSync("loop", `${folder}/loop`);
    assert.equal(realPath(`${folder}/link`), `${folder}/dir`);
    assert.equal(realPath(`${folder}/loop`), null);
    assert.equal(realPath(`${folder}/none`), null);
  }),
);

Deno.test(
  "removeFile() and removeTree() remove links themselves, never what they lead to",
  inFolder((folder) => {
    Deno.mkdirSync(`${folder}/kept`);
    Deno.writeTextFileSync(`${folder}/kept/file`, "x");
    Deno.mkdirSync(`${folder}/tree/deep`, { recursive: true });
    Deno.symlinkSync("../../kept", `${folder}/tree/deep/link`);
    Deno.symlinkSync("kept", `${folder}/link`);
    removeTree(`${folder}/tree`);
    removeTree(`${folder}/tree`);
    assert.equal(removeFile(`${folder}/link`), true);
    assert.equal(removeFile(`${folder}/link`), false);
    assert.equal(Deno.readTextFileSync(`${folder}/kept/file`), "x");
    assert.throws(() => removeFile(`${folder}/kept`), (e) => isFault(e, "file-not-writable"));
  }),
);

Deno.test(
  "renamePath() replaces a file and refuses what is absent",
  inFolder((folder) => {
    Deno.writeTextFileSync(`${folder}/a`, "a");
    Deno.writeTextFileSync(`${folder}/b`, "b");
    renamePath(`${folder}/a`, `${folder}/b`);
    assert.equal(Deno.readTextFileSync(`${folder}/b`), "a");
    assert.throws(
      () => renamePath(`${folder}/a`, `${folder}/b`),
      (error) => isFault(error, "file-not-writable"),
    );
  }),
);

Deno.test(
  "ensureDirectory() takes a directory above a program that may be started, where writing is refused",
  inFolder((folder) => {
    Deno.mkdirSync(`${folder}/bin`);
    Deno.writeTextFileSync(`${folder}/bin/git`, "#!/bin/sh\n", { mode: 0o755 });
    const script = new URL("../../../tests/support/program_folder_probe.ts", import.meta.url);
    const { code, stdout, stderr } = new Deno.Command(Deno.execPath(), {
      args: ["run", "--quiet", "--no-check", ...grantFlags(), script.pathname, folder],
      env: { PATH: `${folder}/bin` },
    }).outputSync();
    assert.equal(code, 0, new TextDecoder().decode(stderr));
    // The first word shows that the runtime does refuse it.
    assert.equal(new TextDecoder().decode(stdout), "NotCapable false\n");
  }),
);
