/**
 * Which working trees this machine knows: `projects.json` in the data directory
 * (corpus-and-migrations.md 7.1). It is read on every call; nothing is cached.
 *
 * @module
 */

import { isAbsolute, join, normalize } from "node:path";
import { isFault, TheurianError } from "../platform/errors.ts";
import {
  decodeUtf8,
  describePath,
  parsedOnce,
  realPath,
  replaceFile,
  rereadRegularFile,
} from "../platform/files/mod.ts";
import { sortedJson } from "../platform/json.ts";
import { shellQuote } from "../platform/shell_quote.ts";
import { compareCodePoints } from "../platform/text.ts";
import { ensureDataDirectory } from "./data_directory.ts";
import { withRegistryLock } from "./_registry_lock.ts";

/** What the file holds under one id, as it was written. */
export type StoredEntry = Readonly<Record<string, unknown>>;

/** A registered project whose root can be used. */
export interface RegistryEntry {
  readonly projectId: string;
  /** The root with every link resolved, or as it is spelled where nothing is there. */
  readonly root: string;
  /** Whether something is there. */
  readonly exists: boolean;
  readonly stored: StoredEntry;
}

/** The registry at one moment. */
export interface Registry {
  /** Usable entries by id, whatever the id looks like, in code-point order. */
  readonly entries: ReadonlyMap<string, RegistryEntry>;
  /** Ids whose entry names no usable root, in code-point order. */
  readonly unreadable: readonly string[];
}

/** The registry's file. */
export function registryPath(dataDirectory: string): string {
  return join(dataDirectory, "projects.json");
}

/** Reads the registry; an absent file is an empty one. Throws `registry-unreadable`. */
export function readRegistry(dataDirectory: string): Registry {
  return registryOf(readStored(dataDirectory));
}

/**
 * The usable entry of one id, or `null`: the roots of all the others are not looked at. Throws
 * `registry-unreadable`.
 */
export function readRegistryEntry(dataDirectory: string, projectId: string): RegistryEntry | null {
  return entryOf(projectId, readStored(dataDirectory).get(projectId));
}

/**
 * Reads, changes and replaces the registry under its lock, so that two registrations never lose one.
 * `change` answers the new content, or `null` to leave the file alone; entries it does not touch,
 * unreadable ones included, are kept as they are.
 */
export async function updateRegistry<T>(
  dataDirectory: string,
  change: (registry: Registry, stored: ReadonlyMap<string, unknown>) => {
    readonly stored: ReadonlyMap<string, unknown> | null;
    readonly result: T;
  },
): Promise<T> {
  ensureDataDirectory(dataDirectory);
  return await withRegistryLock(dataDirectory, () => {
    const stored = readStored(dataDirectory);
    const { stored: changed, result } = change(registryOf(stored), stored);
    if (changed !== null) writeStored(dataDirectory, changed);
    return result;
  });
}

function writeStored(dataDirectory: string, stored: ReadonlyMap<string, unknown>): void {
  const content: Record<string, unknown> = Object.create(null);
  for (const [id, entry] of stored) content[id] = entry;
  try {
    replaceFile(registryPath(dataDirectory), `${sortedJson(content)}\n`, {
      mode: 0o600,
      exactMode: true,
      label: "the project registry",
    });
  } catch (cause) {
    if (!isFault(cause)) throw cause;
    // The registry is no project state: a command that cannot write it answers 1.
    throw new TheurianError(cause.fault, cause.message, { remedy: cause.remedy, exit: 1, cause });
  }
}

function registryOf(stored: ReadonlyMap<string, unknown>): Registry {
  const entries = new Map<string, RegistryEntry>();
  const unreadable: string[] = [];
  for (const projectId of [...stored.keys()].sort(compareCodePoints)) {
    const entry = entryOf(projectId, stored.get(projectId));
    if (entry === null) unreadable.push(projectId);
    else entries.set(projectId, entry);
  }
  return { entries, unreadable };
}

/**
 * An entry with the root it names, or `null`. A relative root, or one under `/proc`, would lead to
 * whoever asks, so neither names a project.
 */
function entryOf(projectId: string, stored: unknown): RegistryEntry | null {
  if (typeof stored !== "object" || stored === null || Array.isArray(stored)) return null;
  const entryAt = (root: string, exists: boolean) => ({
    projectId,
    root,
    exists,
    stored: stored as StoredEntry,
  });
  const { rootPath } = stored as { rootPath?: unknown };
  if (typeof rootPath !== "string" || !isAbsolute(rootPath)) return null;
  const normal = normalize(rootPath).replace(/(?<=.)[\\/]+$/, "");
  if (/^\/+proc(?:\/|$)/.test(normal)) return null;
  const real = realPath(rootPath);
  if (real !== null) return /^\/proc(?:\/|$)/.test(real) ? null : entryAt(real, true);
  try {
    return describePath(rootPath) === null ? entryAt(normal, false) : null;
  } catch {
    return null;
  }
}

function readStored(dataDirectory: string): ReadonlyMap<string, unknown> {
  const path = registryPath(dataDirectory);
  const label = "the project registry";
  let bytes: Uint8Array | null;
  try {
    bytes = rereadRegularFile(path, { label });
  } catch (cause) {
    if (!isFault(cause)) throw cause;
    const denied = cause.details?.["errno"] === "EACCES" || cause.details?.["errno"] === "EPERM";
    throw unreadable(path, cause.message, denied ? `chmod u+r ${shellQuote(path)}` : null, cause);
  }
  if (bytes === null) return new Map();
  const stored = parsedStored(bytes);
  if (typeof stored === "string") throw unreadable(path, stored);
  return stored;
}

const parsedStored = parsedOnce(parseStored);

/** What the file holds by id, or why nothing can be read from it. */
function parseStored(bytes: Uint8Array): ReadonlyMap<string, unknown> | string {
  const text = decodeUtf8(bytes);
  if (text === null) return "it is not UTF-8";
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    return "it is not JSON";
  }
  if (typeof content !== "object" || content === null || Array.isArray(content)) {
    return "it is not a JSON object";
  }
  return new Map(Object.entries(content));
}

function unreadable(
  path: string,
  reason: string,
  firstStep: string | null = null,
  cause?: unknown,
): TheurianError {
  const message = cause === undefined ? `Cannot read the project registry: ${reason}` : reason;
  const quoted = shellQuote(path);
  return new TheurianError("registry-unreadable", message, {
    remedy: `${
      firstStep === null ? `Inspect and mend ${quoted}` : `Run ${firstStep}`
    }; deleting it unregisters every project and loses when each was registered`,
    cause,
  });
}
