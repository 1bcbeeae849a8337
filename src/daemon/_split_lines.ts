/** A line, or `null` for one that was longer than allowed and is dropped. */
export type SplitLine = Uint8Array | null;

/** Lines of a byte stream without their line feeds; blank ones are left out. */
export async function* splitLines(
  input: ReadableStream<Uint8Array>,
  limit: number,
): AsyncGenerator<SplitLine> {
  let parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of input) {
    let from = 0;
    for (let end = chunk.indexOf(0x0a); end >= 0; end = chunk.indexOf(0x0a, from)) {
      size += end - from;
      parts.push(chunk.subarray(from, end));
      from = end + 1;
      if (size > 0) yield size > limit ? null : joined(parts, size);
      parts = [];
      size = 0;
    }
    size += chunk.length - from;
    // Of a line that is too long only its length is kept.
    if (size <= limit) parts.push(chunk.slice(from));
    else parts = [];
  }
  if (size > 0) yield size > limit ? null : joined(parts, size);
}

function joined(parts: readonly Uint8Array[], size: number): Uint8Array {
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
