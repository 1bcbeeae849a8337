import assert from "node:assert/strict";
import { redactPerson, redactThread } from "./redact.ts";

const person = (externalId: string, displayName: string) => ({
  provider: "github",
  externalId,
  displayName,
});

Deno.test("redactPerson() keeps a node id and digests a login the same way every time", () => {
  assert.deepEqual(redactPerson(person("U_1", "rae")), person("U_1", "[redacted]"));
  assert.equal(redactPerson(person("ghost", "ghost")).externalId, "redacted~ead6ef03d61ee60c");
  assert.equal(
    redactPerson(person("login-only", "login-only")).externalId,
    "redacted~83116779aca041ca",
  );
});

Deno.test("redactThread() covers every comment and who resolved it, and leaves bodies alone", () => {
  const thread = redactThread({
    externalId: "t",
    projectId: "p",
    eventKey: "github:a/b#1",
    filePath: null,
    comments: [1, 2].map((n) => ({
      externalId: `c${n}`,
      author: person(`U_${n}`, "rae"),
      body: "@rae look",
      createdAt: "2026-01-01T00:00:00+00:00",
      category: null,
      lineStart: null,
      lineEnd: null,
    })),
    state: "resolved",
    resolution: {
      state: "resolved",
      resolvedBy: person("U_3", "kim"),
      resolvedAt: null,
      fixCommit: null,
    },
    lineStart: null,
    lineEnd: null,
    commitSha: null,
  });
  assert.ok(thread.comments.every(({ author }) => author.displayName === "[redacted]"));
  assert.ok(thread.comments.every(({ body }) => body === "@rae look"));
  assert.deepEqual(thread.resolution?.resolvedBy, person("U_3", "[redacted]"));
});
