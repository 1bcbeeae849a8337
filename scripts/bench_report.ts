/**
 * What a run prints and writes.
 *
 * @module
 */

import { type Measure, median, ratioOf } from "./bench_samples.ts";

/** Measures of one size of corpus. */
export interface SizeResult {
  /** A number of items, or the name of a real project. */
  readonly items: number | string;
  readonly measures: readonly Measure[];
}

/** The machine, as far as it explains the numbers. */
export interface Machine {
  readonly system: string;
  readonly processor: string;
  readonly cores: number;
  readonly memoryGigabytes: number;
  /** Processes that wanted to run, over the last minute, before the run. */
  readonly load: number;
  readonly ours: string;
  readonly peer: string | null;
}

/** Describes this machine. */
export function describeMachine(ours: string, peer: string | null): Machine {
  const processor = /^model name\s*:\s*(.*)$/m.exec(textOf("/proc/cpuinfo"))?.[1] ?? "unknown";
  return {
    system: `${Deno.build.os} ${Deno.build.arch} ${Deno.osRelease()}`,
    processor,
    cores: navigator.hardwareConcurrency,
    memoryGigabytes: Math.round(Deno.systemMemoryInfo().total / 2 ** 30),
    load: Deno.loadavg()[0]!,
    ours,
    peer,
  };
}

function textOf(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return "";
    throw error;
  }
}

/** A Markdown table of one size: middle value, and the ratio with its least and most. */
export function tableOf({ items, measures }: SizeResult): string {
  const hasPeer = measures.some((measure) => measure.peer.length > 0);
  const head = hasPeer
    ? ["measure", "ours", "peer", "ratio", "least–most", "processor", "aim"]
    : ["measure", "ours", "least–most"];
  const rows = measures.map((measure) => hasPeer ? comparedRow(measure) : ownRow(measure));
  const title = typeof items === "number" ? `${items.toLocaleString("en")} items` : items;
  return `### ${title}\n\n${aligned([head, ...rows])}\n`;
}

function comparedRow(measure: Measure): string[] {
  const ratio = ratioOf(measure);
  const times = (value: number) => `${value.toFixed(value < 10 ? 1 : 0)}×`;
  const missed = ratio !== null && measure.target !== undefined && ratio.middle < measure.target;
  return [
    measure.name,
    amount(median(measure.ours), measure.unit),
    amount(median(measure.peer), measure.unit),
    ratio === null ? "" : times(ratio.middle),
    ratio === null ? "" : `${times(ratio.least)}–${times(ratio.most)}`,
    measure.processor === undefined ? "" : times(measure.processor.peer / measure.processor.ours),
    measure.target === undefined ? "" : `${measure.target}×${missed ? " missed" : ""}`,
  ];
}

function ownRow({ name, ours, unit }: Measure): string[] {
  const range = `${amount(Math.min(...ours), unit)}–${amount(Math.max(...ours), unit)}`;
  return [name, amount(median(ours), unit), range];
}

function amount(value: number, unit: string): string {
  return `${value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0)} ${unit}`;
}

function aligned(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const line = (row: readonly string[]) =>
    `| ${
      row.map((cell, i) => i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!)).join(
        " | ",
      )
    } |`;
  const rule = `|${
    widths.map((width, i) => "-".repeat(width + 1) + (i === 0 ? "-" : ":")).join("|")
  }|`;
  return [line(rows[0]!), rule, ...rows.slice(1).map(line)].join("\n");
}
