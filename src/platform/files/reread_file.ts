import { type FileSignature, fileSignature, isSettled } from "./file_signature.ts";
import { type ReadOptions, readRegularFileIfPresent } from "./read_file.ts";

const MOST_KEPT = 64;
const MOST_BYTES = 256 * 1024;

const kept = new Map<string, { readonly signature: FileSignature; readonly bytes: Uint8Array }>();

/**
 * As {@linkcode readRegularFileIfPresent}, for small files that every call of a daemon reads: pointers,
 * the registry, provenance. The file is looked at every time and read again unless it is the very
 * file that was read before, by device, inode, size and both times. The same bytes are the same
 * object; nobody may write to it.
 */
export function rereadRegularFile(path: string, options: ReadOptions = {}): Uint8Array | null {
  const before = fileSignature(path);
  const known = kept.get(path);
  const isSame = known !== undefined && isEqual(known.signature, before);
  if (isSame && fits(known.bytes, options)) return known.bytes;
  const bytes = readRegularFileIfPresent(path, options);
  if (
    bytes === null || before === null || !isSettled(before) || !isEqual(before, fileSignature(path))
  ) {
    kept.delete(path);
  } else if (bytes.length <= MOST_BYTES) {
    if (kept.size >= MOST_KEPT) kept.clear();
    kept.set(path, { signature: before, bytes });
  }
  return bytes;
}

/**
 * A parse that is done once for the same bytes, which {@linkcode rereadRegularFile} answers with for as
 * long as a file does not change. Nobody may write to the value; what `parse` throws is not remembered.
 */
export function parsedOnce<Value>(
  parse: (bytes: Uint8Array) => Value,
): (bytes: Uint8Array) => Value {
  const known = new WeakMap<Uint8Array, { readonly value: Value }>();
  return (bytes) => {
    let parsed = known.get(bytes);
    if (parsed === undefined) known.set(bytes, parsed = { value: parse(bytes) });
    return parsed.value;
  };
}

function isEqual(a: FileSignature, b: FileSignature | null): boolean {
  return b !== null && a.device === b.device && a.inode === b.inode && a.size === b.size &&
    a.modifiedMs === b.modifiedMs && a.changedMs === b.changedMs;
}

function fits(bytes: Uint8Array, { maxBytes }: ReadOptions): boolean {
  return maxBytes === undefined || bytes.length <= maxBytes;
}
