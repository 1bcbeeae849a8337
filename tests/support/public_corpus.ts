/**
 * The public corpus: an archive outside the repository that `THEURIAN_PUBLIC_CORPUS` names.
 *
 * @module
 */

import assert from "node:assert/strict";

/** The archive, or `undefined` where the variable names no file. */
export const PUBLIC_CORPUS: string | undefined = archive();

function archive(): string | undefined {
  const path = Deno.env.get("THEURIAN_PUBLIC_CORPUS");
  try {
    return path !== undefined && Deno.statSync(path).isFile ? path : undefined;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/** Name of a test over the corpus: says so when it does not run. */
export function corpusTestName(name: string): string {
  return PUBLIC_CORPUS === undefined
    ? `${name} (did not run: THEURIAN_PUBLIC_CORPUS names no archive)`
    : name;
}

/** Unpacks the archive into a folder of its own for the time of `work`. */
export async function withPublicCorpus(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "theurian-corpus-" }));
  try {
    const { success } = await new Deno.Command("tar", {
      args: ["-xzf", PUBLIC_CORPUS!, "-C", folder],
    }).output();
    assert.ok(success);
    await work(folder);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}
