/**
 * Why a migration file does not load: one value for the report of `migrate status` and for the
 * refusal of every command that needs the whole set (decision 8).
 *
 * @module
 */

import { type FaultCode, TheurianError } from "../platform/errors.ts";

/** What `migrate status` publishes about a file (corpus-and-migrations.md 15.1). */
export interface MigrationFault {
  /** The migration file, relative to the project. */
  readonly path: string;
  /** Place inside the file: `operations/0/op`, `line 3, column 5`, or `<root>`. */
  readonly location: string;
  /** The broken rule. */
  readonly rule: string;
}

/** A fault with the refusal that it means for a command that needs the set. */
export interface LoadFault extends MigrationFault {
  readonly error: TheurianError;
}

/** A rule that the file itself breaks. */
export function ruleFault(
  path: string,
  location: string,
  rule: string,
  options: { readonly fault?: FaultCode; readonly remedy?: string } = {},
): LoadFault {
  const where = location === "<root>" ? "" : ` at ${location}`;
  const error = new TheurianError(
    options.fault ?? "migration-invalid",
    `Cannot load ${path}${where}: ${rule}`,
    {
      remedy: options.remedy ?? `Correct ${path}, then run: theurian migrate validate`,
      details: { path, location },
    },
  );
  return { path, location, rule, error };
}

/** What one of the doors refused while the file was read. */
export function doorFault(path: string, location: string, error: TheurianError): LoadFault {
  return { path, location: placeOf(error) ?? location, rule: error.message, error };
}

function placeOf({ details }: TheurianError): string | null {
  const line = details?.["line"];
  const column = details?.["column"];
  if (typeof line !== "number") return null;
  return typeof column === "number" ? `line ${line}, column ${column}` : `line ${line}`;
}
