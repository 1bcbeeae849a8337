import { blobText, type Connection } from "../platform/sqlite/mod.ts";

/** Text of the passage in a row of the index; `""` where there is none. */
export function textOfPassage(connection: Connection, row: number): string {
  const sql = "SELECT CAST(text AS BLOB) AS text FROM chunks WHERE id = ?";
  const chunk = connection.get<{ text: Uint8Array }>(sql, row);
  return chunk === undefined ? "" : blobText(chunk.text);
}

/** Title of the document whose first passage is in a row of the index. */
export function textOfTitle(connection: Connection, row: number): string {
  const sql = "SELECT CAST(title AS BLOB) AS title FROM documents WHERE id = ?";
  const document = connection.get<{ title: Uint8Array }>(sql, row);
  return document === undefined ? "" : blobText(document.title);
}
