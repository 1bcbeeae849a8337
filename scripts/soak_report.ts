import type { Interval, LoadReport } from "./soak_watch.ts";

/** The numbers of a load, as lines of a page. */
export function soakReport(report: LoadReport): string[] {
  const { memoryMiB, descriptors, counts } = report;
  return [
    `- ${report.calls} calls in ${report.seconds} s; median ${report.median} ms, 99th percentile ` +
    `${report.p99} ms, worst ${report.worst} ms`,
    `- memory: ${memoryMiB[0]} MiB in the second sixth of the time, ${
      memoryMiB[1]
    } MiB in the last`,
    `- descriptors: ${descriptors[0]} in the second sixth, ${descriptors[1]} in the last`,
    `- ${Object.entries(counts).sort().map(([name, count]) => `${name} ${count}`).join(", ")}`,
    `- wrong answers and failures: ${report.wrong.length}`,
    ...report.wrong.map((line) => `  - ${line}`),
    "",
    "| s | calls | median ms | worst ms | MiB | descriptors |",
    "| --: | --: | --: | --: | --: | --: |",
    ...thinned(report.intervals).map((
      { at, calls, median, worst, memoryMiB: mib, descriptors: d },
    ) => `| ${at} | ${calls} | ${median} | ${worst} | ${mib} | ${d} |`),
  ];
}

/** Twelve rows at most. */
function thinned(intervals: readonly Interval[]): Interval[] {
  const step = Math.max(1, Math.ceil(intervals.length / 12));
  return intervals.filter((_, n) => n % step === step - 1);
}
