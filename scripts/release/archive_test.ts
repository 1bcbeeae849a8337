import assert from "node:assert/strict";
import { join } from "node:path";
import { type Entry, tarGz, zip } from "./archive.ts";

const ENTRIES: readonly Entry[] = [
  {
    name: "theurian",
    bytes: new TextEncoder().encode("#!/bin/sh\necho hello\n"),
    executable: true,
  },
  { name: "LICENSE", bytes: new Uint8Array(1024).fill(65), executable: false },
  { name: "empty", bytes: new Uint8Array(), executable: false },
];

function unpacked(bytes: Uint8Array, name: string, command: readonly string[]) {
  const root = Deno.makeTempDirSync({ prefix: "release-archive-" });
  try {
    Deno.writeFileSync(join(root, name), bytes);
    const { code, stderr } = new Deno.Command(command[0]!, {
      args: command.slice(1),
      cwd: root,
      env: { TZ: "UTC" },
    }).outputSync();
    assert.equal(code, 0, new TextDecoder().decode(stderr));
    return ENTRIES.map((entry) => {
      const path = join(root, entry.name);
      const { mode, mtime } = Deno.statSync(path);
      return {
        same: Deno.readFileSync(path).every((byte, i) => byte === entry.bytes[i]),
        size: Deno.statSync(path).size,
        executable: (mode! & 0o111) !== 0,
        time: mtime!.getTime() / 1000,
      };
    });
  } finally {
    Deno.removeSync(root, { recursive: true });
  }
}

const EXPECTED = ENTRIES.map((entry) => ({
  same: true,
  size: entry.bytes.length,
  executable: entry.executable,
  time: 1_700_000_000,
}));

Deno.test("tarGz() is unpacked by tar to the same bytes, modes and time", async () => {
  const bytes = await tarGz(ENTRIES, 1_700_000_000);
  assert.deepEqual(unpacked(bytes, "a.tar.gz", ["tar", "-xzf", "a.tar.gz"]), EXPECTED);
});

Deno.test("zip() is unpacked by whatever reads zips to the same bytes, modes and time", async (t) => {
  const bytes = await zip(ENTRIES, 1_700_000_000);
  const readers: Record<string, readonly string[]> = {
    unzip: ["unzip", "-q", "a.zip"],
    bsdtar: ["bsdtar", "-xf", "a.zip"],
    python3: [
      "python3",
      "-c",
      "import os,zipfile,time\nfor i in zipfile.ZipFile('a.zip').infolist():\n" +
      " p=zipfile.ZipFile('a.zip').extract(i)\n os.chmod(p,i.external_attr>>16)\n" +
      " t=time.mktime(i.date_time+(0,0,-1))\n os.utime(p,(t,t))",
    ],
  };
  const present = Object.entries(readers).filter(([name]) => isInstalled(name));
  assert.notEqual(present.length, 0, "one of these programs has to be there");
  for (const [name, command] of present) {
    await t.step(name, () => assert.deepEqual(unpacked(bytes, "a.zip", command), EXPECTED));
  }
});

Deno.test("the same entries and time give the same archive, another time another one", async () => {
  for (const pack of [tarGz, zip]) {
    const [first, again, later] = await Promise.all([
      pack(ENTRIES, 1_700_000_000),
      pack(ENTRIES, 1_700_000_000),
      pack(ENTRIES, 1_700_000_002),
    ]);
    assert.deepEqual(first, again);
    assert.notDeepEqual(first, later);
  }
});

Deno.test("tarGz() refuses a name that does not fit", async () => {
  await assert.rejects(tarGz([{ ...ENTRIES[0]!, name: "x".repeat(101) }], 0), TypeError);
});

function isInstalled(program: string): boolean {
  const folders = (Deno.env.get("PATH") ?? "").split(":");
  return folders.some((folder) => {
    try {
      return Deno.statSync(join(folder, program)).isFile;
    } catch {
      return false;
    }
  });
}
