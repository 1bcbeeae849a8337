import { type Lexicon, readLexicon } from "../lexicon/mod.ts";
import { describePath } from "../platform/files/mod.ts";
import type { Connection } from "../platform/sqlite/mod.ts";

/** Builds whose word index is kept unpacked; a worker serves a few projects at a time. */
const MOST_KEPT = 8;

const kept = new Map<string, Lexicon>();

/**
 * The word index of an open build. It is kept unpacked under the identity of the file, which is
 * never written once it is published (retrieval.md 9.5).
 */
export function lexiconOf(connection: Connection): Lexicon {
  const facts = describePath(connection.path);
  const key = facts === null
    ? ""
    : [connection.path, facts.device, facts.inode, facts.size, facts.modifiedNs].join("\0");
  const known = kept.get(key);
  const lexicon = known ?? readLexicon(connection);
  kept.delete(key);
  if (key !== "") kept.set(key, lexicon);
  for (const oldest of kept.keys()) {
    if (kept.size <= MOST_KEPT) break;
    kept.delete(oldest);
  }
  return lexicon;
}
