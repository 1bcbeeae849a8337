/** Shapes of credentials that are told apart (index-build.md 8.2). */
export type SecretFamily =
  | "aws-access-key-id"
  | "github-token"
  | "google-api-key"
  | "openai-api-key"
  | "private-key-block"
  | "slack-token"
  | "stripe-secret-key"
  | "high-entropy-token";

/** What may be told about a secret: where it stands and how it begins, never the value. */
export interface SecretFinding {
  readonly family: SecretFamily;
  /** From 1; only a line feed ends a line. */
  readonly line: number;
  /** From 1, in code points. */
  readonly column: number;
  /** The first characters of the value, at most {@linkcode PREFIX_LENGTH}. */
  readonly prefix: string;
}

/** So much of a value may be shown: enough to find it, too little to use it. */
export const PREFIX_LENGTH = 4;

/** Makes finding after finding in text order, counting lines and columns once over the text. */
export class FindingPlacer {
  readonly #text: string;
  #line = 1;
  #lineStart = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** The finding of a match that starts at `index`, which must not lie before an earlier one. */
  place(family: SecretFamily, index: number): SecretFinding {
    let feed = this.#text.indexOf("\n", this.#lineStart);
    while (feed >= 0 && feed < index) {
      this.#line++;
      this.#lineStart = feed + 1;
      feed = this.#text.indexOf("\n", this.#lineStart);
    }
    return {
      family,
      line: this.#line,
      column: codePointsBetween(this.#text, this.#lineStart, index) + 1,
      prefix: this.#text.slice(index, index + PREFIX_LENGTH),
    };
  }
}

function codePointsBetween(text: string, start: number, end: number): number {
  let count = 0;
  for (let i = start; i < end; i++) {
    const unit = text.charCodeAt(i);
    const isPair = unit >= 0xd800 && unit <= 0xdbff && text.codePointAt(i)! > 0xffff;
    if (isPair) i++;
    count++;
  }
  return count;
}
