import assert from "node:assert/strict";
import { join } from "node:path";
import { TheurianError } from "../platform/errors.ts";
import { openDataDirectory } from "./data_directory.ts";

function withDirectory(work: (directory: string) => void): void {
  const directory = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "daemon-data-" }));
  try {
    work(directory);
  } finally {
    Deno.chmodSync(directory, 0o700);
    Deno.removeSync(directory, { recursive: true });
  }
}

const refused = (pattern: RegExp) => (error: unknown) => {
  assert.ok(error instanceof TheurianError);
  assert.equal(error.fault, "data-directory-unusable");
  assert.equal(error.exit, 1);
  assert.match(`${error.message}\n${error.remedy}`, pattern);
  return true;
};

Deno.test("openDataDirectory() creates a missing one with 0700 and answers its real path", () => {
  withDirectory((directory) => {
    const path = join(directory, "new");
    assert.equal(openDataDirectory(path), path);
    assert.equal(Deno.statSync(path).mode! & 0o7777, 0o700);
    Deno.symlinkSync(path, join(directory, "link"));
    assert.equal(openDataDirectory(join(directory, "link")), path);
  });
});

Deno.test("openDataDirectory() refuses a directory that group or others may write to", () => {
  withDirectory((directory) => {
    for (const mode of [0o720, 0o702, 0o777]) {
      Deno.chmodSync(directory, mode);
      assert.throws(() => openDataDirectory(directory), refused(/0?7\d\d[^]*chmod 700/));
    }
    Deno.chmodSync(directory, 0o755);
    assert.equal(openDataDirectory(directory), directory);
  });
});

Deno.test("openDataDirectory() refuses a file, a dangling link and a path below a file", () => {
  withDirectory((directory) => {
    const file = join(directory, "file");
    Deno.writeTextFileSync(file, "x");
    Deno.symlinkSync(join(directory, "nowhere"), join(directory, "dangling"));
    for (const path of [file, join(file, "below"), join(directory, "dangling")]) {
      assert.throws(() => openDataDirectory(path), refused(/THEURIAN_DATA_DIR/));
    }
    assert.equal(Deno.readTextFileSync(file), "x");
  });
});
