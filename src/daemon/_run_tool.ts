import type { Tool } from "../mcp/tool.ts";
import { TheurianError } from "../platform/errors.ts";
import { printExactJson } from "../platform/exact_json.ts";
import type { JsonObject } from "../platform/json.ts";
import { Gate } from "./_gate.ts";
import type { Log } from "./log.ts";
import type { Job, JobRunner, Outcome, Rendering, WorkerContext } from "./_worker_protocol.ts";

/** One runner a lane, so that no lane waits behind another. */
export interface Lanes {
  readonly read: JobRunner;
  readonly gated: JobRunner;
  readonly draft: JobRunner;
}

/** What running a tool takes. */
export interface ToolRun {
  readonly tools: readonly Tool[];
  readonly lanes: Lanes;
  readonly rendering: Rendering;
  /** Refusal of the published input schema, or `null` when the call may go on. */
  readonly refusedBySchema: (name: string, input: JsonObject) => JsonObject | null;
  /** The context that counts now; a reload replaces the grant. */
  readonly context: () => WorkerContext;
  readonly log: Log;
  readonly newGate?: () => Gate;
}

/** Answers one `tools/call` with a tool result as JSON text; never throws (retrieval.md section 1). */
export type CallTool = (name: string, input: JsonObject) => Promise<string>;

/** Runs tools on their lanes, the heavy ones behind a gate each. */
export function toolCaller(run: ToolRun): CallTool {
  const tools = new Map(run.tools.map((tool) => [tool.name, tool]));
  const newGate = run.newGate ?? (() => new Gate());
  const gates = new Map(
    run.tools.filter((tool) => tool.lane === "gated").map((tool) => [tool.name, newGate()]),
  );
  return async (name, input) => {
    const refused = run.refusedBySchema(name, input);
    if (refused !== null) return printExactJson(refused);
    const tool = tools.get(name)!;
    const job = { tool: name, input, context: run.context() };
    const outcome = tool.lane === "gated"
      ? await runGated(run.lanes, gates.get(name)!, job)
      : await run.lanes[tool.lane].run({ ...job, step: "whole" });
    return render(outcome, name, run);
  };
}

/**
 * With a permit at hand one thread checks and answers. Without, the checks run on the read lane
 * first, so that a call the tool refuses anyway never waits for a permit.
 */
async function runGated(lanes: Lanes, gate: Gate, job: Omit<Job, "step">): Promise<Outcome | null> {
  let permit = gate.tryAcquire();
  let next: Job = { ...job, step: "whole" };
  if (permit === null) {
    const checked = await lanes.read.run({ ...job, step: "check" });
    if (checked.kind !== "checked") return checked;
    next = { ...job, step: "answer", input: checked.call };
    permit = await gate.acquire();
  }
  if (permit === null) return null;
  try {
    return await lanes.gated.run(next);
  } finally {
    permit.release();
  }
}

function render(outcome: Outcome | null, name: string, { rendering, log }: ToolRun): string {
  if (outcome === null) return printExactJson(rendering.refusalOf(atCapacity(name)));
  if (outcome.kind === "result") return outcome.json;
  const what = outcome.kind === "defect" ? outcome.what : "half-done";
  log(
    "error",
    "tool-defect",
    outcome.kind === "defect" ? `${what} ${outcome.frames}`.trim() : what,
  );
  return printExactJson(rendering.refusalOf(internalFault()));
}

/** The admission refusal: one constant a tool, retryable (retrieval.md section 10). */
export function atCapacity(tool: string): TheurianError {
  return new TheurianError(
    "capacity",
    `Cannot answer now: ${tool} is at its capacity of 4 concurrent calls`,
    { remedy: "Retry in a second", retryAfterSeconds: 1 },
  );
}

/** What a caller learns of a defect: that it is ours, and nothing else. */
export function internalFault(): TheurianError {
  return new TheurianError("internal", "Cannot answer: the daemon met an internal error", {
    remedy: "Retry once; if it persists, run `theurian doctor` and read `theurian daemon logs`",
  });
}
