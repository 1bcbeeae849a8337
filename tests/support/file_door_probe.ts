/**
 * Runs under the shipped grant: opens every path given, each by the naive way and through the door,
 * and tells what came of it. A naive open here asks the system not to follow a link.
 */

import { constants } from "node:fs";
import * as fs from "node:fs";
import { isFault } from "../../src/platform/errors.ts";
import {
  appendToFile,
  copyFile,
  createFile,
  readContained,
  readRegularFile,
  replaceFile,
} from "../../src/platform/files/mod.ts";
import { acquireLock } from "../../src/platform/lock.ts";
import { openForReading, openForWriting } from "../../src/platform/sqlite/mod.ts";

const [folder] = Deno.args as [string];
const link = `${folder}/link`;
const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

async function outcome(act: () => unknown): Promise<string> {
  try {
    const result = await act();
    return typeof result === "string" ? result : "done";
  } catch (error) {
    return isFault(error) ? error.fault : `error ${(error as Error).name}`;
  }
}

const acts: Record<string, () => unknown> = {
  naiveRead: () => {
    const file = fs.openSync(link, constants.O_RDONLY | constants.O_NOFOLLOW);
    const bytes = new Uint8Array(100);
    return decode(bytes.subarray(0, fs.readSync(file, bytes)));
  },
  naiveTruncate: () => {
    const flags = constants.O_WRONLY | constants.O_NOFOLLOW | constants.O_TRUNC;
    fs.closeSync(fs.openSync(`${folder}/link-to-victim`, flags));
    return `${fs.statSync(`${folder}/victim`).size} bytes left`;
  },
  read: () => decode(readRegularFile(link)),
  readPipe: () => decode(readRegularFile(`${folder}/pipe`)),
  replace: () => replaceFile(link, "planted", { mode: 0o600 }),
  replaceThroughTemporary: () =>
    replaceFile(`${folder}/own`, "planted", { mode: 0o600, temporary: link }),
  create: () => createFile(`${folder}/dangling`, "planted", { mode: 0o600 }),
  append: () => appendToFile(link, "planted", { mode: 0o600 }),
  copyFrom: () => copyFile(link, `${folder}/copy`, { mode: 0o600 }),
  copyTo: () => copyFile(`${folder}/user`, `${folder}/dangling`, { mode: 0o600 }),
  lock: () => acquireLock(link, { waitMs: 0 }),
  lockPipe: () => acquireLock(`${folder}/pipe`, { waitMs: 0 }),
  contained: () => decode(readContained(`${folder}/root`, `${folder}/root`, "out/user").bytes),
  readDatabase: () => openForReading(link),
  writeDatabase: () => openForWriting(link, { create: true, journal: "delete" }),
  createDatabase: () => openForWriting(`${folder}/dangling`, { create: true, journal: "delete" }),
  honest: () => {
    replaceFile(`${folder}/own`, "own", { mode: 0o600 });
    using database = openForWriting(`${folder}/a?b#c%20.sqlite`, { create: true, journal: "wal" });
    database.exec("CREATE TABLE t(a); INSERT INTO t VALUES (1)");
    return decode(readRegularFile(`${folder}/own`));
  },
};

const results: Record<string, string> = {};
for (const [name, act] of Object.entries(acts)) results[name] = await outcome(act);
console.log(JSON.stringify(results));
Deno.exit(0);
