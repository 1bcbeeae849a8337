/**
 * The `Review-Finding:` line (review.md 1). Pure: one commit message in, findings and rejected lines
 * out.
 *
 * @module
 */

export const REVIEWERS = ["code-review", "security", "adversarial"] as const;
export type Reviewer = typeof REVIEWERS[number];

export const SEVERITIES = ["CRITICAL", "HIGH", "MEDIUM", "LOW"] as const;
export type Severity = typeof SEVERITIES[number];

/**
 * Identity of this grammar. A change of the key, the separator, a vocabulary, the alias or the
 * matching asks for another value.
 */
export const PARSER_STAMP = "377169e2220e57090b7f0fb79f0453ff1f4f3c120d4f742cb352a388dafe2376";

const KEY = "Review-Finding:";
const SEPARATOR = " \u2014 ";
const REVIEWER_OF_TOKEN: ReadonlyMap<string, Reviewer> = new Map([
  ...REVIEWERS.map((reviewer) => [reviewer, reviewer] as const),
  ["code", "code-review"],
]);

/** A line that satisfies the grammar. */
export interface Trailer {
  readonly reviewer: Reviewer;
  readonly severity: Severity;
  /** Kept byte for byte, outer blanks and a final CR included. */
  readonly text: string;
}

/** Which rule a keyed line breaks, in the order of the checks. */
export type TrailerFault = "separator" | "text" | "tokens" | "reviewer" | "severity";

/** Why a line was rejected, in words that hold nothing of the line. */
export const TRAILER_REASONS: Readonly<Record<TrailerFault, string>> = {
  separator: "no em dash between spaces separates reviewer and severity from the text",
  text: "the text after the separator is empty",
  tokens: "before the separator must stand a reviewer and a severity with one space between them",
  reviewer: `the reviewer is none of ${REVIEWERS.join(", ")} (or the short form code)`,
  severity: `the severity is none of ${SEVERITIES.join(", ")}`,
};

/** A keyed line of a message. */
export type KeyedLine =
  | { readonly line: string; readonly trailer: Trailer }
  | { readonly line: string; readonly fault: TrailerFault };

/**
 * Every keyed line of a message, in order. Lines end at LF only; a CR, a vertical tab or U+2028
 * belongs to its line. Nothing is trimmed.
 */
export function keyedLines(message: string): KeyedLine[] {
  const keyed: KeyedLine[] = [];
  for (let start = 0; start <= message.length;) {
    const newline = message.indexOf("\n", start);
    const end = newline < 0 ? message.length : newline;
    if (message.startsWith(KEY, start)) keyed.push(readKeyedLine(message.slice(start, end)));
    start = end + 1;
  }
  return keyed;
}

function readKeyedLine(line: string): KeyedLine {
  const rest = line.slice(line[KEY.length] === " " ? KEY.length + 1 : KEY.length);
  const separator = rest.indexOf(SEPARATOR);
  if (separator < 0) return { line, fault: "separator" };
  const text = rest.slice(separator + SEPARATOR.length);
  if (text === "") return { line, fault: "text" };
  const tokens = rest.slice(0, separator).split(" ");
  if (tokens.length !== 2) return { line, fault: "tokens" };
  const reviewer = REVIEWER_OF_TOKEN.get(tokens[0]!);
  if (reviewer === undefined) return { line, fault: "reviewer" };
  const severity = SEVERITIES.find((word) => word === tokens[1]);
  if (severity === undefined) return { line, fault: "severity" };
  return { line, trailer: { reviewer, severity, text } };
}
