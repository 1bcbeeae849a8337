/**
 * What the main thread and a worker say to each other. Plain data, cloned on the way.
 *
 * @module
 */

import type { Places } from "../mcp/mod.ts";
import type { CheckedCall, Grant } from "../mcp/tool.ts";
import type { JsonObject } from "../platform/json.ts";

/** The part of a tool's context that crosses to a worker; clock and ids are made there. */
export interface WorkerContext {
  readonly dataDirectory: string;
  readonly grant: Grant;
  readonly toolNames: readonly string[];
}

/** Which part of a call to do. */
export type Step = "check" | "answer" | "whole";

/** One piece of work. */
export interface Job {
  readonly tool: string;
  readonly step: Step;
  /** Arguments, or what `check` returned when the step is `answer`. */
  readonly input: JsonObject;
  readonly context: WorkerContext;
}

/** A job on its way to a worker: the context goes along only when it is not the one before. */
export type SentJob = Omit<Job, "context"> & Partial<Pick<Job, "context">>;

/** What became of a job. */
export type Outcome =
  | { readonly kind: "checked"; readonly call: CheckedCall }
  /**
   * A tool result for the wire, a success or a refusal, as JSON text: one text crosses to another
   * thread in a fraction of the time that all its parts take.
   */
  | { readonly kind: "result"; readonly json: string }
  /**
   * A defect: its kind and frames go to the log, a constant refusal to the caller. After a fatal
   * one the thread is replaced.
   */
  | {
    readonly kind: "defect";
    readonly what: string;
    readonly frames: string;
    readonly fatal?: boolean;
  };

/** Does jobs: a pool of threads, or the asking thread itself. */
export interface JobRunner {
  run(job: Job): Promise<Outcome>;
}

/** How results are put on the wire. */
export interface Rendering {
  resultOf(payload: JsonObject): JsonObject;
  /** The refusal of an error, with what lies in `places` named from there. */
  refusalOf(error: unknown, places?: Places): JsonObject;
}
