import { join } from "node:path";
import { errorKind, TheurianError } from "../platform/errors.ts";
import { describePath, ensureDirectory, type PathFacts, realPath } from "../platform/files/mod.ts";
import { shellQuote } from "../platform/shell_quote.ts";

/** Everything the daemon and setup keep under the data directory (daemon-and-setup.md 9.1). */
export function dataPaths(dataDirectory: string) {
  return {
    auth: join(dataDirectory, "auth"),
    token: join(dataDirectory, "auth", "mcp-token"),
    servingProfile: join(dataDirectory, "auth", "serving-profile"),
    env: join(dataDirectory, "env"),
    lock: join(dataDirectory, "daemon.lock"),
    log: join(dataDirectory, "daemon.log"),
    journal: join(dataDirectory, "setup-journal.jsonl"),
    registry: join(dataDirectory, "projects.json"),
  } as const;
}

/** True when nobody but the owner has any right; systems without such bits have nothing to check. */
export function isPrivate(facts: PathFacts): boolean {
  return Deno.build.os === "windows" || (facts.mode & 0o077) === 0;
}

/** True when group or others may write. */
export function isSharedForWriting(facts: PathFacts): boolean {
  return Deno.build.os !== "windows" && (facts.mode & 0o022) !== 0;
}

/** Permission bits as a person writes them, such as `0644`. */
export function octal(mode: number): string {
  return (mode & 0o7777).toString(8).padStart(4, "0");
}

/**
 * Creates the data directory (0700) when it is absent and answers its real path. Throws
 * `data-directory-unusable` when it cannot be one, or when group or others may write to it
 * (daemon-and-setup.md 3.1).
 */
export function openDataDirectory(path: string): string {
  try {
    ensureDirectory(path, { mode: 0o700 });
  } catch (error) {
    throw unusable(path, error);
  }
  const real = realPath(path);
  if (real === null) throw unusable(path, null);
  refuseShared(real);
  return real;
}

/**
 * Refuses a data directory that is something else or that group or others may write to; an absent
 * one holds nothing to refuse. Throws `data-directory-unusable`.
 */
export function refuseShared(path: string): void {
  const facts = describePath(path);
  if (facts === null) return;
  if (facts.kind !== "directory") throw unusable(path, null);
  if (!isSharedForWriting(facts)) return;
  throw new TheurianError(
    "data-directory-unusable",
    `Cannot use the data directory: its mode ${octal(facts.mode)} lets others write to it`,
    { remedy: `Take that right back with: chmod 700 ${shellQuote(path)}` },
  );
}

function unusable(path: string, cause: unknown): TheurianError {
  const why = cause instanceof TheurianError ? `: ${cause.message}` : "";
  return new TheurianError("data-directory-unusable", `Cannot use the data directory${why}`, {
    remedy: `Make ${shellQuote(path)} a directory you can write to, or set THEURIAN_DATA_DIR to ` +
      "another one",
    details: { kind: errorKind(cause) },
    cause,
  });
}
