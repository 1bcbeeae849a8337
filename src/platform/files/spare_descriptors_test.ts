import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { countSpareDescriptors } from "./spare_descriptors.ts";

const HERE = fileURLToPath(import.meta.url);

Deno.test("countSpareDescriptors() counts no further than asked, and keeps none", () => {
  for (let turn = 0; turn < 100; turn++) assert.equal(countSpareDescriptors(HERE, 50), 50);
});

Deno.test({
  name: "countSpareDescriptors() tells what a low limit leaves",
  ignore: Deno.build.os === "windows",
  fn() {
    const script = `const { countSpareDescriptors } = await import(${
      JSON.stringify(new URL("./spare_descriptors.ts", import.meta.url).href)
    }); console.log(countSpareDescriptors(${JSON.stringify(HERE)}, 500));`;
    const { stdout } = new Deno.Command("/bin/sh", {
      args: ["-c", 'ulimit -n 96; exec "$0" eval --no-check "$1"', Deno.execPath(), script],
    }).outputSync();
    const spare = Number(new TextDecoder().decode(stdout));
    assert.ok(spare > 20 && spare < 96, `${spare}`);
  },
});

Deno.test("countSpareDescriptors() is zero where nothing can be opened", () => {
  assert.equal(countSpareDescriptors(`${HERE}.absent`, 10), 0);
  assert.equal(countSpareDescriptors(fileURLToPath(new URL(".", import.meta.url)), 10), 0);
});
