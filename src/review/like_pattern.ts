/** A `LIKE` pattern that matches the text anywhere, each of its characters literally. */
export function likePattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, "\\$&")}%`;
}
