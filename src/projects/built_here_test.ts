import assert from "node:assert/strict";
import { join } from "node:path";
import { builtHere, forgetBuiltHere, isBuiltHere, recordBuiltHere } from "./built_here.ts";

function folder(content?: string) {
  const path = Deno.makeTempDirSync({ prefix: "theurian-built-" });
  if (content !== undefined) Deno.writeTextFileSync(join(path, "built-here.json"), content);
  return { path, [Symbol.dispose]: () => Deno.removeSync(path, { recursive: true }) };
}

Deno.test("recordBuiltHere() vouches for one id of one root and one kind", async () => {
  using data = folder();
  await recordBuiltHere(data.path, "/a", "index", "1");
  await recordBuiltHere(data.path, "/a", "index", "2");
  await recordBuiltHere(data.path, "/a", "index", "1");
  assert.deepEqual(builtHere(data.path, "/a", "index"), ["1", "2"]);
  assert(isBuiltHere(data.path, "/a", "index", "1"));
  assert(!isBuiltHere(data.path, "/a", "state", "1"));
  assert(!isBuiltHere(data.path, "/b", "index", "1"));
  assert.equal(Deno.statSync(join(data.path, "built-here.json")).mode! & 0o777, 0o600);
});

Deno.test("a record that cannot be read vouches for nothing and is replaced by the next build", async () => {
  const contents = ["{", "[]", '{"/a": 7}', '{"/a": {"state": "x"}}', '{"/a": {"state": [7]}}'];
  for (const content of contents) {
    using data = folder(content);
    assert(!isBuiltHere(data.path, "/a", "state", "x"), content);
    await recordBuiltHere(data.path, "/a", "state", "x");
    assert(isBuiltHere(data.path, "/a", "state", "x"), content);
  }
});

Deno.test("a pipe or a link in place of the record vouches for nothing, at once", () => {
  using data = folder();
  const path = join(data.path, "built-here.json");
  new Deno.Command("mkfifo", { args: [path] }).outputSync();
  assert(!isBuiltHere(data.path, "/a", "state", "x"));
  Deno.removeSync(path);
  Deno.writeTextFileSync(join(data.path, "other"), '{"/a": {"state": ["x"]}}');
  Deno.symlinkSync("other", path);
  assert(!isBuiltHere(data.path, "/a", "state", "x"));
});

Deno.test("recordBuiltHere() loses nothing when many builds end at once", async () => {
  using data = folder();
  const ids = Array.from({ length: 20 }, (_, i) => `${i}`);
  await Promise.all(ids.map((id) => recordBuiltHere(data.path, `/${id}`, "state", id)));
  assert(ids.every((id) => isBuiltHere(data.path, `/${id}`, "state", id)));
});

Deno.test("forgetBuiltHere() takes back ids of one kind only", async () => {
  using data = folder();
  for (const id of ["1", "2", "3"]) await recordBuiltHere(data.path, "/a", "state", id);
  await recordBuiltHere(data.path, "/a", "index", "1");
  await forgetBuiltHere(data.path, "/a", "state", ["1", "3", "9"]);
  assert.deepEqual(builtHere(data.path, "/a", "state"), ["2"]);
  assert.deepEqual(builtHere(data.path, "/a", "index"), ["1"]);
});
