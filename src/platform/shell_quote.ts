const PLAIN = /^[A-Za-z0-9_@%+=:,./-]+$/;

/**
 * One word for a POSIX shell, quoted only where it must be, so that a remedy can be pasted. Control
 * characters stay as they are inside the quotes; the printing edge escapes them.
 */
export function shellQuote(word: string): string {
  return PLAIN.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
