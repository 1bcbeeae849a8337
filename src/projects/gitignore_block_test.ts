import assert from "node:assert/strict";
import { join } from "node:path";
import { isFault } from "../platform/errors.ts";
import { GITIGNORE_BLOCK, inspectGitignore, updateGitignore } from "./gitignore_block.ts";

function tree(content?: string | Uint8Array) {
  const root = Deno.makeTempDirSync({ prefix: "theurian-ignore-" });
  const file = join(root, ".gitignore");
  if (content !== undefined) {
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    Deno.writeFileSync(file, bytes);
  }
  return {
    root,
    file,
    text: () => Deno.readTextFileSync(file),
    [Symbol.dispose]: () => Deno.removeSync(root, { recursive: true }),
  };
}

Deno.test("updateGitignore() appends the block behind a blank line", () => {
  const cases: [string | undefined, string][] = [
    [undefined, `${GITIGNORE_BLOCK}\n`],
    ["", `${GITIGNORE_BLOCK}\n`],
    ["abc", `abc\n\n${GITIGNORE_BLOCK}\n`],
    ["abc\n", `abc\n\n${GITIGNORE_BLOCK}\n`],
    ["a\r\nb\r\n", `a\r\nb\r\n\n${GITIGNORE_BLOCK}\n`],
    ["# >>> theurian >>> \n", `# >>> theurian >>> \n\n${GITIGNORE_BLOCK}\n`],
    [" # >>> theurian >>>\n", ` # >>> theurian >>>\n\n${GITIGNORE_BLOCK}\n`],
    ["# <<< theurian <<<\n", `# <<< theurian <<<\n\n${GITIGNORE_BLOCK}\n`],
  ];
  for (const [before, after] of cases) {
    using project = tree(before);
    assert.equal(updateGitignore(project.root), true);
    assert.equal(project.text(), after);
    assert.equal(updateGitignore(project.root), false);
    assert.equal(inspectGitignore(project.root), "current");
  }
});

Deno.test("updateGitignore() replaces only the block and keeps every other byte", () => {
  const latin = new Uint8Array([0xe9, 0x0d, 0x0a]);
  const old = "# >>> theurian >>>\r\n*.old\r\n# <<< theurian <<<\r\n";
  const tail = "mine\r\n# <<< theurian <<<\nlast";
  const encoder = new TextEncoder();
  using project = tree(new Uint8Array([...latin, ...encoder.encode(old + tail)]));
  Deno.chmodSync(project.file, 0o640);
  assert.equal(inspectGitignore(project.root), "outdated");
  assert.equal(updateGitignore(project.root), true);
  assert.deepEqual(
    Deno.readFileSync(project.file),
    new Uint8Array([...latin, ...encoder.encode(`${GITIGNORE_BLOCK}\r\n${tail}`)]),
  );
  assert.equal(Deno.statSync(project.file).mode! & 0o777, 0o640);
  assert.equal(updateGitignore(project.root), false);
});

Deno.test("updateGitignore() refuses two start markers, and one without an end", () => {
  const start = "# >>> theurian >>>\n";
  for (
    const text of [
      start,
      `${start}x\n`,
      `${start}# <<< theurian <<<\n${start}# <<< theurian <<<\n`,
      `# <<< theurian <<<\n${start}`,
    ]
  ) {
    using project = tree(text);
    assert.throws(() => updateGitignore(project.root), (error) => {
      return isFault(error, "gitignore-refused") && error.exit === 1;
    });
    assert.equal(project.text(), text);
    assert.equal(inspectGitignore(project.root), "malformed");
  }
});

Deno.test("updateGitignore() neither reads nor writes through a link, and tells no one to delete it", () => {
  using project = tree();
  const target = join(project.root, "target");
  Deno.writeTextFileSync(target, "mine\n");
  for (const to of ["target", "nowhere"]) {
    Deno.symlinkSync(to, project.file);
    assert.throws(() => updateGitignore(project.root), (error) => {
      return isFault(error, "gitignore-refused") && !/delete|remove|rm /i.test(error.remedy);
    });
    Deno.removeSync(project.file);
  }
  assert.equal(Deno.readTextFileSync(target), "mine\n");
});
