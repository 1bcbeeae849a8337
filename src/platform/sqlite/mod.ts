/**
 * The one door to SQLite (corpus-and-migrations.md 14.3). Statements are cached by their text,
 * values are bound, and no refusal holds SQL or a stored value.
 *
 * @module
 */

export * from "./blob_text.ts";
export * from "./connection.ts";
export * from "./content_memo.ts";
export * from "./kept_connections.ts";
export * from "./open_database.ts";
