import assert from "node:assert/strict";
import { isFault, type TheurianError } from "../errors.ts";
import { setWritePointHook, type WriteStep } from "./_write_points.ts";
import { copyFile } from "./copy_file.ts";
import { appendToFile, createFile, replaceFile } from "./write_file.ts";

function inFolder(work: (folder: string) => void): () => void {
  return () => {
    const folder = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "platform-files-" }));
    try {
      work(folder);
    } finally {
      setWritePointHook(null);
      Deno.removeSync(folder, { recursive: true });
    }
  };
}

const names = (folder: string) => [...Deno.readDirSync(folder)].map((entry) => entry.name).sort();
const diskFull = () => Object.assign(new Error("full"), { code: "ENOSPC" });
const makePipe = (path: string) => new Deno.Command("mkfifo", { args: [path] }).outputSync();

/** Steps a call passes, in order. */
function stepsOf(work: () => void): WriteStep[] {
  const steps: WriteStep[] = [];
  setWritePointHook((step) => steps.push(step));
  work();
  setWritePointHook(null);
  return steps;
}

Deno.test(
  "replaceFile() creates and replaces a file with the given mode and leaves nothing beside it",
  inFolder((folder) => {
    replaceFile(`${folder}/a`, "one", { mode: 0o600 });
    replaceFile(`${folder}/a`, new TextEncoder().encode("two"), { mode: 0o600 });
    assert.equal(Deno.readTextFileSync(`${folder}/a`), "two");
    assert.equal(Deno.statSync(`${folder}/a`).mode! & 0o777, 0o600);
    assert.deepEqual(names(folder), ["a"]);
  }),
);

Deno.test(
  "replaceFile() refuses a link, a directory or a pipe at the target or the fixed temporary",
  inFolder((folder) => {
    Deno.writeTextFileSync(`${folder}/user`, "precious");
    for (const place of ["target", "target.tmp"]) {
      const put = () =>
        replaceFile(`${folder}/target`, "x", { mode: 0o644, temporary: `${folder}/target.tmp` });
      const path = `${folder}/${place}`;
      for (const leads of [`${folder}/user`, `${folder}/nothing`]) {
        Deno.symlinkSync(leads, path);
        assert.throws(put, (error) => isFault(error, "file-link") && error.exit === 4);
        Deno.removeSync(path);
      }
      Deno.mkdirSync(path);
      assert.throws(put, (error) => isFault(error, "file-not-writable") && error.exit === 4);
      Deno.removeSync(path);
      makePipe(path);
      assert.throws(put, (error) => isFault(error, "file-irregular"));
      Deno.removeSync(path);
    }
    assert.equal(Deno.readTextFileSync(`${folder}/user`), "precious");
    assert.deepEqual(names(folder), ["user"]);
  }),
);

Deno.test(
  "replaceFile() takes over a regular leftover of its fixed temporary",
  inFolder((folder) => {
    Deno.writeTextFileSync(`${folder}/a.tmp`, "a longer leftover");
    replaceFile(`${folder}/a`, "new", { mode: 0o644, temporary: `${folder}/a.tmp` });
    assert.equal(Deno.readTextFileSync(`${folder}/a`), "new");
    assert.deepEqual(names(folder), ["a"]);
  }),
);

Deno.test(
  "replaceFile() keeps the old bytes and no temporary when any step before the end fails",
  inFolder((folder) => {
    const put = () => replaceFile(`${folder}/a`, "new text", { mode: 0o644 });
    Deno.writeTextFileSync(`${folder}/a`, "old");
    const steps = stepsOf(put);
    assert.deepEqual(steps, [
      "create",
      "write",
      "write-rest",
      "flush",
      "rename",
      "flush-directory",
    ]);
    for (let nth = 0; nth < steps.length - 1; nth++) {
      Deno.writeTextFileSync(`${folder}/a`, "old");
      let passed = 0;
      setWritePointHook(() => {
        if (passed++ === nth) throw diskFull();
      });
      assert.throws(
        put,
        (error) => isFault(error, "file-not-writable") && /disk is full/.test(error.message),
      );
      setWritePointHook(null);
      assert.equal(Deno.readTextFileSync(`${folder}/a`), "old", steps[nth]);
      assert.deepEqual(names(folder), ["a"], steps[nth]);
    }
  }),
);

Deno.test(
  "replaceFile() sets the exact mode, whatever the umask, when asked",
  inFolder((folder) => {
    replaceFile(`${folder}/a`, "x", { mode: 0o666, exactMode: true });
    assert.equal(Deno.statSync(`${folder}/a`).mode! & 0o777, 0o666);
  }),
);

Deno.test(
  "createFile() refuses anything that is there already, a dangling link too",
  inFolder((folder) => {
    createFile(`${folder}/a`, "one", { mode: 0o644 });
    Deno.symlinkSync(`${folder}/nothing`, `${folder}/dangling`);
    for (const name of ["a", "dangling"]) {
      assert.throws(
        () => createFile(`${folder}/${name}`, "two", { mode: 0o644 }),
        (error) => isFault(error, "file-exists"),
      );
    }
    assert.equal(Deno.readTextFileSync(`${folder}/a`), "one");
    assert.deepEqual(names(folder), ["a", "dangling"]);
  }),
);

Deno.test(
  "createFile() never overwrites what appears between its look and its end",
  inFolder((folder) => {
    setWritePointHook((step) => {
      if (step === "link") Deno.writeTextFileSync(`${folder}/a`, "theirs");
    });
    assert.throws(
      () => createFile(`${folder}/a`, "ours", { mode: 0o644 }),
      (error) => isFault(error, "file-exists"),
    );
    assert.equal(Deno.readTextFileSync(`${folder}/a`), "theirs");
    assert.deepEqual(names(folder), ["a"]);
  }),
);

Deno.test(
  "appendToFile() creates, then appends, and refuses a link",
  inFolder((folder) => {
    appendToFile(`${folder}/log`, "1\n", { mode: 0o600 });
    appendToFile(`${folder}/log`, "2\n", { mode: 0o600 });
    assert.equal(Deno.readTextFileSync(`${folder}/log`), "1\n2\n");
    Deno.symlinkSync(`${folder}/log`, `${folder}/link`);
    assert.throws(() => appendToFile(`${folder}/link`, "3\n", { mode: 0o600 }), /symbolic link/);
  }),
);

Deno.test(
  "appendToFile() refuses a pipe without waiting for a reader",
  inFolder((folder) => {
    makePipe(`${folder}/pipe`);
    assert.throws(
      () => appendToFile(`${folder}/pipe`, "x", { mode: 0o600 }),
      (error) => isFault(error, "file-irregular"),
    );
  }),
);

Deno.test(
  "copyFile() copies exclusively and removes its part when the disk fills",
  inFolder((folder) => {
    const bytes = crypto.getRandomValues(new Uint8Array(60_000));
    Deno.writeFileSync(`${folder}/a`, bytes);
    copyFile(`${folder}/a`, `${folder}/b`, { mode: 0o600 });
    assert.deepEqual(Deno.readFileSync(`${folder}/b`), bytes);
    assert.throws(() => copyFile(`${folder}/a`, `${folder}/b`, { mode: 0o600 }));
    setWritePointHook((step) => {
      if (step === "flush") throw diskFull();
    });
    assert.throws(() => copyFile(`${folder}/a`, `${folder}/c`, { mode: 0o600 }), /disk is full/);
    assert.deepEqual(names(folder), ["a", "b"]);
  }),
);

Deno.test(
  "createFile() points at the directory that decides, where the file itself is not there",
  inFolder((folder) => {
    setWritePointHook(() => {
      throw Object.assign(new Error("no"), { code: "EACCES" });
    });
    const remedy = (path: string): string => {
      try {
        createFile(path, "", { mode: 0o600 });
      } catch (error) {
        return (error as TheurianError).remedy;
      }
      return assert.fail("it was made");
    };
    try {
      assert.ok(remedy(`${folder}/new`).includes(`ls -ld ${folder},`));
      assert.ok(remedy(`${folder}/not/there/new`).includes(`ls -ld ${folder},`));
    } finally {
      setWritePointHook(null);
    }
  }),
);
