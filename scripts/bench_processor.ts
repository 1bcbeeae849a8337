/**
 * Processor time as the kernel counts it; 0 where it does not tell.
 *
 * @module
 */

/** The kernel counts in hundredths of a second. */
const TICK_MS = 10;

/** Processor time of all children of this process that have ended, in milliseconds. */
export function childProcessorMs(): number {
  return sumOfFields("/proc/self/stat", 16, 17);
}

/** Processor time of a running process, in milliseconds. */
export function processorMsOf(pid: number): number {
  return sumOfFields(`/proc/${pid}/stat`, 14, 15);
}

/** Sum of two fields, counted from 1 as the kernel's manual does; the second one is the name. */
function sumOfFields(path: string, one: number, other: number): number {
  if (Deno.build.os !== "linux") return 0;
  const text = Deno.readTextFileSync(path);
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[one - 3]) + Number(fields[other - 3])) * TICK_MS;
}
