import assert from "node:assert/strict";
import { bundleProgram, packagesOf, placeIndependent, readTree } from "./bundle.ts";

const bundle = (digest: string, cache: string) =>
  new Map([
    [
      "main.js",
      `import { a } from "./chunk-${digest}.js";\nawait import("./setup-${digest}.js");\n`,
    ],
    ["src/worker.js", `import { a } from "../../chunk-${digest}.js";\n`],
    [`chunk-${digest}.js`, `// ${cache}/npm/some.host/@a/b/1.2.3/lib/x.js\nexport const a = 1;\n`],
    [`setup-${digest}.js`, `// src/setup.ts\nconst other = "./chunk-ZZZZZZZZ.js";\n`],
  ]);
const ENTRIES = ["main.js", "src/worker.js"];

Deno.test("placeIndependent() gives the same files wherever the cache lies", () => {
  const here = placeIndependent(bundle("AAAAAAAA", "../../home/ada/.cache/deno"), ENTRIES);
  const there = placeIndependent(bundle("B2C3D4E5", "../../../../var/cache"), ENTRIES);
  assert.deepEqual([...here], [...there]);
  assert.equal(here.get("chunk-2.js"), "// npm:@a/b/1.2.3/lib/x.js\nexport const a = 1;\n");
  assert.match(here.get("main.js")!, /"\.\/chunk-2\.js"[^]*"\.\/setup-3\.js"/);
  assert.match(here.get("setup-3.js")!, /ZZZZZZZZ/, "a text that names no part stays");
});

Deno.test("placeIndependent() refuses a part that no entry reaches", () => {
  const files = bundle("AAAAAAAA", "..").set("stray-AAAAAAAA.js", "");
  assert.throws(() => placeIndependent(files, ENTRIES), /no entry reaches it/);
});

Deno.test("packagesOf() reads name and version from the remarks", () => {
  const files = placeIndependent(bundle("AAAAAAAA", "../x"), ENTRIES);
  assert.deepEqual(packagesOf(files.values()), ["@a/b@1.2.3"]);
});

Deno.test("bundleProgram() tells faulty sources from a good bundle, and leaves nothing of the former", async () => {
  const root = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "release-bundle-" }));
  const url = new URL(`file://${root}/`);
  try {
    Deno.writeTextFileSync(`${root}/part.ts`, "export const two = 2;\n");
    const main = (name: string) =>
      Deno.writeTextFileSync(
        `${root}/main.ts`,
        `import { ${name} } from "./part.ts";\nconsole.log(${name});\n`,
      );
    main("three");
    const out = new URL("out/", url);
    assert.equal(await bundleProgram(url, out, ["main.ts"]), "sources-at-fault");
    assert.throws(() => Deno.statSync(out), Deno.errors.NotFound);
    main("two");
    assert.equal(await bundleProgram(url, out, ["main.ts"]), "done");
    assert.deepEqual([...readTree(`${root}/out`).keys()], ["main.js"]);
  } finally {
    Deno.removeSync(root, { recursive: true });
  }
});
