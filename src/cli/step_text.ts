import { SetupReport, StepReport } from "../setup/mod.ts";

/** One line a step, with what to do and the difference indented below (daemon-and-setup.md 2). */
export function stepLines({ steps }: SetupReport): string[] {
  const width = Math.max(...steps.map((step) => wordOf(step).length));
  return steps.flatMap((step) => [
    `${wordOf(step).padEnd(width)}  ${step.id}: ${step.summary}`,
    ...indented("action", step.action),
    ...indented("detail", step.detail),
  ]);
}

function wordOf({ status, outcome }: StepReport): string {
  return outcome === "changed" || outcome === "failed" ? `${status} (${outcome})` : status;
}

function indented(label: string, text: string): string[] {
  if (text === "") return [];
  const [first = "", ...rest] = text.split("\n");
  return [`  ${label}: ${first}`, ...rest.map((line) => `    ${line}`)];
}
