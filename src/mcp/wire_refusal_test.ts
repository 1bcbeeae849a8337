import assert from "node:assert/strict";
import { TheurianError } from "../platform/errors.ts";
import { shellQuote } from "../platform/shell_quote.ts";
import { wireRefusal } from "./wire_refusal.ts";

const PLACES = { dataDirectory: "/home/ada/.theurian", root: "/home/ada/it's here" };

function remedyOf(remedy: string, places: Parameters<typeof wireRefusal>[1] = PLACES): string {
  return wireRefusal(new TheurianError("file-irregular", "Cannot read x", { remedy }), places)
    .remedy;
}

Deno.test("wireRefusal() names files from the project and the data directory", () => {
  const file = `${PLACES.root}/.theurian/runtime`;
  assert.equal(remedyOf(`See: ls -ld ${file}; move it`), "See: ls -ld .theurian/runtime; move it");
  assert.equal(remedyOf(`See: ls -ld ${shellQuote(file)}`), "See: ls -ld '.theurian/runtime'");
  assert.equal(
    remedyOf(`Mend ${PLACES.dataDirectory}/projects.json`),
    "Mend <data directory>/projects.json",
  );
  assert.equal(
    remedyOf(`Mend ${PLACES.dataDirectory}/projects.json`, { dataDirectory: "/home/bob" }),
    `Mend ${PLACES.dataDirectory}/projects.json`,
  );
});

Deno.test("wireRefusal() takes the longer place first, whichever lies in the other", () => {
  const inside = { dataDirectory: "/home/ada/.theurian", root: "/home/ada" };
  assert.equal(
    remedyOf("/home/ada/.theurian/env /home/ada/a.md", inside),
    "<data directory>/env a.md",
  );
  const around = { dataDirectory: "/home/ada", root: "/home/ada/repo" };
  assert.equal(remedyOf("/home/ada/repo/a.md /home/ada/env", around), "a.md <data directory>/env");
});

Deno.test("wireRefusal() leaves the root itself, where a command is to be run", () => {
  const text = `Run in ${PLACES.root}: theurian migrate apply`;
  assert.equal(remedyOf(text), text);
});

Deno.test("wireRefusal() keeps every fact of the fault", () => {
  const given = new TheurianError("lock-timeout", "Cannot lock /home/ada/.theurian/x", {
    remedy: "Wait",
    details: { a: 1 },
    wireCode: "INVALID_INPUT",
    retryAfterSeconds: 2,
    exit: 1,
  });
  const { fault, message, remedy, details, wireCode, retryAfterSeconds, exit } = wireRefusal(
    given,
    PLACES,
  );
  assert.deepEqual({ fault, message, remedy, details, wireCode, retryAfterSeconds, exit }, {
    fault: "lock-timeout",
    message: "Cannot lock <data directory>/x",
    remedy: "Wait",
    details: { a: 1 },
    wireCode: "INVALID_INPUT",
    retryAfterSeconds: 2,
    exit: 1,
  });
  assert.equal(wireRefusal(given, { dataDirectory: "/elsewhere" }), given);
});

Deno.test("wireRefusal() answers every escape from containment with one constant", () => {
  const escape = (label: string, route: string) =>
    wireRefusal(
      new TheurianError("path-escape", `Cannot use ${label}: it leaves`, {
        remedy: "Use another",
        details: { route },
      }),
      PLACES,
    );
  const one = escape(".theurian/state", "leaves");
  const other = escape("docs/secret-plan", "absolute-link");
  assert.deepEqual([one.message, one.remedy], [other.message, other.remedy]);
  assert.equal(one.details, null);
  assert.doesNotMatch(other.message + other.remedy, /secret-plan/);
  assert.match(one.remedy, /no trailing slash/);
});
