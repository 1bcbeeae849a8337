/**
 * Names of evidence files: derived from what a file holds, so that a reader can tell a moved or
 * renamed one (review.md 6).
 *
 * @module
 */

import { sha256Hex } from "../../platform/hash.ts";
import { type Evidence, type EvidenceKind, recordKey } from "./model.ts";

const PLAIN_KEY = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,119}$/;

/** Folder of a repository: hashed, because a repository name once could spell `../..`. */
export function repositoryFolder(provider: string, repository: string): string {
  const name = `${provider}\0${repository}`;
  if (lastFolder.name !== name) lastFolder = { name, folder: `sha256-${sha256Hex(name)}` };
  return lastFolder.folder;
}

/** Files of one repository are read one after the other. */
let lastFolder = { name: "", folder: "" };

/**
 * File name of a record key, without `.json`. A key with upper-case letters carries a tag of their
 * places, so that two keys that differ in case alone stay two files where a file system folds case.
 */
export function recordLeaf(key: string): string {
  const plain = PLAIN_KEY.test(key) &&
    !key.toLowerCase().startsWith("sha256-");
  if (!plain) return `sha256-${sha256Hex(key)}`;
  const tag = caseTag(key);
  return tag === 0n ? key : `${key}~${tag.toString(16)}`;
}

/** Bit *i* is set where character *i* is an upper-case letter; up to 120 bits. */
function caseTag(key: string): bigint {
  let tag = 0n;
  for (let i = 0; i < key.length; i++) {
    const unit = key.charCodeAt(i);
    if (unit >= 0x41 && unit <= 0x5a) tag |= 1n << BigInt(i);
  }
  return tag;
}

/** Path of a record below `.theurian/review/`, with `/`. */
export function evidencePath(
  provider: string,
  repository: string,
  kind: EvidenceKind,
  key: string,
): string {
  return `${repositoryFolder(provider, repository)}/${kind}/${recordLeaf(key)}.json`;
}

/** Path that an evidence document belongs to. */
export function pathOfEvidence(evidence: Evidence): string {
  return evidencePath(
    evidence.provider,
    evidence.repository,
    evidence.kind,
    recordKey(evidence),
  );
}
