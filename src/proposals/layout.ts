/**
 * Where the files of a proposal lie (proposals.md 2.1). Paths are POSIX and relative to the project
 * root unless said otherwise.
 *
 * @module
 */

import { BODY_EXTENSIONS, type BodyContentType } from "./model.ts";

/** Folder of proposals that travel with the repository. */
export const PROPOSALS = ".theurian/proposals";
/** Folder of proposals that Git ignores. */
export const LOCAL_PROPOSALS = ".theurian/proposals-local";
/** Name of the evidence record inside a proposal. */
export const EVIDENCE_FILE = "evidence.json";
/** Folder of bodies inside a proposal. */
export const PROPOSED_KNOWLEDGE = "knowledge";

/** File names that accept takes for a proposal's migration. */
export const MIGRATION_FILE_NAME = /^([0-7][0-9A-HJKMNP-TV-Z]{25})-[a-z0-9]+(?:-[a-z0-9]+)*\.yaml$/;

/** File names that a draft gives bodies; used to diagnose interrupted drafts. */
export const BODY_FILE_NAME =
  /^[a-z0-9]+(?:-[a-z0-9]+)*\.[0-7][0-9A-HJKMNP-TV-Z]{25}\.(?:md|json|yaml)$/;

/** The folder of a proposal. */
export function proposalDirectory(proposalId: string, local: boolean): string {
  return `${local ? LOCAL_PROPOSALS : PROPOSALS}/${proposalId}`;
}

/** A body's place below a `knowledge/` folder: the item id's segments, the revision in the name. */
export function bodyTail(
  itemId: string,
  revisionId: string,
  contentType: BodyContentType,
): string {
  const segments = itemId.split(".");
  const leaf = segments.pop()!;
  return [...segments, `${leaf}.${revisionId}.${BODY_EXTENSIONS[contentType]}`].join("/");
}

/** `contentFile` of the migration: relative to `.theurian/migrations`. */
export function contentFileOf(tail: string): string {
  return `../knowledge/${tail}`;
}

/** Where acceptance puts a body. */
export function bodyDestination(tail: string): string {
  return `.theurian/knowledge/${tail}`;
}

/** Name of a proposal's migration file. */
export function migrationFileName(migrationId: string, slug: string): string {
  return `${migrationId}-${slug}.yaml`;
}
