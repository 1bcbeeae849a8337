import assert from "node:assert/strict";
import { grantFlags } from "../../src/platform/grants.ts";

const PROBE = new URL("../support/file_door_probe.ts", import.meta.url).pathname;

/** A folder with a user's files, and planted links and a pipe that lead to them or nowhere. */
function plantedFolder(): string {
  const folder = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "platform-planted-" }));
  Deno.writeTextFileSync(`${folder}/user`, "precious");
  Deno.writeTextFileSync(`${folder}/victim`, "unlucky");
  Deno.symlinkSync(`${folder}/user`, `${folder}/link`);
  Deno.symlinkSync(`${folder}/victim`, `${folder}/link-to-victim`);
  Deno.symlinkSync(`${folder}/elsewhere`, `${folder}/dangling`);
  Deno.mkdirSync(`${folder}/root`);
  Deno.symlinkSync("..", `${folder}/root/out`);
  new Deno.Command("mkfifo", { args: [`${folder}/pipe`] }).outputSync();
  return folder;
}

Deno.test("planted links and pipes are refused under the shipped flags, where the naive way follows", async () => {
  const folder = plantedFolder();
  // A reader on the pipe: an open for writing would succeed at once.
  const reader = new Deno.Command("sh", {
    args: ["-c", `exec sleep 20 <> ${folder}/pipe`],
    stdin: "null",
  }).spawn();
  try {
    const child = await new Deno.Command(Deno.execPath(), {
      args: ["run", ...grantFlags(), PROBE, folder],
      signal: AbortSignal.timeout(20_000),
    }).output();
    assert.equal(child.code, 0, new TextDecoder().decode(child.stderr));
    const { naiveRead, naiveTruncate, honest, ...door } = JSON.parse(
      new TextDecoder().decode(child.stdout),
    );
    assert.equal(naiveRead, "precious", "the naive way must be seen to follow the link");
    assert.equal(naiveTruncate, "0 bytes left");
    assert.equal(honest, "own");
    assert.deepEqual(door, {
      read: "file-link",
      readPipe: "file-irregular",
      replace: "file-link",
      replaceThroughTemporary: "file-link",
      create: "file-exists",
      append: "file-link",
      copyFrom: "file-link",
      copyTo: "file-not-writable",
      lock: "lock-refused",
      lockPipe: "lock-refused",
      contained: "path-escape",
      readDatabase: "database-irregular",
      writeDatabase: "database-irregular",
      createDatabase: "database-irregular",
    });
    assert.equal(Deno.readTextFileSync(`${folder}/user`), "precious");
    assert.deepEqual(
      [...Deno.readDirSync(folder)].map(({ name }) => name).sort(),
      [
        "a?b#c%20.sqlite",
        "dangling",
        "link",
        "link-to-victim",
        "own",
        "pipe",
        "root",
        "user",
        "victim",
      ],
    );
  } finally {
    reader.kill("SIGKILL");
    await reader.status;
    Deno.removeSync(folder, { recursive: true });
  }
});
