import assert from "node:assert/strict";
import { isFault } from "../errors.ts";
import { openRandomAccess } from "./random_access.ts";

Deno.test("openRandomAccess() reads at any place and stops at the end", () => {
  const folder = Deno.makeTempDirSync({ prefix: "platform-random-" });
  try {
    Deno.writeTextFileSync(`${folder}/f`, "0123456789");
    Deno.symlinkSync("f", `${folder}/link`);
    {
      using file = openRandomAccess(`${folder}/f`)!;
      assert.equal(file.size, 10);
      assert.equal(new TextDecoder().decode(file.read(3, 4)), "3456");
      assert.equal(new TextDecoder().decode(file.read(8, 40)), "89");
      assert.equal(file.read(10, 5).length, 0);
      assert.equal(file.read(99, 5).length, 0);
      assert.throws(() => file.read(-1, 5), (error) => isFault(error, "file-unreadable"));
    }
    assert.equal(openRandomAccess(`${folder}/none`), null);
    assert.throws(() => openRandomAccess(`${folder}/link`), (error) => isFault(error, "file-link"));
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});
