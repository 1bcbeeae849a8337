import { resolveProgram } from "../platform/resolve_program.ts";
import { TheurianError } from "../platform/errors.ts";
import { describePath } from "../platform/files/mod.ts";
import { clientFilePath, readClientFile, removeEntry } from "./claude_entry.ts";
import { checksumPath } from "./executable_checksum.ts";
import type { ServiceManager } from "./service/mod.ts";

/** What removing works on. */
export interface UninstallWorld {
  readonly home: string | null;
  readonly dataDirectory: string;
  /** Absolute path of this executable, or `null` where it runs from source. */
  readonly executable: string | null;
  readonly manager: ServiceManager | null;
}

/** The document of `uninstall`. */
export interface UninstallReport {
  readonly dryRun: boolean;
  readonly removed: readonly string[];
  readonly warnings: readonly string[];
  readonly kept: readonly string[];
  readonly serviceOnly: true;
}

/**
 * Removes the service and the client's entry, or says what it would remove. Nothing here can delete
 * the data directory, the token or knowledge (daemon-and-setup.md 7.8).
 */
export async function runUninstall(
  world: UninstallWorld,
  dryRun: boolean,
): Promise<UninstallReport> {
  const removed: string[] = [];
  const warnings: string[] = [];
  await removeService(world, dryRun, removed, warnings);
  await removeClientEntry(world, dryRun, removed, warnings);
  const kept = [
    world.dataDirectory,
    ...installed(world.executable),
    "Knowledge stays where it is: in Git, in every repository's .theurian directory",
  ];
  return { dryRun, removed, warnings, kept, serviceOnly: true };
}

/** What an installer put into place; it is removed as it came, by hand or by a package manager. */
function installed(executable: string | null): string[] {
  if (executable === null) return [];
  return [executable, checksumPath(executable)].filter((path) => describePath(path) !== null);
}

async function removeService(
  { manager }: UninstallWorld,
  dryRun: boolean,
  removed: string[],
  warnings: string[],
): Promise<void> {
  if (manager === null || describePath(manager.definitionPath) === null) return;
  if (!dryRun) {
    const { code, output } = await manager.uninstall();
    if (code !== 0) {
      warnings.push(
        `${manager.service}: the service manager answered with code ${code}` +
          (output === "" ? "" : `: ${output}`),
      );
    }
    if (describePath(manager.definitionPath) !== null) return;
  }
  removed.push(manager.definitionPath);
}

async function removeClientEntry(
  { home }: UninstallWorld,
  dryRun: boolean,
  removed: string[],
  warnings: string[],
): Promise<void> {
  if (home === null) return;
  const label = `mcpServers.theurian in ${clientFilePath(home)}`;
  try {
    if (readClientFile(home).entry === null) return;
    if (dryRun) {
      removed.push(label);
      return;
    }
    const why = await clientFailure(home);
    if (why === null) removed.push(label);
    else warnings.push(`${label}: ${why}`);
  } catch (error) {
    if (!(error instanceof TheurianError)) throw error;
    warnings.push(`${label}: ${error.message}`);
  }
}

async function clientFailure(home: string): Promise<string | null> {
  if (resolveProgram("claude") === null) return "the claude command is not on the PATH";
  const { code, output } = await removeEntry(home);
  if (code !== 0) {
    return `the claude command answered with code ${code}${output === "" ? "" : `: ${output}`}`;
  }
  return readClientFile(home).entry === null ? null : "the claude command left it in place";
}
