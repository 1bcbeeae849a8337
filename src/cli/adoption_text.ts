import { escapeControls } from "../platform/text.ts";
import type { AdoptedDocument, Adoption } from "../proposals/mod.ts";

/** An adoption as a person reads it: what each document would become, grouped by proposal. */
export function adoptionText(adoption: Adoption): string {
  const { proposals, documents, unchanged, skipped, secretFindings, nextSteps } = adoption;
  const counts = [
    plural(documents.length, "document"),
    ...(adoption.dryRun ? ["nothing written"] : [plural(proposals.length, "proposal")]),
    `${unchanged} unchanged`,
    `${skipped.length} skipped`,
  ];
  return [
    counts.join(", "),
    ...proposals.flatMap(({ proposalId, proposalDirectory }) => [
      "",
      `Proposal ${proposalId} in ${proposalDirectory}`,
      ...rows(documents.filter((one) => one.proposalId === proposalId)),
    ]),
    ...(adoption.dryRun && documents.length > 0 ? ["", ...rows(documents)] : []),
    ...section("Skipped", skipped.map(({ path, reason }) => `${path}: ${reason}`)),
    ...section("Looks like a secret", secretFindings),
    ...section("Next", nextSteps.map((step) => `- ${step}`)),
  ].map(escapeControls).join("\n") + "\n";
}

function rows(documents: readonly AdoptedDocument[]): string[] {
  const width = (of: (one: AdoptedDocument) => string) =>
    documents.reduce((widest, one) => Math.max(widest, of(one).length), 0);
  const [ids, kinds] = [width((one) => one.itemId), width((one) => one.kind)];
  return documents.flatMap((one) => [
    `  ${one.change.padEnd(7)}  ${one.itemId.padEnd(ids)}  ${one.kind.padEnd(kinds)}  ${one.path}`,
    `           ${one.title}`,
  ]);
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ["", title, ...lines.map((line) => `  ${line}`)];
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
