/**
 * Archives with nothing of the machine that packed them in: no owner, one time, one order.
 *
 * @module
 */

import { crc32 } from "node:zlib";

/** A file in an archive. */
export interface Entry {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly executable: boolean;
}

const BLOCK = 512;
const encoder = new TextEncoder();

/** A gzipped POSIX tar. `time` counts seconds of the epoch. */
export async function tarGz(entries: readonly Entry[], time: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for (const entry of entries) {
    const padding = (BLOCK - entry.bytes.length % BLOCK) % BLOCK;
    parts.push(tarHeader(entry, time), entry.bytes, new Uint8Array(padding));
  }
  parts.push(new Uint8Array(2 * BLOCK));
  return await compressed(parts, "gzip");
}

function tarHeader({ name, bytes, executable }: Entry, time: number): Uint8Array {
  const header = new Uint8Array(BLOCK);
  const put = (text: string, at: number) => header.set(encoder.encode(text), at);
  const octal = (value: number, width: number) => value.toString(8).padStart(width - 1, "0") + "\0";
  if (encoder.encode(name).length > 100) throw new TypeError("The name is too long for a tar");
  put(name, 0);
  put(octal(executable ? 0o755 : 0o644, 8), 100);
  put(octal(0, 8), 108);
  put(octal(0, 8), 116);
  put(octal(bytes.length, 12), 124);
  put(octal(time, 12), 136);
  put(" ".repeat(8), 148);
  put("0", 156);
  put("ustar\0" + "00", 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  put(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return header;
}

/** A zip as Windows opens it. `time` counts seconds of the epoch, in steps of two. */
export async function zip(entries: readonly Entry[], time: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let offset = 0;
  for (const entry of entries) {
    const packed = await compressed([entry.bytes], "deflate-raw");
    const facts = zipFacts(entry, packed.length, time);
    const name = encoder.encode(entry.name);
    const local = numbers([0x04034b50, 4], [20, 2], [0, 2], [8, 2], ...facts, [name.length, 2], [
      0,
      2,
    ]);
    const mode = (0o100000 | (entry.executable ? 0o755 : 0o644)) * 0x10000;
    directory.push(
      numbers(
        ...[[0x02014b50, 4], [0x0314, 2], [20, 2], [0, 2], [8, 2]] as const,
        ...facts,
        ...[[name.length, 2], [0, 2], [0, 2], [0, 2], [0, 2], [mode, 4], [offset, 4]] as const,
      ),
      name,
    );
    parts.push(local, name, packed);
    offset += local.length + name.length + packed.length;
  }
  const size = directory.reduce((total, { length }) => total + length, 0);
  const count = entries.length;
  const end = numbers(
    ...[[0x06054b50, 4], [0, 2], [0, 2], [count, 2], [count, 2]] as const,
    ...[[size, 4], [offset, 4], [0, 2]] as const,
  );
  return joined([...parts, ...directory, end]);
}

type Field = readonly [value: number, bytes: 2 | 4];

/** Time, date, checksum and both sizes, as both headers of an entry hold them. */
function zipFacts({ bytes }: Entry, packed: number, time: number): readonly Field[] {
  const at = new Date(time * 1000);
  const clock = at.getUTCHours() << 11 | at.getUTCMinutes() << 5 | at.getUTCSeconds() >> 1;
  const day = (at.getUTCFullYear() - 1980) << 9 | (at.getUTCMonth() + 1) << 5 | at.getUTCDate();
  return [[clock, 2], [day, 2], [crc32(bytes), 4], [packed, 4], [bytes.length, 4]];
}

function numbers(...fields: readonly Field[]): Uint8Array {
  const bytes = new Uint8Array(fields.reduce((total, [, width]) => total + width, 0));
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const [value, width] of fields) {
    if (width === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += width;
  }
  return bytes;
}

async function compressed(
  parts: readonly Uint8Array[],
  format: "gzip" | "deflate-raw",
): Promise<Uint8Array> {
  const stream = new Blob(parts as Uint8Array<ArrayBuffer>[]).stream()
    .pipeThrough(new CompressionStream(format));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((total, { length }) => total + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
