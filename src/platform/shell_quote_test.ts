import assert from "node:assert/strict";
import { shellQuote } from "./shell_quote.ts";

Deno.test("shellQuote() leaves plain words and gives a shell every other one whole", () => {
  assert.equal(shellQuote("/home/ada/project-1/a_b.yaml"), "/home/ada/project-1/a_b.yaml");
  for (
    const word of ["", "a b", "$HOME", "it's", '"', "a;b", "*", "~", "!x", "\n", "-n", "é", "`id`"]
  ) {
    const { stdout } = new Deno.Command("sh", {
      args: ["-c", `printf '%s|' ${shellQuote(word)}`],
      env: { LC_ALL: "C.UTF-8" },
    }).outputSync();
    assert.equal(new TextDecoder().decode(stdout), `${word}|`);
  }
});
