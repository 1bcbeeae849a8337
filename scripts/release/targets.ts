/**
 * What a release is built for (cli-and-plugins.md 7).
 *
 * @module
 */

/** One machine kind, by the name that `deno compile` and the archives share. */
export interface Target {
  readonly triple: string;
  readonly archive: "tar.gz" | "zip";
  /** Name of the executable in the archive. */
  readonly executable: "theurian" | "theurian.exe";
  /** What the executable's first bytes say. */
  readonly format: string;
}

function unix(triple: string, format: string): Target {
  return { triple, archive: "tar.gz", executable: "theurian", format };
}

/** Every target, in the order in which a release lists them. */
export const TARGETS: readonly Target[] = [
  unix("x86_64-unknown-linux-gnu", "ELF x86-64"),
  unix("aarch64-unknown-linux-gnu", "ELF aarch64"),
  unix("x86_64-apple-darwin", "Mach-O x86-64"),
  unix("aarch64-apple-darwin", "Mach-O aarch64"),
  {
    triple: "x86_64-pc-windows-msvc",
    archive: "zip",
    executable: "theurian.exe",
    format: "PE x86-64",
  },
];

/** Name of a target's archive. */
export function archiveName(version: string, target: Target): string {
  return `theurian-${version}-${target.triple}.${target.archive}`;
}

/** Name of the bill of materials. */
export function billName(version: string): string {
  return `theurian-${version}.cdx.json`;
}

/** What an executable is made for, as {@linkcode Target.format} spells it, or `null`. */
export function formatOf(head: Uint8Array): string | null {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  if (head.length < 64) return null;
  if (view.getUint32(0) === 0x7f454c46) {
    const machine = view.getUint16(18, true);
    return machine === 62 ? "ELF x86-64" : machine === 183 ? "ELF aarch64" : null;
  }
  if (view.getUint32(0, true) === 0xfeedfacf) {
    const processor = view.getUint32(4, true);
    if (processor === 0x01000007) return "Mach-O x86-64";
    return processor === 0x0100000c ? "Mach-O aarch64" : null;
  }
  if (view.getUint16(0) === 0x4d5a) {
    const header = view.getUint32(60, true);
    if (header + 6 > head.length || view.getUint32(header) !== 0x50450000) return null;
    return view.getUint16(header + 4, true) === 0x8664 ? "PE x86-64" : null;
  }
  return null;
}
