/**
 * Words that must not come out where they did not belong, and a net to look for them.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";

/** One word for each place that something could leak from. */
export const CANARIES = {
  restricted: "qz1restrictedcanary",
  draft: "qz2draftcanary",
  superseded: "qz3supersededcanary",
  deprecated: "qz4deprecatedcanary",
  argument: "qz5argumentcanary",
  environment: "qz6environmentcanary",
  file: "qz7brokenfilecanary",
} as const;

export type CanaryName = keyof typeof CANARIES;

/** What was said, and where. */
export interface Utterance {
  readonly where: string;
  readonly text: string;
}

/** Fails when one of the words was said; the token counts as a word of its own. */
export function assertSilent(said: readonly Utterance[], words: readonly string[]): void {
  const found = said.flatMap(({ where, text }) =>
    words.filter((word) => text.toLowerCase().includes(word.toLowerCase()))
      .map((word) => `${word} in ${where}: …${around(text, word)}…`)
  );
  assert.deepEqual(found, []);
}

function around(text: string, word: string): string {
  const at = text.toLowerCase().indexOf(word.toLowerCase());
  return JSON.stringify(text.slice(Math.max(0, at - 120), at + word.length + 40));
}

/** The content of every file below `directory` whose path `wanted` takes, byte for byte. */
export function filesBelow(
  directory: string,
  wanted: (path: string) => boolean = () => true,
): Utterance[] {
  const decoder = new TextDecoder("latin1");
  const said: Utterance[] = [];
  const walk = (at: string) => {
    for (const { name, isDirectory, isFile } of Deno.readDirSync(at)) {
      const path = join(at, name);
      if (isDirectory) walk(path);
      else if (isFile && wanted(path)) {
        said.push({ where: path, text: decoder.decode(Deno.readFileSync(path)) });
      }
    }
  };
  walk(directory);
  return said;
}
