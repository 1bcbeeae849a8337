import assert from "node:assert/strict";
import { OutputClosed, writeAll } from "./output.ts";

/** A pipe that takes three bytes at a time and is full every other time. */
function narrowPipe() {
  const taken: number[] = [];
  let full = false;
  return {
    taken,
    writeSync(bytes: Uint8Array): number {
      full = !full;
      if (full) throw new Deno.errors.WouldBlock("full");
      const some = bytes.subarray(0, 3);
      taken.push(...some);
      return some.length;
    },
  };
}

Deno.test("writeAll() writes all of a text through a narrow pipe that is often full", () => {
  const pipe = narrowPipe();
  writeAll(pipe, '{"key": "ä wörd"}\n');
  assert.equal(new TextDecoder().decode(new Uint8Array(pipe.taken)), '{"key": "ä wörd"}\n');
});

Deno.test("writeAll() says that the reader is gone, and passes on every other fault", () => {
  const failing = (error: Error) => ({
    writeSync: (): number => {
      throw error;
    },
  });
  assert.throws(() => writeAll(failing(new Deno.errors.BrokenPipe("x")), "a"), OutputClosed);
  const other = new Deno.errors.BadResource("x");
  assert.throws(() => writeAll(failing(other), "a"), (error) => error === other);
});
