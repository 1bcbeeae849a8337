/**
 * What setup and doctor say: steps with a status and an outcome, and what became of the run
 * (daemon-and-setup.md 7.2).
 *
 * @module
 */

import { errorKind, TheurianError } from "../platform/errors.ts";
import { codePointLength, firstCodePoints } from "../platform/text.ts";

/** Ids of the steps, in order (7.3). */
export const STEP_IDS = [
  "platform",
  "core-present",
  "artifact-integrity",
  "data-directory",
  "token",
  "token-storage",
  "serving-profile",
  "env-reference",
  "daemon-service",
  "daemon-running",
  "single-instance",
  "project-registered",
  "project-layout",
  "gitignore",
  "mcp-connection",
  "mcp-health",
  "migrations-valid",
  "initial-index",
  "serena-detection",
] as const;
export type StepId = typeof STEP_IDS[number];

export type StepStatus = "satisfied" | "missing" | "conflicting" | "not-applicable";
export type StepOutcome = "unchanged" | "changed" | "failed" | "not-attempted";

/** What a probe found. */
export interface Finding {
  readonly status: StepStatus;
  /** One sentence. */
  readonly summary: string;
  /** What is to be done; never empty when something is missing. */
  readonly action: string;
  /** The difference, or a reservation; never empty on a conflict. */
  readonly detail: string;
  /** Paths an apply may change; empty on a step that applies nothing. */
  readonly paths: readonly string[];
}

/** A step of the report; all keys are always there. */
export interface StepReport extends Finding {
  readonly id: StepId;
  readonly outcome: StepOutcome;
}

export type SetupState =
  | "plan-built"
  | "awaiting-consent"
  | "converged"
  | "degraded"
  | "halted"
  | "aborted";

/** The document of `setup`, and most of doctor's. */
export interface SetupReport {
  readonly state: SetupState;
  readonly dryRun: boolean;
  readonly succeeded: boolean;
  readonly serenaDetected: boolean;
  readonly changedPaths: readonly string[];
  readonly backups: readonly string[];
  readonly warnings: readonly string[];
  readonly steps: readonly StepReport[];
}

/** All is as it should be; `detail` is a reservation. */
export function satisfied(summary: string, detail = ""): Finding {
  return { status: "satisfied", summary, action: "", detail, paths: [] };
}

/** There is something to do; `paths` where setup does it itself. */
export function missing(summary: string, action: string, paths: readonly string[] = []): Finding {
  return { status: "missing", summary, action, detail: "", paths };
}

/** Something else stands there; it is never replaced. */
export function conflicting(summary: string, detail: string, action = ""): Finding {
  return { status: "conflicting", summary, action, detail, paths: [] };
}

/** Nothing to look at here. */
export function notApplicable(summary: string, detail = ""): Finding {
  return { status: "not-applicable", summary, action: "", detail, paths: [] };
}

const DETAIL_LIMIT = 2000;

/** What an exception says in a report; only its kind where the report withholds. */
export function exceptionDetail(error: unknown, withhold: boolean): string {
  const kind = errorKind(error);
  if (withhold || !(error instanceof Error)) return kind;
  const text = `${kind}: ${error.message}`;
  return codePointLength(text) <= DETAIL_LIMIT
    ? text
    : `${firstCodePoints(text, DETAIL_LIMIT)} ... [truncated]`;
}

/** The remedy an exception carries, else none. */
export function exceptionAction(error: unknown, withhold: boolean): string {
  return error instanceof TheurianError && !withhold ? error.remedy : "";
}
