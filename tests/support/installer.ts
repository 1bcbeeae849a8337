/**
 * A home of its own for an installer, and programs that tell whether they were run.
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { CHECKOUT } from "../../scripts/program.ts";
import type { FakeRelease } from "./release_server.ts";

const SCRIPT = join(CHECKOUT, "scripts/install.sh");

/** A home, and the installer in it. */
export interface Place extends Disposable {
  readonly root: string;
  readonly home: string;
  readonly bin: string;
  /** A file that the fake program makes when it runs. */
  readonly ran: string;
  install(args: readonly string[], options?: Setting): Promise<Outcome>;
  spawn(args: readonly string[]): Deno.ChildProcess;
  /** Every path below the home. */
  listing(): string[];
}

/** What an installer finds around it. */
export interface Setting {
  readonly path?: string;
  readonly shell?: readonly string[];
}

/** How it ended. */
export interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Makes a home; disposing removes it. */
export function newPlace(): Place {
  const root = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "release-install-" }));
  const [home, temporary] = [join(root, "home"), join(root, "tmp")];
  for (const directory of [home, temporary]) Deno.mkdirSync(directory);
  const command = (args: readonly string[], { path, shell }: Setting = {}) => {
    const [program, ...before] = shell ?? ["sh"];
    return new Deno.Command(program!, {
      args: [...before, SCRIPT, ...args],
      cwd: root,
      clearEnv: true,
      env: { HOME: home, TMPDIR: temporary, PATH: path ?? Deno.env.get("PATH") ?? "" },
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    });
  };
  return {
    root,
    home,
    bin: join(home, ".local/bin"),
    ran: join(root, "ran"),
    async install(args, setting) {
      const { code, stdout, stderr } = await command(args, setting).output();
      const decoder = new TextDecoder();
      const left = [...Deno.readDirSync(temporary)];
      assert.deepEqual(left, [], "nothing is left in the temporary folder");
      return { code, out: decoder.decode(stdout), err: decoder.decode(stderr) };
    },
    spawn: (args) => command(args).spawn(),
    listing: () => list(home),
    [Symbol.dispose]: () => Deno.removeSync(root, { recursive: true }),
  };
}

/** Every path below a directory. */
export function list(directory: string, prefix = ""): string[] {
  return [...Deno.readDirSync(directory)].flatMap((entry) => {
    const name = `${prefix}${entry.name}`;
    return entry.isDirectory ? [name, ...list(join(directory, entry.name), `${name}/`)] : [name];
  }).sort();
}

/** A program that says its version and leaves a trace of having run. */
export function release(
  place: Place,
  version: string,
  over: Partial<FakeRelease> = {},
): FakeRelease {
  const text = `#!/bin/sh\n: > '${place.ran}'\nprintf '{\\n  "version": "${version}"\\n}\\n'\n`;
  return { version, program: new TextEncoder().encode(text), ...over };
}

/**
 * Runs a program that this process has just written. Another test that starts a child at the same
 * moment holds the file open for writing until that child runs its own program.
 */
export async function outputOfNewFile(command: Deno.Command): Promise<Deno.CommandOutput> {
  for (let attempt = 1;; attempt++) {
    try {
      return await command.output();
    } catch (error) {
      const busy = (error as { code?: unknown }).code === "ETXTBSY" ||
        String(error).includes("Text file busy");
      if (!busy || attempt === 50) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

/** The version that an executable says. */
export async function said(path: string): Promise<string> {
  const { code, stdout } = await new Deno.Command(path, { args: ["version", "--json"] }).output();
  assert.equal(code, 0);
  return JSON.parse(new TextDecoder().decode(stdout)).version;
}

/** Path of a tool of this machine, or `null`. */
export function whereIs(tool: string): string | null {
  for (const folder of (Deno.env.get("PATH") ?? "").split(":")) {
    try {
      if (Deno.statSync(join(folder, tool)).isFile) return join(folder, tool);
    } catch {
      // Not here.
    }
  }
  return null;
}
