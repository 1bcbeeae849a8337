import assert from "node:assert/strict";
import { splitLines } from "./_split_lines.ts";

async function linesOf(chunks: readonly string[], limit = 10) {
  const input = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
      controller.close();
    },
  });
  const lines: (string | null)[] = [];
  for await (const line of splitLines(input, limit)) {
    lines.push(line === null ? null : new TextDecoder().decode(line));
  }
  return lines;
}

Deno.test("splitLines() joins what chunks tear apart, also inside a character", async () => {
  assert.deepEqual(await linesOf(["a", "b\nc", "\n", "d"]), ["ab", "c", "d"]);
  assert.deepEqual(await linesOf(["a\n\n\nb\n"]), ["a", "b"]);
  assert.deepEqual(await linesOf([]), []);
});

Deno.test("splitLines() gives up a line over the limit and goes on behind it", async () => {
  assert.deepEqual(await linesOf(["0123456789\n"]), ["0123456789"]);
  assert.deepEqual(await linesOf(["0123456789a\nb\n"]), [null, "b"]);
  assert.deepEqual(await linesOf(["01234", "56789", "01234", "5\nb"]), [null, "b"]);
  assert.deepEqual(await linesOf(["0123456789a"]), [null]);
});
