/** The scripts that a newcomer runs first: the demonstration and the sample's smoke test. */

import assert from "node:assert/strict";
import { freePort } from "../../scripts/daemon.ts";
import { CHECKOUT, findProgram } from "../../scripts/program.ts";

const program = findProgram();

async function runScript(
  path: string,
  args: readonly string[],
  env: Record<string, string>,
): Promise<{ code: number; stdout: string; stderr: string }> {
  const { code, stdout, stderr } = await new Deno.Command("sh", {
    args: [path, ...args],
    cwd: "/",
    env,
    stdin: "null",
  }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, stdout: text(stdout), stderr: text(stderr) };
}

/** An executable file that starts the program, also where the program is the source. */
async function asExecutable(folder: string): Promise<string> {
  const words = [program.command, ...program.prefix].map((word) => `'${word}'`).join(" ");
  const names = Object.entries(program.environment).map(([name, value]) => `${name}='${value}' `);
  const path = `${folder}/theurian`;
  await Deno.writeTextFile(path, `#!/bin/sh\n${names.join("")}exec ${words} "$@"\n`, {
    mode: 0o755,
  });
  return path;
}

Deno.test("demo.sh answers a question with its sources and leaves nothing behind", async () => {
  const folder = await Deno.makeTempDir({ prefix: "theurian-demo-test-" });
  try {
    const { code, stdout, stderr } = await runScript(
      `${CHECKOUT}/scripts/demo.sh`,
      [],
      { TMPDIR: folder },
    );
    assert.equal(code, 0, stderr);
    assert.match(stdout, /1\. Order cancellation\n {5}domain\.order-cancellation, revision/);
    assert.match(
      stdout,
      /from git:\/\/sample-project\/docs\/domain\/order-cancellation\.md, lines/,
    );
    assert.match(stdout, /The daemon was stopped and ended with 0/);
    for (const line of demoInReadme()) assert.ok(worded(stdout).includes(line), line);
    assert.deepEqual([...Deno.readDirSync(folder)], []);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

/** Lines of the demonstration as README shows them; the last is cut. */
function demoInReadme(): string[] {
  const readme = Deno.readTextFileSync(`${CHECKOUT}/README.md`);
  const block = /The demo prints this[^`]*```\n([^]*?)```/.exec(readme)![1]!;
  const lines = worded(block).split("\n").filter((line) => line.trim() !== "");
  assert.ok(lines.length > 5, block);
  return lines.map((line) => line.replace(/ …$/, ""));
}

/** Without what differs each time. */
function worded(text: string): string {
  return text.replace(/--port \d+/g, "--port N");
}

Deno.test("The sample project's smoke test passes and uses only its own port", async () => {
  const folder = await Deno.makeTempDir({ prefix: "theurian-smoke-" });
  try {
    const { code, stdout, stderr } = await runScript(
      `${CHECKOUT}/examples/sample-project/smoke-test.sh`,
      [],
      {
        THEURIAN_BINARY: await asExecutable(folder),
        THEURIAN_PORT: String(freePort()),
        HOME: folder,
      },
    );
    assert.equal(code, 0, stderr);
    assert.equal(stdout, "The sample project answers as it should.\n");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("find_deno refuses an old Deno and takes one of the toolchain folder", async () => {
  const folder = await Deno.makeTempDir({ prefix: "theurian-finder-" });
  const fake = async (path: string, version: string) => {
    await Deno.mkdir(path.slice(0, path.lastIndexOf("/")), { recursive: true });
    await Deno.writeTextFile(path, `#!/bin/sh\necho 'deno ${version} (stable)'\n`, { mode: 0o755 });
  };
  try {
    await fake(`${folder}/bin/deno`, "2.5.6");
    await fake(`${folder}/.toolchain/pip/bin/deno`, "2.10.0");
    const script = `${folder}/find.sh`;
    await Deno.writeTextFile(
      script,
      `set -eu\n. '${CHECKOUT}/scripts/_deno.sh'\nfind_deno '${folder}'\necho "$DENO"\n`,
    );
    const env = { PATH: `${folder}/bin:/usr/bin:/bin` };
    const taken = await runScript(script, [], env);
    assert.equal(taken.stdout, `${folder}/.toolchain/pip/bin/deno\n`);
    await fake(`${folder}/bin/deno`, "2.6.10");
    assert.equal((await runScript(script, [], env)).stdout, `${folder}/bin/deno\n`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
