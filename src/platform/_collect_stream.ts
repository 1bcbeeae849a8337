/** A stream held more than its limit. */
export class OutputLimit extends Error {}

/** A stream that is being read. */
export interface Collected {
  /** All of it; rejects with {@linkcode OutputLimit}. */
  readonly bytes: Promise<Uint8Array>;
  /** Stops reading, also while another process keeps the stream open. */
  cancel(): Promise<void>;
}

/** Reads a stream to its end, or to the byte beyond the limit. */
export function collectStream(stream: ReadableStream<Uint8Array>, limit: number): Collected {
  const reader = stream.getReader();
  const read = async () => {
    const chunks: Uint8Array[] = [];
    let length = 0;
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      chunks.push(next.value);
      length += next.value.length;
      if (length > limit) throw new OutputLimit();
    }
    const bytes = new Uint8Array(length);
    let at = 0;
    for (const chunk of chunks) {
      bytes.set(chunk, at);
      at += chunk.length;
    }
    return bytes;
  };
  return { bytes: read(), cancel: () => reader.cancel().catch(() => {}) };
}
