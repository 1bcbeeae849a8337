import assert from "node:assert/strict";
import { checksumLines } from "./checksums.ts";
import { archiveName, formatOf, TARGETS } from "./targets.ts";

function head(...bytes: readonly (readonly [number, number[]])[]): Uint8Array {
  const whole = new Uint8Array(128);
  for (const [at, values] of bytes) whole.set(values, at);
  return whole;
}

Deno.test("every target's archive is named as the installers ask for it", () => {
  assert.deepEqual(TARGETS.map((target) => archiveName("0.6.0", target)), [
    "theurian-0.6.0-x86_64-unknown-linux-gnu.tar.gz",
    "theurian-0.6.0-aarch64-unknown-linux-gnu.tar.gz",
    "theurian-0.6.0-x86_64-apple-darwin.tar.gz",
    "theurian-0.6.0-aarch64-apple-darwin.tar.gz",
    "theurian-0.6.0-x86_64-pc-windows-msvc.zip",
  ]);
});

Deno.test("formatOf() tells the executables of all targets apart", () => {
  const elf = [0x7f, 0x45, 0x4c, 0x46];
  const macho = [0xcf, 0xfa, 0xed, 0xfe];
  const formats = [
    head([0, elf], [18, [62, 0]]),
    head([0, elf], [18, [183, 0]]),
    head([0, macho], [4, [7, 0, 0, 1]]),
    head([0, macho], [4, [12, 0, 0, 1]]),
    head([0, [0x4d, 0x5a]], [60, [64, 0, 0, 0]], [64, [0x50, 0x45, 0, 0, 0x64, 0x86]]),
  ].map(formatOf);
  assert.deepEqual(formats, TARGETS.map(({ format }) => format));
  for (const other of [new Uint8Array(10), head([0, elf], [18, [3, 0]]), head([0, [35, 33]])]) {
    assert.equal(formatOf(other), null);
  }
});

Deno.test("formatOf() knows this very runtime", () => {
  const file = Deno.openSync(Deno.execPath());
  const bytes = new Uint8Array(4096);
  file.readSync(bytes);
  file.close();
  const ours = TARGETS.find(({ triple }) => triple === Deno.build.target);
  assert.equal(formatOf(bytes), ours?.format);
});

Deno.test("checksumLines() are what sha256sum writes, sorted by name", async () => {
  const bytes = new TextEncoder().encode("abc");
  assert.equal(
    await checksumLines([{ name: "b", bytes }, { name: "a", bytes }]),
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  a\n" +
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  b\n",
  );
});
