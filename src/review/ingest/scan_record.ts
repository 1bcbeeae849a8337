/**
 * The secret scan of one record before it is written (review.md 5, "Secret scan").
 *
 * @module
 */

import { scanSecrets } from "../../secrets/mod.ts";
import type { Evidence, Person } from "../evidence/model.ts";

/** Most findings that are reported of one record. */
export const FINDINGS_A_RECORD = 20;

/** Where something that looks like a credential stands in a record; never the value. */
export interface RecordFinding {
  /** The comment it stands in, or `null`. */
  readonly commentId: string | null;
  /** Key path inside the record, such as `comments[1].body`. */
  readonly field: string;
  readonly line: number;
  readonly column: number;
  readonly family: string;
  /** At most the first four characters of the match. */
  readonly prefix: string;
}

interface ScannedValue {
  readonly field: string;
  readonly text: string;
  readonly commentId?: string;
}

/** Findings of a record, in the order of its values. Urls, object ids and record ids are not scanned. */
export function scanRecord(evidence: Evidence): RecordFinding[] {
  const findings: RecordFinding[] = [];
  for (const value of scannedValues(evidence)) {
    for (const finding of scanSecrets(value.text, FINDINGS_A_RECORD - findings.length)) {
      findings.push({
        commentId: value.commentId ?? null,
        field: value.field,
        line: finding.line,
        column: finding.column,
        family: finding.family,
        prefix: finding.prefix,
      });
    }
    if (findings.length >= FINDINGS_A_RECORD) break;
  }
  return findings;
}

function scannedValues(evidence: Evidence): ScannedValue[] {
  switch (evidence.kind) {
    case "pull-request": {
      const { title, body, author, headRefName, labels, milestone } = evidence.record;
      return [
        { field: "title", text: title },
        { field: "body", text: body },
        ...personValues("author", author),
        { field: "headRefName", text: headRefName },
        ...labels.map((text, index) => ({ field: `labels[${index}]`, text })),
        { field: "milestone", text: milestone ?? "" },
      ];
    }
    case "review-submission": {
      const { body, author } = evidence.record;
      return [{ field: "body", text: body }, ...personValues("author", author)];
    }
    case "review-thread": {
      const { filePath, comments, resolution } = evidence.record;
      const values: ScannedValue[] = [{ field: "filePath", text: filePath ?? "" }];
      comments.forEach(({ externalId: commentId, body, author }, index) => {
        const at = `comments[${index}]`;
        values.push({ field: `${at}.body`, text: body, commentId });
        values.push(...personValues(`${at}.author`, author, commentId));
      });
      const resolvedBy = resolution?.resolvedBy ?? null;
      if (resolvedBy !== null) values.push(...personValues("resolution.resolvedBy", resolvedBy));
      return values;
    }
  }
}

function personValues(field: string, person: Person, commentId?: string): ScannedValue[] {
  const place = commentId === undefined ? {} : { commentId };
  return [
    { field: `${field}.displayName`, text: person.displayName, ...place },
    { field: `${field}.externalId`, text: person.externalId, ...place },
  ];
}
