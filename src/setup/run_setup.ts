/**
 * Setup: probe, ask for consent, apply what is missing, probe again (daemon-and-setup.md 7.4).
 *
 * @module
 */

import { dataPaths } from "../daemon/mod.ts";
import { describePath } from "../platform/files/mod.ts";
import { envBlock } from "./env_block.ts";
import { appendToJournal } from "./journal.ts";
import { probeSteps } from "./probe_steps.ts";
import {
  exceptionDetail,
  type Finding,
  type SetupReport,
  type SetupState,
  type StepId,
  type StepOutcome,
  type StepReport,
} from "./report.ts";
import type { SetupWorld } from "./setup_world.ts";
import type { SetupStep } from "./setup_step.ts";
import { STEPS } from "./steps.ts";

/** What the person at the keyboard allowed. */
export interface SetupConsent {
  readonly dryRun: boolean;
  /** Leave what conflicts and do the rest. */
  readonly approveConflicts: boolean;
}

type Findings = ReadonlyMap<StepId, Finding>;

/** Runs setup. Throws `data-directory-unusable` for a path no shell file could hold. */
export async function runSetup(world: SetupWorld, consent: SetupConsent): Promise<SetupReport> {
  envBlock(dataPaths(world.dataDirectory).token);
  const plan = await probeSteps(world);
  const blocked = STEPS.filter((step) => step.blocks && isConflict(plan, step));
  if (blocked.length > 0) {
    return stopped("aborted", plan, consent.dryRun, warningsOf(plan, blocked));
  }
  if (consent.dryRun) return stopped("plan-built", plan, true, []);
  const conflicts = STEPS.filter((step) => isConflict(plan, step));
  if (conflicts.length > 0 && !consent.approveConflicts) {
    return stopped("awaiting-consent", plan, false, warningsOf(plan, conflicts));
  }
  const applied = await applyMissing(world, plan);
  if (applied.halted) return report("halted", plan, applied, failuresOf(applied));
  const after = await probeSteps(world);
  const warnings = reservations(world, after, applied);
  return report(warnings.length === 0 ? "converged" : "degraded", after, applied, warnings);
}

/** The plan as a report, nothing attempted; what `doctor` shows too. */
export function stopped(
  state: SetupState,
  plan: Findings,
  dryRun: boolean,
  warnings: readonly string[],
): SetupReport {
  const nothing: Applied = { outcomes: new Map(), changedPaths: [], failures: new Map() };
  return { ...report(state, plan, nothing, warnings), dryRun };
}

interface Applied {
  readonly outcomes: ReadonlyMap<StepId, StepOutcome>;
  readonly changedPaths: readonly string[];
  /** Why a step failed. */
  readonly failures: ReadonlyMap<StepId, string>;
}

interface Applying extends Applied {
  readonly outcomes: Map<StepId, StepOutcome>;
  readonly halted: boolean;
}

async function applyMissing(world: SetupWorld, plan: Findings): Promise<Applying> {
  const outcomes = new Map<StepId, StepOutcome>();
  const changed = new Set<string>();
  const failures = new Map<StepId, string>();
  let journaled = false;
  let halted = false;
  const note = (step: StepId, event: "applied" | "failed", detail: string) => {
    if (appendToJournal(world.dataDirectory, { step, event, detail })) journaled = true;
  };
  for (const step of STEPS) {
    const finding = plan.get(step.id)!;
    if (halted) outcomes.set(step.id, "not-attempted");
    if (halted || step.apply === undefined || finding.status !== "missing") continue;
    const before = finding.paths.map(markOf);
    try {
      await step.apply(world);
      outcomes.set(step.id, "changed");
      for (const path of finding.paths) changed.add(path);
      note(step.id, "applied", finding.action);
    } catch (error) {
      const detail = exceptionDetail(error, false);
      outcomes.set(step.id, "failed");
      finding.paths.forEach((path, i) => {
        const mark = markOf(path);
        if (mark === null || mark !== before[i]) changed.add(path);
      });
      failures.set(step.id, detail);
      note(step.id, "failed", detail);
      halted = step.critical === true;
    }
  }
  if (journaled) changed.add(dataPaths(world.dataDirectory).journal);
  return { outcomes, changedPaths: [...changed], failures, halted };
}

/** What moves when a path changes; `null` where it cannot be observed. */
function markOf(path: string): string | null {
  try {
    const facts = describePath(path);
    if (facts === null) return "absent";
    return [facts.inode, facts.mode, facts.size, facts.modifiedNs].join(":");
  } catch {
    return null;
  }
}

/** Everything a person should know of a machine that setup has been over. */
function reservations(world: SetupWorld, after: Findings, applied: Applying): string[] {
  const warnings = failuresOf(applied);
  const failed = (step: SetupStep) => applied.outcomes.get(step.id) === "failed";
  for (const step of STEPS) {
    const finding = after.get(step.id)!;
    const open = finding.status === "missing" || finding.status === "conflicting";
    const reserved = finding.status === "satisfied" ||
      (step.id === "daemon-service" && world.manager === null);
    if (open && !failed(step)) warnings.push(warningOf(step, finding));
    else if (reserved && finding.detail !== "") warnings.push(`${step.id}: ${finding.detail}`);
  }
  return warnings;
}

function failuresOf({ failures }: Applied): string[] {
  return [...failures].map(([id, detail]) => `${id}: ${detail}`);
}

function warningsOf(plan: Findings, steps: readonly SetupStep[]): string[] {
  return steps.map((step) => warningOf(step, plan.get(step.id)!));
}

function warningOf(step: SetupStep, { status, summary, action, detail }: Finding): string {
  return `${step.id}: ${status === "conflicting" ? detail : `${summary}. ${action}`}`;
}

function isConflict(plan: Findings, step: SetupStep): boolean {
  return plan.get(step.id)!.status === "conflicting";
}

function report(
  state: SetupState,
  findings: Findings,
  { outcomes, changedPaths, failures }: Applied,
  warnings: readonly string[],
): SetupReport {
  const attempted = state === "halted" || state === "converged" || state === "degraded";
  const steps: StepReport[] = STEPS.map(({ id }) => {
    const outcome = outcomes.get(id) ?? (attempted ? "unchanged" : "not-attempted");
    const finding = findings.get(id)!;
    return { id, outcome, ...finding, detail: failures.get(id) ?? finding.detail };
  });
  return {
    state,
    dryRun: false,
    succeeded: state === "converged" || state === "degraded",
    serenaDetected: findings.get("serena-detection")!.status === "satisfied",
    changedPaths,
    backups: [],
    warnings,
    steps,
  };
}
