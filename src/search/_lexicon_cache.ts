import { type Lexicon, readLexicon } from "../lexicon/mod.ts";
import { describePath } from "../platform/files/mod.ts";
import { type Connection, ContentMemo } from "../platform/sqlite/mod.ts";

/** Fails where a table that an answer may need is missing, so that no answer is a partial one. */
const EVERY_TABLE = "SELECT (SELECT count(*) FROM documents WHERE id < 0) + " +
  "(SELECT count(*) FROM chunks WHERE id < 0) + (SELECT count(*) FROM terms WHERE term = '') + " +
  "(SELECT count(*) FROM vectors WHERE document < 0) + (SELECT count(*) FROM nodes WHERE id < 0)";

/** Builds whose word index is kept unpacked; a worker serves a few projects at a time. */
const MOST_KEPT = 8;

const kept = new Map<string, Lexicon>();
/** The same by what a connection reads: no need to look at the file again. */
const byContent = new ContentMemo<Lexicon>(1);

/**
 * The word index of an open build. It is kept unpacked under the identity of the file, which is
 * never written once it is published (retrieval.md 9.5).
 */
export function lexiconOf(connection: Connection): Lexicon {
  return byContent.get(connection, "", () => lexiconOfFile(connection));
}

function lexiconOfFile(connection: Connection): Lexicon {
  const facts = describePath(connection.path);
  const key = facts === null
    ? ""
    : [connection.path, facts.device, facts.inode, facts.size, facts.modifiedNs].join("\0");
  const known = kept.get(key);
  if (known === undefined) connection.get(EVERY_TABLE);
  const lexicon = known ?? readLexicon(connection);
  kept.delete(key);
  if (key !== "") kept.set(key, lexicon);
  for (const oldest of kept.keys()) {
    if (kept.size <= MOST_KEPT) break;
    kept.delete(oldest);
  }
  return lexicon;
}
