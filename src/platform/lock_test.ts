import assert from "node:assert/strict";
import { isFault } from "./errors.ts";
import { acquireLock } from "./lock.ts";

function inFolder(work: (folder: string) => Promise<void>): () => Promise<void> {
  return async () => {
    const folder = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "platform-lock-" }));
    try {
      await work(folder);
    } finally {
      Deno.removeSync(folder, { recursive: true });
    }
  };
}

/** Another process that holds the lock until it is told to end. */
async function holder(path: string) {
  const lockModule = new URL("./lock.ts", import.meta.url).href;
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      "eval",
      `
      const { acquireLock } = await import(${JSON.stringify(lockModule)});
      await acquireLock(${JSON.stringify(path)}, { waitMs: 0 });
      console.log("held");
      await new Promise(() => setInterval(() => {}, 1000));
    `,
    ],
    stdin: "null",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const reader = child.stdout.getReader();
  assert.match(new TextDecoder().decode((await reader.read()).value), /held/);
  return async () => {
    child.kill("SIGKILL");
    await child.status;
    await reader.cancel();
  };
}

const isTimeout = (error: unknown) => isFault(error, "lock-timeout") && error.exit === 4;

Deno.test(
  "acquireLock() creates an empty file with mode 0600 and never truncates one",
  inFolder(async (folder) => {
    (await acquireLock(`${folder}/new`, { waitMs: 0 }))[Symbol.dispose]();
    const { size, mode } = Deno.statSync(`${folder}/new`);
    assert.deepEqual([size, mode! & 0o777], [0, 0o600]);
    Deno.writeTextFileSync(`${folder}/old`, "kept");
    (await acquireLock(`${folder}/old`, { waitMs: 0 }))[Symbol.dispose]();
    assert.equal(Deno.readTextFileSync(`${folder}/old`), "kept");
  }),
);

Deno.test(
  "acquireLock() is refused while held here and free after the holder lets go",
  inFolder(async (folder) => {
    const path = `${folder}/lock`;
    const first = await acquireLock(path, { waitMs: 0 });
    await assert.rejects(acquireLock(path, { waitMs: 0 }), isTimeout);
    const second = acquireLock(path, { waitMs: 5000 });
    first[Symbol.dispose]();
    first[Symbol.dispose]();
    (await second)[Symbol.dispose]();
    (await acquireLock(path, { waitMs: 0 }))[Symbol.dispose]();
  }),
);

Deno.test({
  name: "acquireLock() that gave up does not keep the lock when it is granted late",
  // A wait that was given up ends in the runtime's own time, maybe in the next test.
  sanitizeOps: false,
  sanitizeResources: false,
  fn: inFolder(async (folder) => {
    const path = `${folder}/lock`;
    const first = await acquireLock(path, { waitMs: 0 });
    const failures = await Promise.allSettled(
      Array.from({ length: 5 }, () => acquireLock(path, { waitMs: 0 })),
    );
    assert.ok(failures.every((outcome) => outcome.status === "rejected"));
    await assert.rejects(acquireLock(path, { waitMs: 0 }), isTimeout);
    first[Symbol.dispose]();
    (await acquireLock(path, { waitMs: 2000 }))[Symbol.dispose]();
    (await acquireLock(path, { waitMs: 2000 }))[Symbol.dispose]();
  }),
});

Deno.test({
  name: "acquireLock() waits for another process and gets the lock when that one is killed",
  // A wait that was given up ends in the runtime's own time, maybe in the next test.
  sanitizeOps: false,
  sanitizeResources: false,
  fn: inFolder(async (folder) => {
    const path = `${folder}/lock`;
    const end = await holder(path);
    await assert.rejects(acquireLock(path, { waitMs: 0 }), isTimeout);
    const waiting = acquireLock(path, { waitMs: 10_000 });
    await end();
    (await waiting)[Symbol.dispose]();
  }),
});

Deno.test(
  "acquireLock() excludes any other user of flock",
  inFolder(async (folder) => {
    const path = `${folder}/lock`;
    const tryOther = () => new Deno.Command("flock", { args: ["-n", path, "true"] }).output();
    const lock = await acquireLock(path, { waitMs: 0 });
    assert.equal((await tryOther()).code, 1);
    lock[Symbol.dispose]();
    assert.equal((await tryOther()).code, 0);
  }),
);

Deno.test(
  "acquireLock() refuses links, directories and pipes, and leaves what they lead to",
  inFolder(async (folder) => {
    Deno.writeTextFileSync(`${folder}/user`, "precious");
    Deno.symlinkSync(`${folder}/user`, `${folder}/link`);
    Deno.symlinkSync(`${folder}/nothing`, `${folder}/dangling`);
    Deno.mkdirSync(`${folder}/directory`);
    new Deno.Command("mkfifo", { args: [`${folder}/pipe`] }).outputSync();
    const shapes = { link: "link", dangling: "link", directory: "directory", pipe: "pipe" };
    for (const [name, shape] of Object.entries(shapes)) {
      await assert.rejects(
        acquireLock(`${folder}/${name}`, { waitMs: 0 }),
        (error) => isFault(error, "lock-refused") && error.details?.shape === shape,
        name,
      );
    }
    await assert.rejects(
      acquireLock(`${folder}/none/lock`, { waitMs: 0 }),
      (error) => isFault(error, "lock-refused"),
    );
    assert.equal(Deno.readTextFileSync(`${folder}/user`), "precious");
    assert.deepEqual(
      [...Deno.readDirSync(folder)].map((entry) => entry.name).sort(),
      ["dangling", "directory", "link", "pipe", "user"],
    );
  }),
);

Deno.test(
  "note() replaces a longer old line without a tail",
  inFolder(async (folder) => {
    Deno.writeTextFileSync(`${folder}/lock`, '{"pid": 1234567}\n and more');
    using lock = await acquireLock(`${folder}/lock`, { waitMs: 0 });
    lock.note('{"pid": 1}\n');
    assert.equal(Deno.readTextFileSync(`${folder}/lock`), '{"pid": 1}\n');
  }),
);
