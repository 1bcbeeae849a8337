import { blobText, type Connection, ContentMemo } from "../platform/sqlite/mod.ts";
import { WordedText } from "./plain_words.ts";

/** Texts of one index that are remembered: a passage has about a kilobyte. */
const passages = new ContentMemo<WordedText>(1024);
const titles = new ContentMemo<WordedText>(4096);

const PASSAGE = "SELECT CAST(text AS BLOB) AS text FROM chunks WHERE id = ?";
const TITLE = "SELECT CAST(title AS BLOB) AS text FROM documents WHERE id = ?";

/** The passage in a row of the index; empty where there is none. */
export function passageIn(connection: Connection, row: number): WordedText {
  return passages.get(connection, row, () => readText(connection, PASSAGE, row));
}

/** Title of the document whose first passage is in a row of the index. */
export function titleIn(connection: Connection, row: number): WordedText {
  return titles.get(connection, row, () => readText(connection, TITLE, row));
}

function readText(connection: Connection, sql: string, row: number): WordedText {
  const stored = connection.get<{ text: Uint8Array }>(sql, row);
  return new WordedText(stored === undefined ? "" : blobText(stored.text));
}
