import type { Clock } from "../platform/clock.ts";
import type { JsonObject } from "../platform/json.ts";
import type { UlidSource } from "../platform/ulid.ts";
import type { Project } from "../projects/mod.ts";
import type { ContentDraft, DraftSurface } from "./model.ts";

/** What a draft needs from the surface that asks for it. */
export interface DraftContext {
  readonly project: Project;
  readonly clock: Clock;
  /** One source for the process, so that two drafts sort as they were made. */
  readonly ulids: UlidSource;
  readonly surface: DraftSurface;
  /** Longest wait for another writer, in milliseconds. */
  readonly lockWaitMs: number;
  /** What the caller is told to do next; `null` stands for a document draft. */
  nextSteps(proposalId: string, draft: ContentDraft | null): readonly string[];
  /** Additive facts for the reviewer in `evidence.json`. */
  readonly evidenceExtras?: JsonObject;
}
