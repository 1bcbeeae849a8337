/**
 * A worker's side: does one job after the other with the tools it was built with.
 *
 * @module
 */

import type { Tool, ToolContext } from "../mcp/tool.ts";
import { systemClock } from "../platform/clock.ts";
import { errorKind, TheurianError } from "../platform/errors.ts";
import { ulidSource } from "../platform/ulid.ts";
import type { Job, Outcome, Rendering } from "./worker_protocol.ts";

/** The two ends of a worker's own port. */
export interface WorkerPort {
  onmessage: ((event: MessageEvent<Job>) => void) | null;
  postMessage(outcome: Outcome): void;
}

/** Answers every job that arrives at `port`. */
export function serveJobs(port: WorkerPort, tools: readonly Tool[], rendering: Rendering): void {
  const known = new Map(tools.map((tool) => [tool.name, tool]));
  const ulids = ulidSource(systemClock);
  port.onmessage = async ({ data: job }) => {
    port.postMessage(await doJob(job, known, rendering, { clock: systemClock, ulids }));
  };
}

async function doJob(
  job: Job,
  tools: ReadonlyMap<string, Tool>,
  rendering: Rendering,
  sources: Pick<ToolContext, "clock" | "ulids">,
): Promise<Outcome> {
  try {
    const tool = tools.get(job.tool)!;
    const context: ToolContext = { ...job.context, ...sources };
    const call = job.step === "answer" ? job.input : tool.check(job.input, context);
    if (job.step === "check") return { kind: "checked", call };
    return { kind: "result", result: rendering.resultOf(await tool.answer(call, context)) };
  } catch (error) {
    if (error instanceof TheurianError && error.fault !== "internal") {
      return { kind: "result", result: rendering.refusalOf(error) };
    }
    return { kind: "defect", what: errorKind(error), frames: framesOf(error) };
  }
}

/** The frames of a stack without its first lines, which repeat the message. */
export function framesOf(error: unknown): string {
  const stack = error instanceof Error ? error.stack ?? "" : "";
  return stack.split("\n").filter((line) => /^\s+at /.test(line)).slice(0, 12)
    .map((line) => line.trim()).join(" | ");
}
