import assert from "node:assert/strict";
import { keyedLines } from "./trailer.ts";

const D = "\u2014";
const fault = (line: string) => {
  const [keyed] = keyedLines(line);
  return keyed === undefined ? "none" : "fault" in keyed ? keyed.fault : "accepted";
};

Deno.test("keyedLines() takes at most one space after the key", () => {
  assert.equal(fault(`Review-Finding:security HIGH ${D} x`), "accepted");
  assert.equal(fault(`Review-Finding: security HIGH ${D} x`), "accepted");
  assert.equal(fault(`Review-Finding:  security HIGH ${D} x`), "tokens");
  assert.equal(fault(`Review-Finding:\tsecurity HIGH ${D} x`), "reviewer");
});

Deno.test("keyedLines() cuts at the first separator and keeps blanks and a final CR", () => {
  const [keyed] = keyedLines(`Review-Finding: code LOW ${D}  a ${D} b ${D} c \r`);
  assert.ok(keyed !== undefined && "trailer" in keyed);
  assert.deepEqual(keyed.trailer, {
    reviewer: "code-review",
    severity: "LOW",
    text: ` a ${D} b ${D} c \r`,
  });
});

Deno.test("keyedLines() checks separator, text, tokens, reviewer, severity in that order", () => {
  assert.equal(fault("Review-Finding: reviewer high - x y z"), "separator");
  assert.equal(fault(`Review-Finding: one two three ${D} `), "text");
  assert.equal(fault(`Review-Finding: one two three ${D} x`), "tokens");
  assert.equal(fault(`Review-Finding: CODE high ${D} x`), "reviewer");
  assert.equal(fault(`Review-Finding: code high ${D} x`), "severity");
});

Deno.test("keyedLines() reads the subject, the body and the last line without a blank line between", () => {
  const line = `Review-Finding: security LOW ${D} x`;
  assert.equal(keyedLines(`${line}\nprose\n${line}\n\n${line}`).length, 3);
});

Deno.test("keyedLines() leaves indented, quoted, lower-cased and other keys alone", () => {
  for (const prefix of [" ", "\t", "> ", "\ufeff", "\u2028", "\r"]) {
    assert.equal(
      fault(`${prefix}Review-Finding: security HIGH ${D} x`),
      "none",
      JSON.stringify(prefix),
    );
  }
  assert.equal(fault(`review-finding: security HIGH ${D} x`), "none");
  assert.equal(fault(`Review-Findings: security HIGH ${D} x`), "none");
});
