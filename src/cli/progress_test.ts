import assert from "node:assert/strict";
import { terminalProgress } from "./progress.ts";

function watch(errIsTerminal: boolean) {
  let now = 0;
  let written = "";
  const progress = terminalProgress(
    { out: () => assert.fail("stdout is not ours"), err: (text) => written += text, errIsTerminal },
    () => now,
  );
  return { progress, at: (time: number) => now = time, written: () => written };
}

Deno.test("terminalProgress() is silent where nobody watches", () => {
  const { progress, at, written } = watch(false);
  at(10_000);
  progress.step("Reading", 1, 2);
  progress.done();
  assert.equal(written(), "");
});

Deno.test("terminalProgress() is silent for half a second, then shows what is done", () => {
  const { progress, at, written } = watch(true);
  at(499);
  progress.step("Reading", 1, 9);
  assert.equal(written(), "");
  at(500);
  progress.step("Reading", 2, 9);
  assert.equal(written(), "\rReading 2/9");
  at(550);
  progress.step("Reading", 3, 9);
  assert.equal(written(), "\rReading 2/9");
  progress.done();
  assert.equal(written(), `\rReading 2/9\r${" ".repeat(11)}\r`);
});

Deno.test("terminalProgress() escapes names and stays on one line", () => {
  const { progress, at, written } = watch(true);
  at(600);
  progress.step(`a\u001b[2J\n${"x".repeat(500)}`);
  assert(written().startsWith("\ra\\x1b[2J\\x0a"));
  assert(written().length < 80);
});
