/**
 * What an adoption would draft: which documents are new, which changed, which are knowledge or wait
 * for review already (decision 33).
 *
 * @module
 */

import {
  checkGuards,
  inApplicationOrder,
  type ItemFacts,
  type MigrationSet,
  type Replay,
  replay,
  type RevisionFacts,
  type SourceAnchor,
  type UpsertRevision,
} from "../knowledge/mod.ts";
import { sha256Hex } from "../platform/hash.ts";
import type { AdoptableDocument, SkippedDocument } from "./adopt_documents.ts";
import { type IdentityOverrides, otherIds } from "./adopt_identity.ts";

/** A document that is to be drafted. */
export interface PlannedDocument extends AdoptableDocument {
  readonly change: "new" | "updated";
  readonly contentSha256: string;
  /** What stands now and stays as reviewers left it; `null` for a new item. */
  readonly current: { readonly item: ItemFacts; readonly revision: RevisionFacts } | null;
}

/** What is to be drafted and what is not. */
export interface AdoptionPlan {
  readonly drafts: readonly PlannedDocument[];
  readonly unchanged: number;
  readonly skipped: readonly SkippedDocument[];
}

/** What an adoption is planned against. */
export interface AdoptionGround {
  readonly landed: MigrationSet;
  /** The content of proposals that wait. */
  readonly pending: readonly UpsertRevision[];
  /** As {@linkcode AdoptionOrigin.repository}. */
  readonly repository: string | null;
  readonly overrides: IdentityOverrides;
}

const RETIRED: ReadonlySet<string> = new Set(["deprecated", "superseded", "rejected"]);

/** Plans. Throws what replaying the landed set throws. */
export function planAdoption(
  documents: readonly AdoptableDocument[],
  ground: AdoptionGround,
): AdoptionPlan {
  checkGuards(ground.landed, () => false);
  const planner = new Planner(ground, replay(inApplicationOrder(ground.landed), null));
  for (const document of documents) planner.take(document);
  return planner;
}

/** An item and where its text came from. */
interface Known {
  readonly itemId: string;
  readonly contentSha256: string;
  readonly sourceAnchors: readonly SourceAnchor[];
}

class Planner implements AdoptionPlan {
  readonly drafts: PlannedDocument[] = [];
  readonly skipped: SkippedDocument[] = [];
  unchanged = 0;
  readonly #ground: AdoptionGround;
  readonly #now: Replay;
  readonly #waiting: ReadonlyMap<string, Known>;
  readonly #byPath = new Map<string, readonly Known[]>();
  /** Ids that mean something already. */
  readonly #taken: Set<string>;
  /** Digest of a text to where it stands, as a reason says it. */
  readonly #texts = new Map<string, string>();

  constructor(ground: AdoptionGround, now: Replay) {
    this.#ground = ground;
    this.#now = now;
    this.#waiting = new Map(ground.pending.map((one) => [one.itemId, knownOf(one)]));
    this.#taken = new Set([
      ...now.state.items.keys(),
      ...now.state.aliases.keys(),
      ...this.#waiting.keys(),
    ]);
    for (const known of [...this.#standing(), ...this.#waiting.values()]) this.#note(known);
  }

  *#standing(): Generator<Known> {
    for (const { item } of this.#now.state.items.values()) {
      const revision = this.#revisionOf(item);
      if (revision !== null) yield revision;
    }
  }

  #revisionOf(item: ItemFacts): RevisionFacts | null {
    const id = item.currentRevisionId;
    return id === null ? null : this.#now.state.revisions.get(id) ?? null;
  }

  #note(known: Known): void {
    for (const path of new Set(known.sourceAnchors.map((anchor) => anchor.filePath))) {
      if (path !== null) this.#byPath.set(path, [...this.#byPath.get(path) ?? [], known]);
    }
    const item = this.#now.state.items.get(known.itemId)?.item;
    if (item === undefined || !RETIRED.has(item.status)) {
      const where = this.#waiting.get(known.itemId) === known
        ? "a waiting proposal for"
        : "the item";
      this.#texts.set(known.contentSha256, `${where} ${known.itemId}`);
    }
  }

  /** Sorts one document in. */
  take(document: AdoptableDocument): void {
    const contentSha256 = sha256Hex(document.body);
    const itemId = this.#adoptedBefore(document);
    if (itemId === null) return this.#takeNew(document, contentSha256);
    const { path } = document;
    const item = this.#now.state.items.get(itemId)?.item ?? null;
    const revision = item === null ? null : this.#revisionOf(item);
    const waiting = this.#waiting.get(itemId);
    if (item !== null && RETIRED.has(item.status)) {
      this.skipped.push({ path, reason: `its item ${itemId} is ${item.status}` });
    } else if ([waiting?.contentSha256, revision?.contentSha256].includes(contentSha256)) {
      this.unchanged++;
    } else if (waiting !== undefined) {
      this.skipped.push({ path, reason: `another proposal for ${itemId} waits for review` });
    } else {
      const current = { item: item!, revision: revision! };
      const { kind, namespace } = this.#ground.overrides;
      this.#draft({
        ...document,
        itemId,
        kind: kind ?? current.item.kind,
        namespace: namespace ?? current.item.namespace,
        contentSha256,
        change: "updated",
        current,
      });
    }
  }

  /**
   * The item that this document became, if it did: one whose only source is the whole file, or one of
   * the derived id that names the file.
   */
  #adoptedBefore({ path, itemId }: AdoptableDocument): string | null {
    const { repository } = this.#ground;
    const known = this.#byPath.get(path) ?? [];
    const own = known.filter((one) => {
      const [anchor, ...more] = one.sourceAnchors;
      const isWhole = more.length === 0 && anchor!.lineStart === 1 && anchor!.lineEnd !== null;
      return isWhole && [null, "local", repository].includes(anchor!.repository);
    });
    return (known.find((one) => one.itemId === itemId) ?? own[0])?.itemId ?? null;
  }

  #takeNew(document: AdoptableDocument, contentSha256: string): void {
    const twin = this.#texts.get(contentSha256);
    if (twin !== undefined) {
      this.skipped.push({ path: document.path, reason: `its text is that of ${twin}` });
      return;
    }
    let { itemId } = document;
    for (const other of otherIds(document, document.path)) {
      if (!this.#taken.has(itemId)) break;
      itemId = other;
    }
    this.#draft({ ...document, itemId, contentSha256, change: "new", current: null });
  }

  #draft(planned: PlannedDocument): void {
    this.#taken.add(planned.itemId);
    this.#texts.set(planned.contentSha256, planned.path);
    this.drafts.push(planned);
  }
}

function knownOf({ itemId, contentSha256, metadata }: UpsertRevision): Known {
  return { itemId, contentSha256, sourceAnchors: metadata.sourceAnchors };
}
