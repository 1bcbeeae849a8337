/**
 * Reports where a history makes an item more visible than it was: a later step that lifts a status,
 * lowers a sensitivity, or overtakes a stricter step that carries a larger id
 * (corpus-and-migrations.md 15.4). A report only; nothing is refused by it.
 *
 * @module
 */

import {
  SENSITIVITIES,
  type Sensitivity,
  type Status,
  SURFACEABLE_STATUSES,
  type SurfaceableStatus,
} from "./model.ts";

/** The two labels that decide who sees an item. */
export type LabelField = "status" | "sensitivity";

/** What earlier migrations left behind about one label of one item. */
export interface FieldTrace {
  /** The migration that last mattered for this label. */
  readonly last: { readonly id: string; readonly withdrew: boolean } | null;
  /** The largest migration id that wrote the label, and the value it left. */
  readonly top: { readonly id: string; readonly value: string } | null;
}

/** Both traces of one item; stored with it, so that a carried-over state can go on from there. */
export type LabelTrace = Readonly<Record<LabelField, FieldTrace>>;

/** The trace of an item that nothing has written yet. */
export const EMPTY_TRACE: LabelTrace = {
  status: { last: null, top: null },
  sensitivity: { last: null, top: null },
};

/** One row of the report. */
export interface PermissiveMove {
  readonly migrationId: string;
  readonly itemId: string;
  readonly field: LabelField;
  readonly before: string;
  readonly after: string;
  /** The migration whose effect is undone, or `null` where none is known. */
  readonly undoes: string | null;
  readonly kind: "undoes" | "lowers" | "reorders" | null;
}

/** One write of a label by one operation. */
export interface LabelWrite {
  readonly itemId: string;
  readonly field: LabelField;
  /** `null` when the item did not exist. */
  readonly before: string | null;
  readonly after: string;
  readonly fromUpsert: boolean;
  /** The trace before this write. */
  readonly trace: FieldTrace;
}

interface Watched {
  readonly found: string | null;
  readonly start: FieldTrace;
  candidate: { fromUpsert: boolean } | null;
}

/** Watches the label writes of one migration. */
export class MoveWatch {
  readonly #migrationId: string;
  readonly #watched = new Map<string, Watched>();
  readonly #candidates: { itemId: string; field: LabelField; watched: Watched }[] = [];

  constructor(migrationId: string) {
    this.#migrationId = migrationId;
  }

  /** Takes note of a write and returns the trace it leaves. */
  record(write: LabelWrite): FieldTrace {
    const { itemId, field, before, after, trace } = write;
    const key = `${field} ${itemId}`;
    let watched = this.#watched.get(key);
    if (watched === undefined) {
      watched = { found: before, start: trace, candidate: null };
      this.#watched.set(key, watched);
    }
    const loosened = before !== null && isLooser(field, after, before);
    const tightened = before !== null && isLooser(field, before, after);
    if (loosened) this.#consider(write, watched);
    return {
      top: trace.top === null || this.#migrationId >= trace.top.id
        ? { id: this.#migrationId, value: after }
        : trace.top,
      last: !loosened && !tightened && (before === after || trace.last !== null)
        ? trace.last
        : { id: this.#migrationId, withdrew: tightened && watched.found !== null },
    };
  }

  #consider({ itemId, field, fromUpsert, trace }: LabelWrite, watched: Watched): void {
    const byUpsert = fromUpsert && watched.found !== null;
    const overtaken = trace.top !== null && trace.top.id > this.#migrationId;
    if (!byUpsert && !overtaken) return;
    if (watched.candidate === null) {
      watched.candidate = { fromUpsert: byUpsert };
      this.#candidates.push({ itemId, field, watched });
    } else if (byUpsert) {
      watched.candidate.fromUpsert = true;
    }
  }

  /** The rows of this migration; `valueOf` reads a label as the migration leaves it. */
  rows(valueOf: (itemId: string, field: LabelField) => string): readonly PermissiveMove[] {
    const rows: PermissiveMove[] = [];
    for (const { itemId, field, watched } of this.#candidates) {
      const before = watched.found;
      if (before === null) continue;
      const after = valueOf(itemId, field);
      const reason = this.#reason(field, before, after, watched);
      if (reason !== null) {
        rows.push({ migrationId: this.#migrationId, itemId, field, before, after, ...reason });
      }
    }
    return rows;
  }

  #reason(
    field: LabelField,
    before: string,
    after: string,
    { start: { top, last }, candidate }: Watched,
  ): Pick<PermissiveMove, "undoes" | "kind"> | null {
    const overtakes = top !== null && top.id > this.#migrationId &&
      !isLooser(field, before, top.value) && isLooser(field, after, top.value);
    if (overtakes) return { undoes: top.id, kind: "reorders" };
    if (!candidate!.fromUpsert || !isLooser(field, after, before)) return null;
    if (last === null) return { undoes: null, kind: null };
    return { undoes: last.id, kind: last.withdrew ? "undoes" : "lowers" };
  }
}

/** True when `a` shows an item to more readers than `b` does. */
function isLooser(field: LabelField, a: string, b: string): boolean {
  if (field === "status") return isSurfaceable(a as Status) && !isSurfaceable(b as Status);
  return SENSITIVITIES.indexOf(a as Sensitivity) < SENSITIVITIES.indexOf(b as Sensitivity);
}

/** True for a status that can ever be shown. */
export function isSurfaceable(status: Status): boolean {
  return SURFACEABLE_STATUSES.includes(status as SurfaceableStatus);
}
