import { TheurianError } from "../../platform/errors.ts";
import { commitTouchesPath } from "../../platform/git_objects/mod.ts";
import { shellQuote } from "../../platform/shell_quote.ts";
import { cut, escapeControls } from "../../platform/text.ts";
import { GATE_SIGNALS, type GateSignal, type UnmetSignal, unmetSignals } from "./gate.ts";
import type { ResolvedThread } from "./resolve_thread.ts";

/** Characters of a stored value that a refusal repeats. */
const SHOWN = 200;

/** What was asked of the gate. */
export interface GateRequest {
  readonly root: string;
  readonly repository: string;
  readonly recordKey: string;
  /** 40 or 64 lower-case hex digits. */
  readonly fixCommit: string;
}

/**
 * Evaluates the gate and gives its seven signals, all met. Throws `review-unusable` with every unmet
 * one. The fix commit is looked up in the repository's files; nothing is started.
 */
export function checkGate(
  request: GateRequest,
  resolved: ResolvedThread,
): Readonly<Record<GateSignal, true>> {
  const { thread, pullRequest, filePath } = resolved;
  const fixCommitVerified = commitTouchesPath(request.root, request.fixCommit, filePath);
  const unmet = unmetSignals({ thread, pullRequest, fixCommitVerified });
  if (unmet.length > 0) throw refusal(request, filePath, unmet);
  return Object.fromEntries(GATE_SIGNALS.map((signal) => [signal, true])) as Record<
    GateSignal,
    true
  >;
}

function refusal(
  { repository, recordKey }: GateRequest,
  filePath: string,
  unmet: readonly UnmetSignal[],
): TheurianError {
  const reasons = unmet.map(({ signal, reason }) => `${signal}: ${reason}`).join("; ");
  const cures = new Set(
    unmet.map(({ signal }) =>
      signal === "fix_commit_present"
        ? `Send a fixCommit that changed the file; \`git log --format=%H -- ${
          shellQuote(cut(escapeControls(filePath), SHOWN))
        }\` lists those that did`
        : `Refresh the evidence with \`theurian review ingest ${cut(repository, SHOWN)}\` and ` +
          "`theurian review build`, or choose another thread"
    ),
  );
  return new TheurianError(
    "review-unusable",
    `Cannot draft a candidate from "${cut(escapeControls(recordKey), SHOWN)}": ${reasons}`,
    { remedy: [...cures].join(". ") },
  );
}
