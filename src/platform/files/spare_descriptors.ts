import { closeSync, constants, openSync } from "node:fs";
import { openChecked } from "./_checked_open.ts";

const QUICKLY = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/**
 * How many more files this process may open, counted no further than `most`: the runtime does not
 * tell the limit, and ends the process when a thread cannot be started for want of descriptors.
 * `path` is any regular file that can be read. About two milliseconds for 400.
 */
export function countSpareDescriptors(path: string, most: number): number {
  const held: number[] = [];
  try {
    const first = openChecked(path, "read", {});
    if (first !== null) held.push(first.descriptor);
    // Nothing is read: a link or a pipe that replaced the file meanwhile does no harm.
    while (first !== null && held.length < most) held.push(openSync(path, QUICKLY));
  } catch {
    // No further one: that is the answer.
  } finally {
    for (const descriptor of held) closeSync(descriptor);
  }
  return held.length;
}
