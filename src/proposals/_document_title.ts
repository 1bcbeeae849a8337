import { parseMarkdown } from "../ingest/mod.ts";
import { codePointLength, firstCodePoints, strip } from "../platform/text.ts";

const LONGEST = 300;

/** An underlined heading, which the outline of ingest does not hold. */
const UNDERLINED = /^[ \t]*\n*(\S[^\n]*)\n(?:={2,}|-{2,})[ \t]*(?:\n|$)/;
const HTML_HEADING = /<h1\b[^>]*>([^]*?)<\/h1>/i;

/**
 * The title that a document gives itself, as plain text: its first level-1 heading of any form, or
 * its front matter's `title`; `null` where it has none. A lower heading tells of a part only.
 */
export function documentTitle(
  { body, structured }: Pick<ReturnType<typeof parseMarkdown>, "body" | "structured">,
): string | null {
  const { headings, frontMatter } = structured as {
    headings: readonly { level: number; text: string }[];
    frontMatter?: Readonly<Record<string, unknown>>;
  };
  const declared = frontMatter?.["title"];
  const candidates = [
    headings.find((heading) => heading.level === 1)?.text,
    typeof declared === "string" ? declared : undefined,
    UNDERLINED.exec(body)?.[1],
    HTML_HEADING.exec(body.slice(0, 2_000))?.[1],
  ];
  for (const candidate of candidates) {
    const title = candidate === undefined ? "" : plain(candidate);
    if (title !== "") return shortened(title);
  }
  return null;
}

/** At most as long as a title may be. */
export function shortened(title: string): string {
  return codePointLength(title) <= LONGEST ? title : firstCodePoints(title, LONGEST);
}

/** Without images, link targets, tags and marks; one line. */
function plain(heading: string): string {
  return strip(
    heading
      .replace(/!\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])/g, "")
      .replace(/\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])/g, "$1")
      .replace(/\s*\{#[\w-]+\}\s*$/, "")
      .replace(/<[^>]*>/g, "")
      .replace(/(\*\*|__|`+)(.+?)\1/g, "$2")
      .replace(/\s+/g, " "),
  );
}
