import assert from "node:assert/strict";
import { isFault } from "../errors.ts";
import { parsedOnce, rereadRegularFile } from "./reread_file.ts";

async function inFolder(work: (path: string) => void | Promise<void>): Promise<void> {
  const folder = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "platform-reread-" }));
  try {
    await work(`${folder}/file`);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

const text = (path: string, maxBytes?: number) => {
  const bytes = rereadRegularFile(path, maxBytes === undefined ? {} : { maxBytes });
  return bytes === null ? null : new TextDecoder().decode(bytes);
};
/** A changed time can only be waited for. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 2100));

Deno.test("rereadRegularFile() sees every change of a file that changed a moment ago", () =>
  inFolder((path) => {
    assert.equal(text(path), null);
    for (let i = 0; i < 50; i++) {
      Deno.writeTextFileSync(path, `text ${10 + i}`);
      Deno.utimeSync(path, 1_000_000, 1_000_000);
      assert.equal(text(path), `text ${10 + i}`, "of one size and one time");
    }
    Deno.removeSync(path);
    assert.equal(text(path), null);
  }));

Deno.test("rereadRegularFile() gives the same bytes while a file is left alone, and none of them after", () =>
  inFolder(async (path) => {
    Deno.writeTextFileSync(path, "one");
    await settle();
    const first = rereadRegularFile(path);
    assert.equal(rereadRegularFile(path), first, "the very object");
    assert.throws(() => text(path, 2), (error) => isFault(error, "file-too-large"));
    Deno.writeTextFileSync(`${path}.other`, "two");
    Deno.renameSync(`${path}.other`, path);
    assert.equal(text(path), "two");
    await settle();
    assert.equal(text(path), "two");
    Deno.writeTextFileSync(path, "six");
    assert.equal(text(path), "six", "in place, of the same size");
    await settle();
    assert.equal(text(path), "six");
    Deno.chmodSync(path, 0o600);
    assert.equal(text(path), "six");
    Deno.removeSync(path);
    Deno.symlinkSync("/etc/hostname", path);
    assert.throws(() => text(path), (error) => isFault(error, "file-link"));
    Deno.removeSync(path);
    Deno.mkdirSync(path);
    assert.throws(() => text(path), (error) => isFault(error));
    Deno.removeSync(path);
    assert.equal(text(path), null);
  }));

Deno.test("parsedOnce() parses the same bytes once, equal ones again, and what failed again", () => {
  let parsed = 0;
  const lengthOf = parsedOnce((bytes) => {
    parsed++;
    if (bytes.length === 0) throw new RangeError();
    return bytes.length === 1 ? undefined : bytes.length;
  });
  const [one, two, none] = [new Uint8Array(1), new Uint8Array(2), new Uint8Array()];
  for (const bytes of [one, one, two, two]) {
    assert.equal(lengthOf(bytes), bytes === one ? undefined : 2);
  }
  assert.equal(parsed, 2);
  assert.equal(lengthOf(two.slice()), 2);
  for (let again = 0; again < 2; again++) assert.throws(() => lengthOf(none), RangeError);
  assert.equal(parsed, 5);
});
