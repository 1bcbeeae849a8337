/**
 * The bearer token's file: read with every check, minted only where there is none, never shown
 * (daemon-and-setup.md 5.1).
 *
 * @module
 */

import { sha256Hex } from "../platform/hash.ts";
import { isFault, TheurianError } from "../platform/errors.ts";
import {
  createFile,
  decodeUtf8,
  describePath,
  ensureDirectory,
  type PathFacts,
  readRegularFile,
  replaceFile,
  setMode,
} from "../platform/files/mod.ts";
import { strip } from "../platform/text.ts";
import { dataPaths, isPrivate, octal } from "./data_directory.ts";

/** What a token looks like: at least 32 characters of base64url. */
const TOKEN = /^[A-Za-z0-9_-]{32,}$/;

/** Largest token file that is read, in bytes. */
const TOKEN_FILE_BYTES = 4096;

/** Bytes from the machine's secure source. */
export type RandomBytes = (count: number) => Uint8Array;

/** The machine's secure source. */
export const secureBytes: RandomBytes = (count) => crypto.getRandomValues(new Uint8Array(count));

/**
 * The token, or `null` where the file is absent or blank. Throws `token-unusable`: link, irregular
 * file, mode, read failure, pattern, in this order. Never "used with a warning".
 */
export function readToken(dataDirectory: string): string | null {
  const path = dataPaths(dataDirectory).token;
  const facts = guarded(() => describePath(path));
  if (facts === null) return null;
  checkShape(facts);
  if (!isPrivate(facts)) {
    throw unusable(
      `its mode ${octal(facts.mode)} lets others at it, so it may be known to them`,
      "Make a new one with: theurian auth rotate",
    );
  }
  const bytes = guarded(() => readRegularFile(path, { maxBytes: TOKEN_FILE_BYTES }));
  const text = decodeUtf8(bytes);
  const token = text === null ? null : strip(text);
  if (token === "") return null;
  if (token === null || !TOKEN.test(token)) {
    throw unusable(
      "it holds something else than a token of at least 32 base64url characters",
      "Make a new one with: theurian auth rotate",
    );
  }
  return token;
}

/**
 * The token of a data directory, minted when there is none. An existing one is never replaced, not
 * even by two that mint at once: the first file stays.
 */
export function readOrMintToken(dataDirectory: string, random: RandomBytes = secureBytes): string {
  const known = readToken(dataDirectory);
  if (known !== null) return known;
  return guarded(() => {
    const paths = dataPaths(dataDirectory);
    makePrivate(paths.auth);
    const token = newToken(random);
    if (describePath(paths.token) === null) {
      try {
        createFile(paths.token, token, { mode: 0o600, exactMode: true });
        return token;
      } catch (error) {
        if (!isFault(error, "file-exists")) throw error;
      }
    }
    const other = readToken(dataDirectory);
    if (other !== null) return other;
    replaceFile(paths.token, token, { mode: 0o600, exactMode: true });
    return token;
  });
}

/**
 * Writes a new token over whatever regular file stands there. Throws `token-unusable` when it
 * cannot; the old token then still counts.
 */
export function writeNewToken(dataDirectory: string, random: RandomBytes = secureBytes): string {
  const paths = dataPaths(dataDirectory);
  const token = newToken(random);
  return guarded(() => {
    const facts = describePath(paths.token);
    if (facts !== null) checkShape(facts);
    makePrivate(paths.auth);
    replaceFile(paths.token, token, { mode: 0o600, exactMode: true });
    return token;
  });
}

function newToken(random: RandomBytes): string {
  return random(32).toBase64({ alphabet: "base64url", omitPadding: true });
}

function makePrivate(directory: string): void {
  if (ensureDirectory(directory, { mode: 0o700 })) return;
  const facts = describePath(directory);
  if (facts !== null && (facts.kind === "link" || !isPrivate(facts))) setMode(directory, 0o700);
}

/** How a token is shown: its length and the start of its digest. */
export function describeToken(token: string): string {
  return `<token ${token.length} chars, sha-prefix ${sha256Hex(token).slice(0, 8)}>`;
}

function checkShape(facts: PathFacts): void {
  if (facts.kind === "file") return;
  const shape = facts.kind === "link" ? "a symbolic link" : `a ${facts.kind.replace("-", " ")}`;
  throw unusable(
    `it is ${shape}, not a regular file`,
    "Move it away, then make a new one with: theurian auth rotate",
  );
}

function guarded<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof TheurianError) || error.fault === "token-unusable") throw error;
    throw new TheurianError("token-unusable", error.message, {
      remedy: error.remedy,
      ...(error.details === null ? {} : { details: error.details }),
      cause: error,
    });
  }
}

function unusable(why: string, remedy: string): TheurianError {
  return new TheurianError("token-unusable", `Cannot use the bearer token file mcp-token: ${why}`, {
    remedy,
  });
}
