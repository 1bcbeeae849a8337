/**
 * The client's entry for the daemon in `.claude.json`: read here, written by the client's own
 * command only (daemon-and-setup.md 7.6).
 *
 * @module
 */

import { join } from "node:path";
import { TheurianError } from "../platform/errors.ts";
import { decodeUtf8, readRegularFileIfPresent } from "../platform/files/mod.ts";
import type { JsonObject, JsonValue } from "../platform/json.ts";
import { type OutsideResult, runOutside } from "./service/mod.ts";

const NAME = "theurian";
const HEADER = "Bearer ${THEURIAN_MCP_TOKEN}";
const CLIENT_FILE_BYTES = 64 << 20;

/** The wanted entry; the variable stays literal, the client expands it. */
export function wantedEntry(port: number): JsonObject {
  return { type: "http", url: entryUrl(port), headers: { Authorization: HEADER } };
}

function entryUrl(port: number): string {
  return `http://127.0.0.1:${port}/mcp`;
}

/** What the client's file says. */
export interface ClientFile {
  readonly entry: JsonObject | null;
  readonly hasSerena: boolean;
}

/** Path of the client's file. */
export function clientFilePath(home: string): string {
  return join(home, ".claude.json");
}

/** Reads the client's file. Throws `configuration-invalid` when it is no JSON object. */
export function readClientFile(home: string): ClientFile {
  const bytes = readRegularFileIfPresent(clientFilePath(home), { maxBytes: CLIENT_FILE_BYTES });
  if (bytes === null) return { entry: null, hasSerena: false };
  const content = objectOf(parsed(bytes));
  if (content === null) {
    throw new TheurianError(
      "configuration-invalid",
      "Cannot read .claude.json: it is no JSON object",
      { remedy: "Mend the file by hand, or move it away and start the client once" },
    );
  }
  const servers = objectOf(content["mcpServers"]) ?? {};
  return { entry: objectOf(servers[NAME]), hasSerena: "serena" in servers };
}

function parsed(bytes: Uint8Array): JsonValue | undefined {
  try {
    return JSON.parse(decodeUtf8(bytes) ?? "");
  } catch {
    return undefined;
  }
}

function objectOf(value: JsonValue | undefined): JsonObject | null {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? value as JsonObject
    : null;
}

/** One key by which two entries differ. */
export interface EntryDifference {
  readonly key: string;
  readonly installed: string;
  readonly wanted: string;
}

/** The keys by which an entry differs from the wanted one; none when both are deeply equal. */
export function entryDifferences(entry: JsonObject, wanted: JsonObject): EntryDifference[] {
  const keys = new Set([...Object.keys(wanted), ...Object.keys(entry)]);
  return [...keys].map((key) => ({
    key,
    installed: shown(entry[key]),
    wanted: shown(wanted[key]),
  })).filter(({ installed, wanted: want }) => installed !== want);
}

function shown(value: JsonValue | undefined): string {
  return value === undefined ? "(absent)" : JSON.stringify(sorted(value));
}

function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sorted);
  const object = objectOf(value);
  if (object === null) return value;
  return Object.fromEntries(
    Object.entries(object).sort(([a], [b]) => a < b ? -1 : 1)
      .map(([key, held]) => [key, sorted(held!)]),
  );
}

/** Has the client add the entry; its success is not ours until the entry is read back. */
export function addEntry(home: string, port: number): Promise<OutsideResult> {
  const header = `Authorization: ${HEADER}`;
  const where = ["--scope", "user", "--transport", "http", NAME, entryUrl(port)];
  return runOutside("claude", ["mcp", "add", ...where, "--header", header], {
    env: { HOME: home },
  });
}

/** Has the client remove the entry. */
export function removeEntry(home: string): Promise<OutsideResult> {
  const args = ["mcp", "remove", NAME, "--scope", "user"];
  return runOutside("claude", args, { env: { HOME: home } });
}
