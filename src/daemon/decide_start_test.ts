import assert from "node:assert/strict";
import { isFault, TheurianError } from "../platform/errors.ts";
import { decideStart, type StartFacts } from "./decide_start.ts";
import { IMPLEMENTATION } from "./health.ts";
import type { HealthAnswer, Probe } from "./probe.ts";

const OURS: HealthAnswer = {
  status: "ok",
  protocolVersion: "theurian/v1",
  version: "0.6.0",
  dataDir: "/home/ada/.theurian",
  implementation: IMPLEMENTATION,
};

const answered = (over: Partial<HealthAnswer> = {}): Probe => ({
  kind: "theurian",
  health: { ...OURS, ...over },
});

const FREE: Probe = { kind: "free" };
const FOREIGN: Probe = { kind: "foreign" };

function facts(lock: "acquired" | "held", probe: Probe): StartFacts {
  return {
    lock,
    probe,
    port: 7419,
    dataDirectory: "/home/ada/.theurian",
    lockPath: "/home/ada/.theurian/daemon.lock",
    realPath: (path) => path === "/link" ? "/home/ada/.theurian" : path,
  };
}

const GOOD: readonly (readonly [string, "acquired" | "held", Probe, string])[] = [
  ["the lock and a free port", "acquired", FREE, "start"],
  ["the lock and ours on the port", "acquired", answered(), "reuse"],
  ["a held lock and ours on the port", "held", answered(), "reuse"],
  ["ours by a linked path", "held", answered({ dataDir: "/link" }), "reuse"],
  ["ours that names no directory", "held", answered({ dataDir: "" }), "reuse"],
];

for (const [what, lock, probe, decision] of GOOD) {
  Deno.test(`decideStart() answers ${decision} to ${what}`, () => {
    assert.equal(decideStart(facts(lock, probe)), decision);
  });
}

const BAD: readonly (readonly [string, "acquired" | "held", Probe, RegExp])[] = [
  ["a foreign process on the port", "acquired", FOREIGN, /port 7419: a foreign process/],
  ["a held lock and a free port", "held", FREE, /daemon\.lock.*127\.0\.0\.1:7419.*nothing is rem/],
  ["a held lock and a foreign process", "held", FOREIGN, /daemon\.lock.*127\.0\.0\.1:7419/],
  ["another directory", "acquired", answered({ dataDir: "/other" }), /7419.*\/other/],
  ["another directory, lock held", "held", answered({ dataDir: "/other" }), /7419.*\/other/],
  [
    "a Theurian without an implementation",
    "acquired",
    answered({ implementation: null, version: "0.5.3" }),
    /7419: another implementation's.*0\.5\.3/,
  ],
  [
    "another implementation, same directory, lock held",
    "held",
    answered({ implementation: "other" }),
    /another implementation's.*0\.6\.0/,
  ],
];

for (const [what, lock, probe, message] of BAD) {
  Deno.test(`decideStart() refuses ${what} with exit 1 and says why`, () => {
    assert.throws(() => decideStart(facts(lock, probe)), (error) => {
      assert.ok(isFault(error, "daemon-conflict"));
      assert.match((error as TheurianError).message, message);
      assert.equal((error as TheurianError).exit, 1);
      assert.notEqual((error as TheurianError).remedy, "");
      return true;
    });
  });
}
