import type { ActivePointer, StateReader } from "../knowledge/mod.ts";
import type { JsonObject } from "../platform/json.ts";

const REMEDY =
  "Run `theurian migrate apply`, which rebuilds what is missing. If this stays, delete " +
  "`.theurian/state/`, run `theurian migrate apply` again, then `theurian index build`; all of it is " +
  "computed from the reviewed files, so nothing is lost.";

/**
 * The `integrity` key when a bounded check found damage, else nothing: there is no healthy form
 * (retrieval.md 9.3).
 */
export function integrityOf(reader: StateReader, pointer: ActivePointer): JsonObject {
  return isDamaged(reader, pointer) ? { integrity: { damageDetected: true, remedy: REMEDY } } : {};
}

/** True when a count of the state disagrees with its own record. */
export function isDamaged(reader: StateReader, pointer: ActivePointer): boolean {
  const { surfaceable, expected, migrations } = reader.integrityCounts();
  return migrations !== pointer.migrationCount || surfaceable !== expected;
}
