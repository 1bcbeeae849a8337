/**
 * Why a provider call is refused: nine grades, each with one fixed remedy (review.md 5, "Grades").
 *
 * @module
 */

export const GRADES = [
  "repository-not-allowlisted",
  "repository-is-private",
  "repository-resolved-elsewhere",
  "transport-override-configured",
  "tool-missing",
  "tool-too-old",
  "tool-unauthenticated",
  "tool-failed",
  "limit-exceeded",
] as const;
export type Grade = typeof GRADES[number];

/** Oldest `gh` whose answers are understood. */
export const GH_FLOOR = "2.86.0";

/** What to do about each grade; looked up, never composed. */
export const GRADE_REMEDIES: Readonly<Record<Grade, string>> = {
  "repository-not-allowlisted": "Add the repository to `providers.review.repositories` in " +
    ".theurian/config.yaml, as `- owner/name`, then run `theurian review ingest owner/name` again",
  "repository-is-private":
    "Nothing of a private repository is ingested. Check its visibility with " +
    "`gh repo view owner/name --json visibility`, and remove it from " +
    "`providers.review.repositories` in .theurian/config.yaml if it stays private",
  "repository-resolved-elsewhere": "Find the present name with " +
    "`gh repo view owner/name --json nameWithOwner`, then write that name into " +
    "`providers.review.repositories` in .theurian/config.yaml",
  "transport-override-configured": 'Remove it with `gh config set http_unix_socket ""` for the ' +
    "user who runs theurian, then run the command again",
  "tool-missing":
    "Install the GitHub command line (https://cli.github.com) so that `gh --version` " +
    "answers, then run the command again",
  "tool-too-old": `Update the GitHub command line to ${GH_FLOOR} or newer (see: gh --version), ` +
    "then run the command again",
  "tool-unauthenticated": "Run `gh auth login --hostname github.com`, check it with " +
    "`gh auth status --hostname github.com`, then run the command again; tokens in variables are " +
    "not used",
  "tool-failed": "See what the GitHub command line answers with `gh api rate_limit` and " +
    "`gh auth status --hostname github.com`, then run the command again",
  "limit-exceeded":
    "Take fewer pull requests with `--limit`, or only newer ones with `--since`; a " +
    "pull request that is itself beyond the limits cannot be ingested",
};

/** A refusal of a call, or of what it answered. `message` holds nothing of the answer. */
export class GradedRefusal extends Error {
  override readonly name = "GradedRefusal";
  /** When the provider refills its limit, as an earlier answer said; `null` when none did. */
  resetsAt: string | null = null;
  constructor(
    readonly grade: Grade,
    summary: string,
    /** Set when the provider answered that its rate limit is used up. */
    readonly rateLimited = false,
  ) {
    super(summary);
  }
}

/** Remedy of a used-up rate limit; `resetsAt` is the provider's own instant, when it is known. */
export function rateLimitRemedy(resetsAt: string | null): string {
  const when = resetsAt === null ? "See when it is refilled with `gh api rate_limit`" : "";
  return `${when === "" ? `GitHub refills the limit at ${resetsAt}` : when}; then run the same ` +
    "command again: what this run wrote stays and is updated";
}
