import assert from "node:assert/strict";
import { TheurianError } from "../../platform/errors.ts";
import { compareUnits, systemdUnit } from "./systemd_unit.ts";

const FACTS = { executable: "/usr/bin/theurian", dataDirectory: "/home/ada/.theurian", port: 7419 };

Deno.test("systemdUnit() writes the contract's directives in their sections", () => {
  const unit = systemdUnit(FACTS);
  const order = ["[Unit]", "After=network.target", "[Service]", "Type=simple", "[Install]"];
  const places = order.map((line) => unit.split("\n").indexOf(line));
  assert.ok(places.every((place, i) => place >= 0 && (i === 0 || place > places[i - 1]!)));
  for (
    const line of [
      "ExecStart=/usr/bin/theurian daemon start --foreground --port 7419",
      "Environment=THEURIAN_DATA_DIR=/home/ada/.theurian",
      "Environment=PATH=/usr/local/bin:/usr/bin:/bin",
      "WorkingDirectory=/home/ada/.theurian",
      "Restart=on-failure",
      "RestartSec=5",
      "NoNewPrivileges=yes",
      "ProtectSystem=full",
      "RestrictSUIDSGID=yes",
      "LockPersonality=yes",
      "WantedBy=default.target",
    ]
  ) assert.ok(unit.split("\n").includes(line), line);
  assert.doesNotMatch(unit, /MemoryDenyWriteExecute|PrivateTmp|ProtectHome|=strict/);
});

Deno.test("systemdUnit() quotes spaces and backslashes, and doubles specifiers", () => {
  const unit = systemdUnit({
    executable: "/opt/a b/the$u%n",
    dataDirectory: "/home/ada/my\\data %h",
    port: 1,
  });
  // No variable is expanded in the program's own path: a doubled dollar would be two.
  assert.ok(unit.includes('ExecStart="/opt/a b/the$u%%n" daemon start'), unit);
  assert.ok(unit.includes('Environment="THEURIAN_DATA_DIR=/home/ada/my\\\\data %%h"'), unit);
  assert.ok(unit.includes("WorkingDirectory=/home/ada/my\\data %%h\n"), unit);
});

for (const bad of ['/a"b', "/a'b", "/a\\b"]) {
  Deno.test(`systemdUnit() refuses the executable ${bad}, which systemd would not start`, () => {
    assert.throws(() => systemdUnit({ ...FACTS, executable: bad }), /quote or a backslash/);
  });
}

for (const bad of ["/a\nExecStartPre=/bin/evil", "/a\rb", "/a\u0000b", "/a\u001bb"]) {
  Deno.test(`systemdUnit() refuses ${JSON.stringify(bad)} on either side`, () => {
    for (const facts of [{ ...FACTS, executable: bad }, { ...FACTS, dataDirectory: bad }]) {
      assert.throws(() => systemdUnit(facts), (error) => {
        assert.ok(error instanceof TheurianError);
        assert.equal(error.fault, "service-unavailable");
        assert.ok(!error.message.includes(bad));
        return true;
      });
    }
  });
}

Deno.test("compareUnits() finds no difference in the same text and any in another", () => {
  const unit = systemdUnit(FACTS);
  assert.equal(compareUnits(unit, unit), null);
  assert.notEqual(compareUnits(`${unit}\n`, unit), null);
});

Deno.test("compareUnits() names the fields of ours that differ and counts the rest", () => {
  const wanted = systemdUnit({ ...FACTS, port: 7420 });
  const installed = systemdUnit(FACTS)
    .replace("RestartSec=5", "RestartSec=5\nEnvironment=SECRET=hunter2\nUser=ada");
  const difference = compareUnits(installed, wanted)!;
  assert.deepEqual(difference.fields, ["ExecStart"]);
  assert.equal(difference.others, 2);
  assert.match(difference.text, /^-ExecStart=.*7419$/m);
  assert.match(difference.text, /^\+ExecStart=.*7420$/m);
});
