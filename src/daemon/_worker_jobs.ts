/**
 * A worker's side: does one job after the other with the tools it was built with.
 *
 * @module
 */

import type { Places } from "../mcp/mod.ts";
import type { CheckedCall, Tool, ToolContext } from "../mcp/tool.ts";
import { printExactJson } from "../platform/exact_json.ts";
import { systemClock } from "../platform/clock.ts";
import { errorKind, TheurianError } from "../platform/errors.ts";
import type { JsonObject } from "../platform/json.ts";
import { ulidSource } from "../platform/ulid.ts";
import type { Job, JobRunner, Outcome, Rendering, SentJob } from "./_worker_protocol.ts";

/** The two ends of a worker's own port. */
export interface WorkerPort {
  onmessage: ((event: MessageEvent<SentJob>) => void) | null;
  postMessage(outcome: Outcome): void;
}

/**
 * Answers every job that arrives at `port`. What nothing catches is reported as a fatal defect: the
 * runtime would print it, message and all.
 */
export function serveJobs(port: WorkerPort, tools: readonly Tool[], rendering: Rendering): void {
  const { run } = sameThread(tools, rendering);
  let context: Job["context"];
  port.onmessage = async ({ data: job }) => {
    if (job.context !== undefined) context = job.context;
    port.postMessage(await run({ ...job, context }));
  };
  const stray = (event: Event, error: unknown) => {
    event.preventDefault();
    port.postMessage({ ...defectOf(error), fatal: true });
  };
  addEventListener("error", (event) => stray(event, event.error));
  addEventListener("unhandledrejection", (event) => stray(event, event.reason));
}

/** Does jobs on the thread that asks. */
export function sameThread(tools: readonly Tool[], rendering: Rendering): JobRunner {
  const known = new Map(tools.map((tool) => [tool.name, tool]));
  const sources = { clock: systemClock, ulids: ulidSource(systemClock) };
  return { run: (job) => doJob(job, known, rendering, sources) };
}

async function doJob(
  job: Job,
  tools: ReadonlyMap<string, Tool>,
  rendering: Rendering,
  sources: Pick<ToolContext, "clock" | "ulids">,
): Promise<Outcome> {
  let call: CheckedCall | null = null;
  try {
    const tool = tools.get(job.tool)!;
    const context: ToolContext = { ...job.context, ...sources };
    call = job.step === "answer" ? job.input : tool.check(job.input, context);
    if (job.step === "check") return { kind: "checked", call };
    return printed(rendering.resultOf(await tool.answer(call, context)));
  } catch (error) {
    if (error instanceof TheurianError && error.fault !== "internal") {
      return printed(rendering.refusalOf(error, placesOf(job, call)));
    }
    return defectOf(error);
  }
}

/** Once a call is checked it holds the root of the project that it resolved. */
function placesOf({ context }: Job, call: CheckedCall | null): Places {
  const root = call?.["root"] ?? (call?.["store"] as JsonObject | undefined)?.["root"];
  return { dataDirectory: context.dataDirectory, ...(typeof root === "string" ? { root } : {}) };
}

function printed(result: JsonObject): Outcome {
  return { kind: "result", json: printExactJson(result) };
}

function defectOf(error: unknown): Outcome & { readonly kind: "defect" } {
  return { kind: "defect", what: errorKind(error), frames: framesOf(error) };
}

/** The frames of a stack without its first lines, which repeat the message. */
export function framesOf(error: unknown): string {
  const stack = error instanceof Error ? error.stack ?? "" : "";
  return stack.split("\n").filter((line) => /^\s+at /.test(line)).slice(0, 12)
    .map((line) => line.trim()).join(" | ");
}
