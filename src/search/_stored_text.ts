import { blobText, type Connection, ContentMemo } from "../platform/sqlite/mod.ts";

/** Texts of one index that are remembered: a passage has about a kilobyte. */
const passages = new ContentMemo<string>(1024);
const titles = new ContentMemo<string>(4096);

/** Text of the passage in a row of the index; `""` where there is none. */
export function textOfPassage(connection: Connection, row: number): string {
  return passages.get(connection, row, () => {
    const sql = "SELECT CAST(text AS BLOB) AS text FROM chunks WHERE id = ?";
    const chunk = connection.get<{ text: Uint8Array }>(sql, row);
    return chunk === undefined ? "" : blobText(chunk.text);
  });
}

/** Title of the document whose first passage is in a row of the index. */
export function textOfTitle(connection: Connection, row: number): string {
  return titles.get(connection, row, () => {
    const sql = "SELECT CAST(title AS BLOB) AS title FROM documents WHERE id = ?";
    const document = connection.get<{ title: Uint8Array }>(sql, row);
    return document === undefined ? "" : blobText(document.title);
  });
}
