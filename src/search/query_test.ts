import assert from "node:assert/strict";
import { MOST_UNITS, normaliseQuery, readQuery } from "./query.ts";

const units = (text: string) => readQuery(normaliseQuery(text)).units.map((unit) => unit.text);

Deno.test("normaliseQuery() replaces lone surrogates and cuts by code points, nothing else", () => {
  assert.equal(normaliseQuery(" retry \ud800\0 "), " retry ?\0 ");
  assert.equal([...normaliseQuery("🚀".repeat(2001))].length, 2000);
});

Deno.test("readQuery() looks for words once, for names also whole, for neighbours also joined", () => {
  assert.deepEqual(units("retry Retry budget"), ["retry", "budget", "retrybudget"]);
  assert.deepEqual(units("LOCK_TIMEOUT"), ["lock", "timeout", "lock_timeout"]);
  assert.deepEqual(units("messages of a message"), [
    ...["messages", "of", "messagesof", "a"],
  ]);
  const { units: asked } = readQuery("in to queue");
  assert.deepEqual(asked.map((unit) => [unit.text, unit.noise]), [
    ...[["in", true], ["to", true], ["in_to", false], ["queue", false], ["toqueue", false]],
  ]);
});

Deno.test("readQuery() looks for a run of characters by its pairs, for one by itself", () => {
  assert.deepEqual(units("認証 鍵"), ["認証", "鍵"]);
  assert.deepEqual(units("認証鍵"), ["認証", "証鍵"]);
});

Deno.test("readQuery() takes quotation marks of several kinds as keeping words together", () => {
  const { phrases } = readQuery('"read model" “hold a lock” 「認証鍵」 "one" unclosed "');
  assert.deepEqual(phrases, [["read", "model"], ["hold", "a", "lock"], ["認", "証", "鍵"]]);
});

Deno.test("readQuery() looks for two words also as one name, and keeps how a name was written", () => {
  const [, , joined] = readQuery("time out").units;
  assert.deepEqual([joined!.text, joined!.fallbacks], ["timeout", ["time_out"]]);
  const [name] = readQuery("LOCK_TIMEOUT").units.filter((unit) => unit.kind === "name");
  assert.deepEqual([name!.text, name!.written], ["lock_timeout", "LOCK_TIMEOUT"]);
});

Deno.test("readQuery() drops what was joined before it drops a word", () => {
  const many = Array.from({ length: 50 }, (_, i) => `word${String.fromCharCode(97 + i % 26)}${i}`);
  const kept = units([...many, "tag"].join(" "));
  assert.equal(kept.length, MOST_UNITS);
  for (const word of [...many, "tag"]) assert.ok(kept.includes(word), word);
});

Deno.test("readQuery() keeps the longest of too many units, in their order", () => {
  const many = Array.from({ length: 80 }, (_, i) => `w${String(i).padStart(3, "0")}`);
  const kept = units([...many, "longestword"].join(", "));
  assert.equal(kept.length, MOST_UNITS);
  assert.ok(kept.includes("longestword"));
});
