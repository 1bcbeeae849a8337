import assert from "node:assert/strict";
import { isFault } from "../errors.ts";
import { fileMark, fileReader } from "./read_many.ts";

Deno.test("fileReader() reads small and large files, and refuses as a single read does", () => {
  const folder = Deno.makeTempDirSync({ prefix: "platform-many-" });
  try {
    Deno.writeTextFileSync(`${folder}/small`, "small");
    Deno.writeTextFileSync(`${folder}/empty`, "");
    Deno.writeFileSync(`${folder}/large`, new Uint8Array(300_000).fill(7));
    Deno.symlinkSync("small", `${folder}/link`);
    const reader = fileReader();
    assert.equal(reader.read(`${folder}/large`).bytes.length, 300_000);
    assert.equal(new TextDecoder().decode(reader.read(`${folder}/small`).bytes), "small");
    assert.equal(reader.read(`${folder}/empty`).bytes.length, 0);
    const limited = (path: string, maxBytes: number) => () => reader.read(path, { maxBytes });
    assert.equal(limited(`${folder}/small`, 5)().bytes.length, 5);
    assert.throws(limited(`${folder}/small`, 4), (error) => isFault(error, "file-too-large"));
    assert.throws(limited(`${folder}/large`, 4), (error) => isFault(error, "file-too-large"));
    assert.throws(() => reader.read(`${folder}/link`), (error) => isFault(error, "file-link"));
    assert.throws(() => reader.read(`${folder}/none`), (error) => isFault(error, "file-missing"));
    assert.throws(() => reader.read(folder), (error) => isFault(error, "file-unreadable"));
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});

Deno.test("fileMark() equals the mark of the read until the file changes", () => {
  const folder = Deno.makeTempDirSync({ prefix: "platform-many-" });
  try {
    const path = `${folder}/f`;
    Deno.writeTextFileSync(path, "one");
    const { mark } = fileReader().read(path);
    assert.equal(fileMark(path), mark);
    Deno.utimeSync(path, 1, 1);
    assert.notEqual(fileMark(path), mark);
    Deno.writeTextFileSync(`${folder}/g`, "one");
    Deno.renameSync(`${folder}/g`, path);
    assert.notEqual(fileMark(path), mark);
    assert.equal(fileMark(`${folder}/none`), "absent");
    assert.equal(fileMark(folder), "directory");
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});

Deno.test("fileMark() sees an edit of the same size that puts the time of the content back", async () => {
  const folder = Deno.makeTempDirSync({ prefix: "platform-many-" });
  try {
    const path = `${folder}/f`;
    Deno.writeTextFileSync(path, "one");
    Deno.utimeSync(path, 1000, 1000);
    const before = fileMark(path);
    await new Promise((resolve) => setTimeout(resolve, 1100)); // The runtime tells whole seconds.
    Deno.writeTextFileSync(path, "two");
    Deno.utimeSync(path, 1000, 1000);
    assert.equal(Deno.statSync(path).mtime!.getTime(), 1_000_000);
    assert.notEqual(fileMark(path), before);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});
