import assert from "node:assert/strict";
import {
  compareAgents,
  launchAgentFacts,
  launchAgentPlist,
  parsePlist,
} from "./launch_agent_plist.ts";

const FACTS = { executable: "/opt/theurian", dataDirectory: "/Users/ada/.theurian", port: 7419 };

Deno.test("launchAgentPlist() reads back as what was meant, whatever the paths hold", () => {
  for (const odd of ["/Users/ada/a b", "/x/<&>\"'", "/x/</string><true/>", "/x/é"]) {
    const facts = { executable: `${odd}/theurian`, dataDirectory: odd, port: 1 };
    assert.deepEqual(
      JSON.parse(JSON.stringify(parsePlist(launchAgentPlist(facts)))),
      launchAgentFacts(facts),
    );
  }
});

Deno.test("launchAgentFacts() restarts after a failure only and logs into the data directory", () => {
  const facts = launchAgentFacts(FACTS);
  assert.deepEqual(facts["KeepAlive"], { SuccessfulExit: false });
  assert.deepEqual(facts["ProgramArguments"], [
    "/opt/theurian",
    "daemon",
    "start",
    "--foreground",
    "--port",
    "7419",
  ]);
  assert.equal(facts["StandardOutPath"], "/Users/ada/.theurian/daemon.log");
  assert.equal(facts["StandardErrorPath"], facts["StandardOutPath"]);
});

Deno.test("compareAgents() compares values, not layout", () => {
  const wanted = launchAgentPlist(FACTS);
  const squeezed = wanted.replace(/\n\s*/g, "").replace("<plist", "<!-- by hand --><plist");
  assert.equal(compareAgents(squeezed, wanted), null);
});

Deno.test("compareAgents() names our keys that differ and counts foreign ones", () => {
  const wanted = launchAgentPlist({ ...FACTS, port: 7420 });
  const installed = launchAgentPlist(FACTS).replace(
    "<key>RunAtLoad</key>",
    "<key>Secret</key><dict><key>a</key><string>hunter2</string></dict><key>RunAtLoad</key>",
  );
  const difference = compareAgents(installed, wanted)!;
  assert.deepEqual(difference.fields, ["ProgramArguments"]);
  assert.equal(difference.others, 1);
  assert.match(difference.text, /^Secret: installed .*hunter2.*, wanted \(absent\)$/m);
});

for (
  const broken of [
    "",
    "bplist00",
    "<plist></plist>",
    "<plist><dict><key>a</key></dict></plist>",
    "<plist><dict><string>a</string></dict></plist>",
    "<plist><string>a</string><string>b</string></plist>",
    "<plist><dict><key>a</key><string>b</dict></plist>",
    `<plist>${"<array>".repeat(10_000)}</plist>`,
  ]
) {
  Deno.test(`parsePlist() finds nothing in ${JSON.stringify(broken.slice(0, 40))}`, () => {
    assert.equal(parsePlist(broken), null);
    assert.notEqual(compareAgents(broken, launchAgentPlist(FACTS)), null);
  });
}
