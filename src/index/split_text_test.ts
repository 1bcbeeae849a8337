import assert from "node:assert/strict";
import fc from "fast-check";
import { WHITESPACE_CLASS } from "../platform/text.ts";
import { collapseWhitespace, splitParagraphs, splitSentences, splitWords } from "./split_text.ts";

const S = `[${WHITESPACE_CLASS}]`;
const strip = (text: string) => text.replace(new RegExp(`^${S}+|${S}+$`, "g"), "");
const tidy = (parts: readonly string[]) => parts.map(strip).filter((part) => part !== "");
const text = fc.string({
  unit: fc.constantFrom(
    "a",
    "é",
    ".",
    "!",
    "?",
    "。",
    "！",
    "？",
    " ",
    "\n",
    "\r",
    "\u001c",
    "\u0085",
    "\u2028",
    "\u3000",
    "\ufeff",
  ),
  maxLength: 40,
});

Deno.test("the splitters cut as the patterns of the contract do", () => {
  fc.assert(
    fc.property(text, (value) => {
      assert.deepEqual(splitParagraphs(value), tidy(value.split(new RegExp(`\\n${S}*\\n`))));
      const sentence = new RegExp(`(?<=[。！？])|(?<=[.!?])${S}+`);
      assert.deepEqual(splitSentences(value), tidy(value.split(sentence)));
      assert.deepEqual(splitWords(value), tidy(value.split(new RegExp(`${S}+`))));
      assert.equal(collapseWhitespace(value), splitWords(value).join(" "));
    }),
    { numRuns: 2000 },
  );
});
