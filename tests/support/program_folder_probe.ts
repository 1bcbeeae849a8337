/**
 * Makes a directory that is there already and holds a program that may be started, somewhere below.
 * Run under the shipped permissions; prints what the naive way and the door's way answer.
 *
 * @module
 */

import { ensureDirectory } from "../../src/platform/files/mod.ts";

const [folder] = Deno.args as [string];

function naively(): string {
  try {
    Deno.mkdirSync(folder);
    return "made";
  } catch (error) {
    return (error as Error).name;
  }
}

console.log(`${naively()} ${ensureDirectory(folder)}`);
