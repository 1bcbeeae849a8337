/**
 * What an executable of `deno compile` is made of: the runtime, and a payload that begins with the
 * options it was compiled with.
 *
 * @module
 */

/** The runtime of an ELF executable, as it was before the payload was put behind it. */
export function runtimeOf(executable: Uint8Array): Uint8Array {
  const view = new DataView(executable.buffer, executable.byteOffset);
  if (view.getUint32(0) !== 0x7f454c46) throw new TypeError("Only ELF executables are taken apart");
  const sections = Number(view.getBigUint64(0x28, true));
  const end = sections + view.getUint16(0x3a, true) * view.getUint16(0x3c, true);
  return executable.subarray(0, end);
}

/** Options that an executable was compiled with. */
export interface CompiledOptions {
  readonly permissions: Readonly<Record<string, readonly string[] | boolean | null>>;
  readonly code_cache_key: unknown;
  readonly argv: readonly string[];
}

/** Reads the options. */
export function optionsOf(executable: Uint8Array): CompiledOptions {
  const payload = executable.subarray(runtimeOf(executable).length);
  const text = new TextDecoder("latin1").decode(payload.subarray(0, 1 << 16));
  const start = text.indexOf('{"argv":');
  if (start < 0) throw new TypeError("The executable holds no options");
  return JSON.parse(objectAt(text, start)) as CompiledOptions;
}

/** The JSON object that begins at a place. */
function objectAt(text: string, start: number): string {
  let depth = 0;
  let inText = false;
  for (let at = start; at < text.length; at++) {
    const unit = text[at];
    if (inText && unit === "\\") at++;
    else if (unit === '"') inText = !inText;
    else if (!inText && unit === "{") depth++;
    else if (!inText && unit === "}" && --depth === 0) return text.slice(start, at + 1);
  }
  throw new TypeError("The options do not end");
}
