import assert from "node:assert/strict";
import { join } from "node:path";
import { TheurianError } from "../platform/errors.ts";
import {
  describeToken,
  readOrMintToken,
  readToken,
  secureBytes,
  writeNewToken,
} from "./token_store.ts";

const GOOD = "k".repeat(43);

function withDirectory(work: (directory: string, token: string) => void): void {
  const directory = Deno.makeTempDirSync({ prefix: "daemon-token-" });
  Deno.mkdirSync(join(directory, "auth"), { mode: 0o700 });
  try {
    work(directory, join(directory, "auth", "mcp-token"));
  } finally {
    Deno.removeSync(directory, { recursive: true });
  }
}

function put(path: string, text: string, mode = 0o600): void {
  Deno.writeTextFileSync(path, text);
  Deno.chmodSync(path, mode);
}

const refusal = (message: RegExp, remedy: RegExp) => (error: unknown) => {
  assert.ok(error instanceof TheurianError);
  assert.equal(error.fault, "token-unusable");
  assert.equal(error.exit, 1);
  assert.match(error.message, message);
  assert.match(error.remedy, remedy);
  return true;
};

Deno.test("readOrMintToken() mints 43 characters with 0600 in a directory of 0700", () => {
  const directory = Deno.makeTempDirSync({ prefix: "daemon-token-" });
  try {
    const token = readOrMintToken(directory);
    assert.match(token, /^[A-Za-z0-9_-]{43}$/);
    const path = join(directory, "auth", "mcp-token");
    assert.equal(Deno.readTextFileSync(path), token);
    assert.equal(Deno.statSync(path).mode! & 0o7777, 0o600);
    assert.equal(Deno.statSync(join(directory, "auth")).mode! & 0o7777, 0o700);
    assert.equal(readOrMintToken(directory), token);
  } finally {
    Deno.removeSync(directory, { recursive: true });
  }
});

Deno.test("secureBytes() differ each time", () => {
  assert.notDeepEqual(secureBytes(32), secureBytes(32));
});

for (const blank of ["", " \n", "\t\r\n"]) {
  Deno.test(`readOrMintToken() mints over a file holding ${JSON.stringify(blank)}`, () => {
    withDirectory((directory, path) => {
      put(path, blank);
      assert.equal(readToken(directory), null);
      assert.match(readOrMintToken(directory), /^[\w-]{43}$/);
    });
  });
}

Deno.test("readToken() trims white space around the token", () => {
  withDirectory((directory, path) => {
    put(path, ` ${GOOD}\r\n`);
    assert.equal(readToken(directory), GOOD);
  });
});

Deno.test("readToken() refuses a token that others may read, names the mode, and leaves it", () => {
  withDirectory((directory, path) => {
    put(path, GOOD, 0o644);
    assert.throws(() => readOrMintToken(directory), refusal(/0644/, /auth rotate/));
    assert.equal(Deno.statSync(path).mode! & 0o777, 0o644);
    assert.equal(Deno.readTextFileSync(path), GOOD);
  });
});

for (const bad of ["short", "k".repeat(31), `${GOOD} ${GOOD}`, `${GOOD}=`, "é".repeat(40)]) {
  Deno.test(`readToken() refuses ${JSON.stringify(bad.slice(0, 12))}… for its form`, () => {
    withDirectory((directory, path) => {
      put(path, bad);
      const check = refusal(/32 base64url/, /auth rotate/);
      assert.throws(() => readOrMintToken(directory), (error) => {
        assert.ok(!(error as Error).message.includes(bad));
        return check(error);
      });
    });
  });
}

Deno.test("readToken() and writeNewToken() refuse a link, and leave its target alone", () => {
  withDirectory((directory, path) => {
    const target = join(directory, "target");
    put(target, GOOD);
    Deno.symlinkSync(target, path);
    assert.throws(() => readOrMintToken(directory), refusal(/symbolic link/, /auth rotate/));
    assert.throws(() => writeNewToken(directory), refusal(/symbolic link/, /auth rotate/));
    assert.equal(Deno.readTextFileSync(target), GOOD);
  });
});

Deno.test("readToken() refuses a pipe without waiting on it, and a directory", () => {
  withDirectory((directory, path) => {
    new Deno.Command("mkfifo", { args: ["-m", "600", path] }).outputSync();
    assert.throws(() => readToken(directory), refusal(/a pipe/, /auth rotate/));
    Deno.removeSync(path);
    Deno.mkdirSync(path, { mode: 0o700 });
    assert.throws(() => readToken(directory), refusal(/a directory/, /auth rotate/));
  });
});

Deno.test("readToken() refuses a file that is far too long for a token", () => {
  withDirectory((directory, path) => {
    put(path, "k".repeat(5000));
    assert.throws(() => readToken(directory), refusal(/mcp-token/, /\S/));
  });
});

Deno.test("writeNewToken() replaces an exposed token and tightens both modes", () => {
  withDirectory((directory, path) => {
    put(path, GOOD, 0o644);
    Deno.chmodSync(join(directory, "auth"), 0o755);
    const token = writeNewToken(directory);
    assert.notEqual(token, GOOD);
    assert.equal(readToken(directory), token);
    assert.equal(Deno.statSync(join(directory, "auth")).mode! & 0o777, 0o700);
    assert.deepEqual([...Deno.readDirSync(join(directory, "auth"))].map((e) => e.name), [
      "mcp-token",
    ]);
  });
});

Deno.test("describeToken() shows length and digest prefix, never the token", () => {
  assert.equal(describeToken("abc"), "<token 3 chars, sha-prefix ba7816bf>");
});
