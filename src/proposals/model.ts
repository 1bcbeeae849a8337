/**
 * Proposals: what a caller asks for, what lies on disk, what an answer says (proposals.md 2 to 4).
 *
 * @module
 */

import type { Kind, Sensitivity, SourceAnchor, TrustLevel } from "../knowledge/model.ts";
import type { JsonObject } from "../platform/json.ts";

/** Body formats that can be drafted, with the extension of the body's file. */
export const BODY_EXTENSIONS = {
  "text/markdown": "md",
  "application/json": "json",
  "application/yaml": "yaml",
} as const;
export type BodyContentType = keyof typeof BODY_EXTENSIONS;

/** Who or what drafted, and why; kept in `evidence.json`, read by people. */
export interface DraftEvidence {
  readonly agentId: string;
  readonly taskId: string;
  readonly model: string;
  readonly reasoning: string;
}

/** A change of one item's content: a body and its revision (proposals.md 3). */
export interface ContentDraft {
  readonly itemId: string;
  readonly title: string;
  readonly kind: Kind;
  readonly owner: string;
  readonly author: string;
  readonly description: string;
  /** Written byte for byte. */
  readonly body: Uint8Array;
  readonly contentType: BodyContentType;
  readonly evidence: DraftEvidence;
  readonly sourceAnchors: readonly SourceAnchor[];
  readonly labels: readonly string[];
  readonly scopePaths: readonly string[];
  /** `null`: inherited from the item, else derived from the id; `""` is kept. */
  readonly namespace: string | null;
  readonly trustLevel: TrustLevel | null;
  readonly sensitivity: Sensitivity | null;
  readonly expectedRevision: string | null;
  /** Stored form of the moment from which the text no longer holds; open-ended unless given. */
  readonly validTo?: string | null;
  /** Written to the folder that Git ignores. */
  readonly local: boolean;
}

/** A migration document without content (proposals.md 4.3). */
export interface DocumentDraft {
  readonly document: JsonObject;
  readonly evidence: DraftEvidence;
  readonly local: boolean;
}

/** A drafted content proposal: the twelve keys of proposals.md 4.2, in their order. */
export interface ContentProposal {
  readonly proposalId: string;
  /** POSIX, relative to the project root, no trailing slash. */
  readonly proposalDirectory: string;
  readonly migrationId: string;
  /** File name only. */
  readonly migrationFile: string;
  readonly revisionId: string;
  readonly expectedRevision: string | null;
  readonly bodyFile: string;
  readonly evidenceFile: string;
  readonly contentFile: string;
  /** `sha256:` and 64 hex digits. */
  readonly contentSha256: string;
  readonly bodyDestination: string;
  readonly nextSteps: readonly string[];
}

/** A drafted document proposal: the seven keys of proposals.md 4.3, in their order. */
export interface DocumentProposal {
  readonly proposalId: string;
  readonly proposalDirectory: string;
  readonly migrationId: string;
  readonly migrationFile: string;
  readonly evidenceFile: string;
  /** Kinds in document order, duplicates kept. */
  readonly operations: readonly string[];
  readonly nextSteps: readonly string[];
}

/** What a surface lets a draft know about an item (proposals.md 3.2). */
export interface KnownItem {
  readonly retired: boolean;
  readonly currentRevisionId: string | null;
  readonly namespace: string;
  readonly trustLevel: TrustLevel;
  readonly sensitivity: Sensitivity;
}

/** How a draft reaches the current state and how its remedies name things. */
export interface DraftSurface {
  /** `cli`: remedies name options; `mcp`: remedies name argument keys. */
  readonly speaks: "cli" | "mcp";
  /** The item as this surface sees it; `null` is absent, or outside the caller's view. */
  item(itemId: string): KnownItem | null;
}

/**
 * All that a tool can reach of this area: two functions, none of which can accept, apply or write
 * a store (proposals.md 1, P2).
 */
export interface DraftFacade {
  draftContent(draft: ContentDraft): Promise<ContentProposal>;
  draftDocument(draft: DocumentDraft): Promise<DocumentProposal>;
}
