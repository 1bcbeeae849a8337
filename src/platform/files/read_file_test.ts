import assert from "node:assert/strict";
import { isFault } from "../errors.ts";
import { decodeUtf8 } from "./decode_utf8.ts";
import { readIdentified, readRegularFile, readRegularFileIfPresent } from "./read_file.ts";

function inFolder(work: (folder: string) => void | Promise<void>): () => Promise<void> {
  return async () => {
    const folder = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "platform-files-" }));
    try {
      await work(folder);
    } finally {
      Deno.removeSync(folder, { recursive: true });
    }
  };
}

const makePipe = (path: string) => new Deno.Command("mkfifo", { args: [path] }).outputSync();

Deno.test(
  "readRegularFile() returns the bytes of a file, the empty one too",
  inFolder((folder) => {
    Deno.writeTextFileSync(`${folder}/a`, "bytes");
    Deno.writeTextFileSync(`${folder}/empty`, "");
    assert.equal(new TextDecoder().decode(readRegularFile(`${folder}/a`)), "bytes");
    assert.equal(readRegularFile(`${folder}/empty`).length, 0);
  }),
);

Deno.test(
  "readRegularFile() refuses what is absent, a link, a directory, a pipe and a device",
  inFolder((folder) => {
    Deno.writeTextFileSync(`${folder}/a`, "secret");
    Deno.symlinkSync(`${folder}/a`, `${folder}/link`);
    Deno.symlinkSync(`${folder}/nothing`, `${folder}/dangling`);
    makePipe(`${folder}/pipe`);
    const cases = [
      ["none", "file-missing", 4],
      ["a/below-a-file", "file-missing", 4],
      ["link", "file-link", 4],
      ["dangling", "file-link", 4],
      [".", "file-unreadable", 4],
      ["pipe", "file-irregular", 1],
      ["../../dev/null", "file-irregular", 1],
    ] as const;
    for (const [name, fault, exit] of cases) {
      assert.throws(
        () => readRegularFile(`${folder}/${name}`),
        (error) => isFault(error, fault) && error.exit === exit && error.remedy !== "",
        name,
      );
    }
  }),
);

Deno.test(
  "readRegularFileIfPresent() is null only for what is absent",
  inFolder((folder) => {
    assert.equal(readRegularFileIfPresent(`${folder}/none`), null);
    Deno.symlinkSync(`${folder}/nothing`, `${folder}/dangling`);
    assert.throws(() => readRegularFileIfPresent(`${folder}/dangling`), /symbolic link/);
  }),
);

Deno.test(
  "readRegularFile() takes a file of exactly the limit and refuses one byte more",
  inFolder((folder) => {
    Deno.writeFileSync(`${folder}/a`, new Uint8Array(10));
    assert.equal(readRegularFile(`${folder}/a`, { maxBytes: 10 }).length, 10);
    assert.throws(
      () => readRegularFile(`${folder}/a`, { maxBytes: 9 }),
      (error) => isFault(error, "file-too-large") && error.exit === 1,
    );
  }),
);

Deno.test(
  "readRegularFile() names the file by its label and never by its directory",
  inFolder((folder) => {
    const message = (label?: string) => {
      try {
        readRegularFile(`${folder}/none`, label === undefined ? {} : { label });
      } catch (error) {
        return (error as Error).message;
      }
    };
    assert.equal(message(), "Cannot read none: it does not exist");
    assert.equal(message(".theurian/x"), "Cannot read .theurian/x: it does not exist");
  }),
);

Deno.test(
  "readIdentified() gives hard links of one file one identity and equal bytes two",
  inFolder((folder) => {
    Deno.writeTextFileSync(`${folder}/a`, "same");
    Deno.linkSync(`${folder}/a`, `${folder}/b`);
    Deno.writeTextFileSync(`${folder}/c`, "same");
    const [a, b, c] = ["a", "b", "c"].map((name) =>
      readIdentified(`${folder}/${name}`, {}).identity
    );
    assert.equal(a, b);
    assert.notEqual(a, c);
  }),
);

Deno.test("decodeUtf8() keeps a BOM, CRLF and NUL and refuses invalid bytes", () => {
  const text = "\ufeffa\r\n\0b";
  assert.equal(decodeUtf8(new TextEncoder().encode(text)), text);
  assert.equal(decodeUtf8(new Uint8Array([0x61, 0xff])), null);
  assert.equal(decodeUtf8(new Uint8Array([0xed, 0xa0, 0x80])), null);
});

/** Replaces a file thousands of times a second, until it is told to end. */
const REPLACING = `self.onmessage = ({ data: { path, isOver } }) => {
  for (let n = 0; Atomics.load(isOver, 0) === 0; n++) {
    Deno.writeTextFileSync(path + ".new", "version " + n);
    Deno.renameSync(path + ".new", path);
    if (n === 0) self.postMessage("begun");
    Atomics.wait(isOver, 0, 0, 0.2);
  }
  self.postMessage("ended");
};`;

Deno.test(
  "readRegularFile() reads a file that is replaced all the time, one version or another",
  inFolder(async (folder) => {
    const path = `${folder}/a`;
    const source = URL.createObjectURL(new Blob([REPLACING], { type: "text/javascript" }));
    const writer = new Worker(source, { type: "module" });
    const isOver = new Int32Array(new SharedArrayBuffer(4));
    const told = () => new Promise((resolve) => writer.onmessage = resolve);
    const begun = told();
    writer.postMessage({ path, isOver });
    await begun;
    const ended = told();
    try {
      const versions = new Set<string>();
      for (let round = 0; round < 5000; round++) {
        versions.add(new TextDecoder().decode(readRegularFile(path)));
      }
      assert.ok(versions.size > 1);
      for (const version of versions) assert.match(version, /^version \d+$/);
    } finally {
      Atomics.store(isOver, 0, 1);
      await ended;
      writer.terminate();
      URL.revokeObjectURL(source);
    }
  }),
);
