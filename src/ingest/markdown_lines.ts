/** One line of a text and where it stands. */
export interface SourceLine {
  /** Without its line end. */
  readonly text: string;
  /** UTF-16 index of its first character. */
  readonly start: number;
  /** UTF-16 index behind its last character, before the line end. */
  readonly end: number;
}

/** Cuts a text at line feeds; a carriage return before one belongs to the line end. */
export function sourceLines(text: string): SourceLine[] {
  const lines: SourceLine[] = [];
  for (let start = 0; start <= text.length;) {
    const feed = text.indexOf("\n", start);
    const stop = feed === -1 ? text.length : feed;
    const end = stop > start && text[stop - 1] === "\r" ? stop - 1 : stop;
    lines.push({ text: text.slice(start, end), start, end });
    if (feed === -1) break;
    start = feed + 1;
  }
  return lines;
}
