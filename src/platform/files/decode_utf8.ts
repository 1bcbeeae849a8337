const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Decodes UTF-8 without repair: `null` when the bytes are invalid; a BOM, CRLF and NUL stay in the
 * text (corpus-and-migrations.md 10.1).
 */
export function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes);
  } catch {
    return null;
  }
}
