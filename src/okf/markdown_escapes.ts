/**
 * Escapes of generated Markdown (okf.md 3.7), without which a title could close its link and open
 * one of its own.
 *
 * @module
 */

/** A link's label: one line, no bracket, angle bracket, backtick or backslash that means something. */
export function escapeLabel(text: string): string {
  return text.replace(/\r\n|[\n\r\u0085\u2028\u2029\t]/g, " ")
    .replace(/[\\[\]<>`]/g, (c) => `\\${c}`);
}

/** A line of a note inside a list item; nothing in it opens a block. */
export function escapeListLine(text: string): string {
  return escapeLabel(text)
    .replace(/^( *)([#`~>\-+*=_])/, "$1\\$2")
    .replace(/^( *)([0-9]+)([.)])/, "$1$2\\$3");
}
