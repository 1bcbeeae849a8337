/** Longest slug, before trailing dashes are dropped. */
const LONGEST = 48;

/**
 * The ASCII slug of a text, or of the fallback where nothing of the text remains, as a title in
 * another script (proposals.md 2.1).
 */
export function slugOf(text: string, fallback: string): string {
  return slug(text) || slug(fallback) || "migration";
}

function slug(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]+/g, "-").slice(0, LONGEST).replace(/^-+|-+$/g, "");
}
