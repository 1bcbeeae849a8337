/**
 * What is wrong with an evidence file, and what a person can do about it (review.md 6, "Cures").
 *
 * @module
 */

/** What a file breaks, in the order it is read. */
export type EvidenceRule =
  | "containment"
  | "not-regular"
  | "link"
  | "depth-of-path"
  | "size"
  | "unreadable"
  | "utf-8"
  | "json"
  | "depth"
  | "object"
  | "formatVersion"
  | "kind"
  | "missing"
  | "type"
  | "instant"
  | "vocabulary"
  | "empty"
  | "blank"
  | "anchor-provider"
  | "anchor-lines"
  | "number"
  | "merge-commit"
  | "comments"
  | "resolution"
  | "resolution-state"
  | "project-id"
  | "path"
  | "path-case"
  | "pull-request"
  | "nul"
  | "surrogate"
  | "observedAt";

const SENTENCES: Readonly<Record<EvidenceRule, string>> = {
  "containment": "its path leaves `.theurian/review` through a link",
  "not-regular": "it is not a regular file",
  "link": "it is a link",
  "depth-of-path": "its path is too deep",
  "size": "it is larger than 8,388,608 bytes",
  "unreadable": "it cannot be read",
  "utf-8": "it is not UTF-8",
  "json": "it is not strict JSON without a byte order mark",
  "depth": "its JSON nests deeper than 1,000 levels",
  "object": "its JSON is not an object",
  "formatVersion": "it must be the integer 1",
  "kind": "it must be pull-request, review-submission or review-thread",
  "missing": "it is missing",
  "type": "it has the wrong type",
  "instant": "it is not a date and time with an offset",
  "vocabulary": "it is none of the words this key allows",
  "empty": "it must not be empty",
  "blank": "it must not be blank",
  "anchor-provider": "it differs from the document's provider",
  "anchor-lines": "the line range is not a range",
  "number": "it must be at least 1",
  "merge-commit": "a merged pull request needs one",
  "comments": "a thread needs at least one comment",
  "resolution": "a resolved thread needs one",
  "resolution-state": "it must be resolved, outdated or dismissed",
  "project-id": "it is not a project id",
  "path": "the file does not lie where its content belongs",
  "path-case": "the file's path differs in case from where its content belongs",
  "pull-request": "the pull request number is outside 1 to 9223372036854775807",
  "nul": "a text that is served holds U+0000",
  "surrogate": "a text that is served holds an unpaired surrogate",
  "observedAt": "it falls outside the years 1 to 9999 in UTC",
};

/** A broken rule; `field` is a key path such as `record.comments[0].body`. */
export class EvidenceFault extends Error {
  override readonly name = "EvidenceFault";
  constructor(
    readonly rule: EvidenceRule,
    readonly field: string | null = null,
    /** The path that the content belongs to, where that is the fault. */
    readonly belongsAt: string | null = null,
  ) {
    super(`Cannot use the record: ${field === null ? "" : `${field}: `}${SENTENCES[rule]}`);
  }
}

const COMPARE =
  "compare it with its history: `git log -p -- .theurian/review`. Do not delete it: " +
  "an edited or deleted comment cannot be fetched again";

/** What to do about a faulty file at `path` (below `.theurian/review/`). */
export function cureOf(fault: EvidenceFault, path: string): string {
  switch (fault.rule) {
    case "containment":
    case "link":
    case "not-regular":
      return `Look at it with \`ls -l .theurian/review/${path}\` and remove the link or special file ` +
        "there; of a folder move the content out first. Then run `theurian review build`";
    case "path-case":
      return `Rename it to .theurian/review/${fault.belongsAt} in two steps, through another name, ` +
        "then run `theurian review build`";
    case "path":
      return `Move it to .theurian/review/${fault.belongsAt} unless that file exists, or restore it; ` +
        COMPARE;
    case "unreadable":
      return `Give yourself read access to .theurian/review/${path} (\`ls -l\`), then run ` +
        "`theurian review build`";
    default:
      return `Open .theurian/review/${path} and ${COMPARE}`;
  }
}
