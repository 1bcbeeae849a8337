import { ingestSources, writeManifest } from "../ingest/mod.ts";
import { loadMigrationSet, verifyHistory } from "../knowledge/mod.ts";
import { gitHeadCommit, gitOriginUrl } from "../platform/git.ts";
import { locateProject, publicRepositoryUrl, withWriteLock } from "../projects/mod.ts";
import type { CommandContext, CommandInput, CommandResult } from "./command.ts";

/**
 * Parses every authored source and reports it; stores no body and approves nothing
 * (corpus-and-migrations.md section 17). Exit 4 when a document failed, with the whole report.
 */
export async function run(_input: CommandInput, context: CommandContext): Promise<CommandResult> {
  const project = await locateProject(context.cwd, context.dataDirectory);
  const { root, paths } = project;
  verifyHistory(project, context.dataDirectory, loadMigrationSet(paths));
  const origin = {
    commit: await gitHeadCommit(root),
    repositoryUrl: publicRepositoryUrl(await gitOriginUrl(root)),
  };
  let read = 0;
  const report = ingestSources(paths, origin, () => context.progress.step("Reading", ++read));
  await withWriteLock(paths, () => writeManifest(paths, report.manifest));
  const { documents, failures, warnings, unchanged, skipped } = report;
  return {
    document: {
      ingested: documents.length,
      unchanged,
      skipped,
      failed: failures.length,
      succeeded: failures.length === 0,
      documents,
      failures,
      warnings,
    },
    exit: failures.length === 0 ? 0 : 4,
  };
}
