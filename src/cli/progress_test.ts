import assert from "node:assert/strict";
import { terminalProgress } from "./progress.ts";

function watch(errIsTerminal: boolean) {
  let now = 0;
  let written = "";
  let due: { work: () => void; time: number } | null = null;
  const progress = terminalProgress(
    { out: () => assert.fail("stdout is not ours"), err: (text) => written += text, errIsTerminal },
    () => now,
    (work, ms) => {
      assert.equal(due, null, "one timer at a time");
      due = { work, time: now + ms };
      return () => due = null;
    },
  );
  const at = (time: number) => {
    now = time;
    if (due !== null && due.time <= now) due.work();
  };
  return { progress, at, written: () => written };
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
  assert.equal(written(), "\rReading 1/9");
  at(600);
  progress.step("Reading", 2, 9);
  assert.equal(written(), "\rReading 1/9\rReading 2/9");
  at(650);
  progress.step("Reading", 3, 9);
  assert.equal(written(), "\rReading 1/9\rReading 2/9");
  progress.done();
  at(900);
  assert.equal(written(), `\rReading 1/9\rReading 2/9\r${" ".repeat(11)}\r`);
});

Deno.test("terminalProgress() shows a step that waits, however early it began", () => {
  const { progress, at, written } = watch(true);
  at(20);
  progress.step("Reading");
  at(30);
  progress.step("Waiting");
  at(499);
  assert.equal(written(), "");
  at(500);
  assert.equal(written(), "\rWaiting");
});

Deno.test("terminalProgress() shows a new step at once, and the last count in time", () => {
  const { progress, at, written } = watch(true);
  at(500);
  progress.step("Reading", 1);
  at(510);
  progress.step("Reading", 2);
  progress.step("Reading", 3);
  assert.equal(written(), "\rReading 1");
  at(600);
  assert.equal(written(), "\rReading 1\rReading 3");
  at(601);
  progress.step("Building");
  assert.equal(written(), "\rReading 1\rReading 3\rBuilding ");
});

Deno.test("terminalProgress() ends with nothing shown and nothing to come", () => {
  const { progress, at, written } = watch(true);
  at(10);
  progress.step("Reading");
  progress.done();
  at(1_000);
  assert.equal(written(), "");
});

Deno.test("terminalProgress() escapes names and stays on one line", () => {
  const { progress, at, written } = watch(true);
  at(600);
  progress.step(`a\u001b[2J\n${"x".repeat(500)}`);
  assert(written().startsWith("\ra\\x1b[2J\\x0a"));
  assert(written().length < 80);
});
