import assert from "node:assert/strict";
import { recordStatus } from "./_record_status.ts";

const ENDED = [
  "# A\n\n## Status\n\nSuperseded by [3](0003.md)\n",
  "# A\n\n## Status\n\nSuperceded by [9. Help scripts](0009-help-scripts.md)\n",
  "# A\n\n## 1. Status\n\nAccepted\n\nSuperseded by ADR-12, since the market changed in many ways at once\n",
  "# A\n\n## Status: Rejected\n",
  "# A\n\n- **Status:** Deprecated (2026-08-21)\n",
  "# A\n\n* Status: superseded by ADR-0005\n",
  "# A\n\n**Status**: ~~Accepted~~ Superseded\n",
  "# A\n\nStatus: ❌ Rejected\n",
  "# A\n\n> Status: Obsolete\n",
  "# A\n\n| Field | Value |\n| --- | --- |\n| Status | Withdrawn |\n",
  "# A\n\n---\ndate: 2026-08-24\nstatus: superseded\n---\n",
];

const UNDECIDED = [
  "# A\n\n## Status\n\nProposed\n",
  "# A\n\n## Status: PROPOSED (Pending Plan Approval)\n",
  "# A\n\n## Status: Proposed — March 2026\n",
  "# A\n\n* Status: draft\n",
  "# A\n\n| Status | In review |\n",
];

const STANDING = [
  "# A\n\n## Status\n\nAccepted\n",
  "# A\n\n## Status\n\nAccepted\n\nSupersedes [2](0002.md)\n",
  "# A\n\n* Status: accepted\n* Deciders: all\n",
  "# A\n\n* Status: [proposed | rejected | accepted | superseded by ADR-5]\n",
  "# A\n\n## Status: PROPOSED / APPROVED / REJECTED / SUPERSEDED\n",
  "# A\n\n## Status\n\nDraft orders are those that nobody has paid yet; they are removed after a week.\n",
  "# A\n\n- Status: cancelled orders never ship, whatever the warehouse says about them later on\n",
  "# A\n\n```yaml\nstatus: rejected\n```\n\n~~~\n## Status\n\nProposed\n~~~\n",
  "# A\n\nExample: `Status: Rejected`\n",
  `# A\n\n${"text\n".repeat(1_000)}\n### Status: proposed\n`,
  "# A\n\nThe status of an order is proposed first.\n",
];

Deno.test("recordStatus() tells a record that has ended by each way of saying so", () => {
  for (const body of ENDED) assert.equal(recordStatus(body, {}), "ended", body);
});

Deno.test("recordStatus() tells a record that is not decided yet", () => {
  for (const body of UNDECIDED) assert.equal(recordStatus(body, {}), "undecided", body);
});

Deno.test("recordStatus() leaves alone what stands, what is not filled in, examples and prose", () => {
  for (const body of STANDING) assert.equal(recordStatus(body, {}), null, body);
});

Deno.test("recordStatus() believes the front matter first", () => {
  const accepted = "# A\n\n## Status\n\nAccepted\n";
  assert.equal(recordStatus(accepted, { status: "superseded by ADR-2" }), "ended");
  assert.equal(recordStatus(accepted, { status: ["deprecated"] }), "ended");
  assert.equal(recordStatus(accepted, { archived: true }), "ended");
  assert.equal(recordStatus(accepted, { draft: true }), "undecided");
  assert.equal(recordStatus(accepted, { draft: "no", status: 7 }), null);
});
