import { KINDS, SENSITIVITIES, TRUST_LEVELS } from "../../knowledge/mod.ts";
import { TheurianError } from "../../platform/errors.ts";
import type { JsonObject } from "../../platform/json.ts";
import { BODY_EXTENSIONS, type BodyContentType, type ContentDraft } from "../../proposals/mod.ts";
import type { Tool } from "../tool.ts";
import { anchorsOf, answerDraft, checkDraft, evidenceOf } from "./_draft_call.ts";

/** `knowledge.proposeChange` (mcp-tools.md, proposals.md 4.1): drafts, never approves. */
export const knowledgeProposeChange: Tool = {
  name: "knowledge.proposeChange",
  title: "Propose a change",
  description:
    "Drafts a new page, or a new revision of one, as a proposal that a person reviews and " +
    "merges. It approves nothing and changes nothing that is served.",
  lane: "draft",
  inputSchema: "knowledge-propose-change-input.schema.json",
  outputSchema: null,
  check: checkDraft,
  answer: (call, context) =>
    answerDraft(call, context, (facade, input) => facade.draftContent(draftOf(input))),
};

function draftOf(input: JsonObject): ContentDraft {
  const text = (key: string) => input[key] as string;
  const optional = (key: string) => (input[key] ?? null) as string | null;
  return {
    itemId: text("itemId"),
    title: text("title"),
    kind: wordOf(input, "kind", KINDS)!,
    owner: text("owner"),
    author: text("author"),
    description: text("description"),
    body: new TextEncoder().encode(wellFormed(text("body"))),
    contentType: wordOf(
      input,
      "contentType",
      Object.keys(BODY_EXTENSIONS) as BodyContentType[],
    )!,
    evidence: evidenceOf(input),
    sourceAnchors: anchorsOf(input),
    labels: (input["labels"] ?? []) as readonly string[],
    scopePaths: (input["scopePaths"] ?? []) as readonly string[],
    namespace: optional("namespace"),
    trustLevel: wordOf(input, "trustLevel", TRUST_LEVELS),
    sensitivity: wordOf(input, "sensitivity", SENSITIVITIES),
    expectedRevision: optional("expectedRevision"),
    local: input["local"] === true,
  };
}

/** A word of a closed set, or `null` where none is given; the refusal lists the set. */
export function wordOf<T extends string>(
  input: JsonObject,
  key: string,
  words: readonly T[],
): T | null {
  const given = input[key] ?? null;
  if (given === null) return null;
  const known = words.find((word) => word === given);
  if (known !== undefined) return known;
  throw invalid(`\`${key}\` is not one of its words`, `Use one of: ${words.join(", ")}`);
}

/** Encoding would put a replacement in place of an unpaired surrogate and say nothing. */
export function wellFormed(body: string): string {
  if (body.isWellFormed()) return body;
  throw invalid("`body` holds an unpaired surrogate, which no file can hold", "Send valid Unicode");
}

function invalid(reason: string, remedy: string): TheurianError {
  return new TheurianError("invalid-input", `Cannot draft: ${reason}`, {
    remedy,
    wireCode: "INVALID_INPUT",
  });
}
