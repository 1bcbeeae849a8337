/**
 * What is scanned for secrets before a proposal is drafted or accepted, in this order
 * (proposals.md 6.3).
 *
 * @module
 */

import { scanSecrets } from "../secrets/mod.ts";

/** Findings reported of one proposal. */
export const MAX_FINDINGS = 20;

/** One named text. */
export interface Channel {
  /** Where the text stands, as a report names it. */
  readonly label: string;
  readonly text: string;
}

/** What a scan found: report lines and the labels it did not reach. */
export interface ChannelScan {
  readonly findings: readonly string[];
  readonly unscanned: readonly string[];
}

const OPERATION_FIELDS = [
  "alias",
  "contentFile",
  "description",
  "format",
  "itemId",
  "namespace",
  "note",
  "owner",
  "reason",
  "sourceItemId",
  "sourceUri",
  "specId",
  "supersededBy",
  "targetItemId",
] as const;

const ANCHOR_FIELDS = [
  "blobSha",
  "commitSha",
  "externalId",
  "filePath",
  "provider",
  "repository",
  "sourceUri",
] as const;

const METADATA_FIELDS = [
  "aclGroup",
  "contentType",
  "namespace",
  "owner",
  "tenantId",
  "title",
  "validFrom",
  "validTo",
] as const;

/** Scans channels in order under one budget; a line is `<label>:<line>:<column>: <family> (<4>...)`. */
export function scanChannels(channels: Iterable<Channel>): ChannelScan {
  const findings: string[] = [];
  const unscanned: string[] = [];
  for (const { label, text } of channels) {
    const budget = MAX_FINDINGS - findings.length;
    if (budget <= 0) {
      unscanned.push(label);
      continue;
    }
    for (const finding of scanSecrets(text, budget)) {
      findings.push(
        `${label}:${finding.line}:${finding.column}: ${finding.family} (${finding.prefix}...)`,
      );
    }
  }
  return { findings, unscanned };
}

/** The bodies of a proposal; bytes that are no UTF-8 are replaced, not skipped. */
export function* bodyChannels(bodies: readonly Uint8Array[]): Generator<Channel> {
  for (const [index, bytes] of bodies.entries()) {
    yield { label: `the content of body[${index}]`, text: new TextDecoder().decode(bytes) };
  }
}

/** Every text that a migration document's author wrote, field by field. */
export function* documentChannels(document: unknown): Generator<Channel> {
  const root = asRecord(document);
  yield* fields(root, ["author", "createdAt", "description"], "migration");
  for (const [index, entry] of asList(root.operations).entries()) {
    const operation = asRecord(entry);
    const place = `migration.operations[${index}]`;
    yield* fields(operation, OPERATION_FIELDS, place);
    yield* fields(asRecord(operation.anchor), ANCHOR_FIELDS, `${place}.anchor`);
    const metadata = asRecord(operation.metadata);
    yield* fields(metadata, METADATA_FIELDS, `${place}.metadata`);
    yield* items(metadata.labels, `${place}.metadata.labels`);
    yield* items(asRecord(metadata.scope).paths, `${place}.metadata.scope.paths`);
    for (const [position, anchor] of asList(metadata.sourceAnchors).entries()) {
      yield* fields(
        asRecord(anchor),
        ANCHOR_FIELDS,
        `${place}.metadata.sourceAnchors[${position}]`,
      );
    }
  }
}

function* fields(
  record: Readonly<Record<string, unknown>>,
  names: readonly string[],
  place: string,
): Generator<Channel> {
  for (const name of names) {
    const value = record[name];
    if (typeof value === "string") yield { label: `${place}.${name}`, text: value };
  }
}

function* items(value: unknown, place: string): Generator<Channel> {
  for (const [index, text] of asList(value).entries()) {
    if (typeof text === "string") yield { label: `${place}[${index}]`, text };
  }
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? value as Record<string, unknown>
    : {};
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
