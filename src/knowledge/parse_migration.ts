/**
 * From a parsed YAML document to a {@linkcode Migration}, or to the rules it breaks
 * (corpus-and-migrations.md sections 2, 9 and 9.3).
 *
 * @module
 */

import { parseTimestamp } from "../platform/timestamp.ts";
import type {
  AddEvidence,
  CreateItem,
  DeprecateItem,
  Migration,
  Operation,
  RegisterSpecification,
  RevisionMetadata,
  UpsertRevision,
} from "./migration.ts";
import { migrationSchemaFaults } from "./migration_schema.ts";
import { DEFAULT_ACL_GROUP, DEFAULT_TENANT, type SourceAnchor } from "./model.ts";
import { locationOf, type SchemaFault } from "./schema_faults.ts";

/** A migration, or why the document is none. */
export type ParsedMigration =
  | { readonly migration: Migration; readonly faults: readonly [] }
  | { readonly migration: null; readonly faults: readonly SchemaFault[] };

type Path = readonly (string | number)[];
/** What the schema has admitted; optional keys may be absent. */
type Admitted<T> = { readonly [K in keyof T]?: T[K] | undefined };
interface AdmittedMetadata extends Admitted<Omit<RevisionMetadata, "sourceAnchors">> {
  readonly scope?: { readonly paths?: readonly string[] };
  readonly sourceAnchors?: readonly Admitted<SourceAnchor>[];
}

const TIMESTAMP_RULE =
  "must be a date and time with seconds and an offset, such as 2026-01-31T09:00:00+01:00";

/** Checks a document against the schema and the rules beyond it. Never throws. */
export function parseMigration(document: unknown): ParsedMigration {
  const schemaFaults = migrationSchemaFaults(document);
  if (schemaFaults.length > 0) return { migration: null, faults: schemaFaults };
  const reader = new DocumentReader();
  const migration = reader.migration(document as Admitted<Migration>);
  const { faults } = reader;
  return faults.length > 0 ? { migration: null, faults } : { migration, faults: [] };
}

/** Walks an admitted document once and collects the faults it meets. */
class DocumentReader {
  readonly faults: SchemaFault[] = [];

  migration(document: Admitted<Migration>): Migration {
    return {
      id: document.id!,
      createdAt: this.#timestamp(document.createdAt!, ["createdAt"]),
      author: document.author!,
      dependsOn: document.dependsOn ?? [],
      description: document.description ?? null,
      operations: document.operations!.map((op, i) => this.#operation(op, ["operations", i])),
    };
  }

  #operation(operation: Operation, path: Path): Operation {
    switch (operation.op) {
      case "createItem":
        return createItem(operation);
      case "upsertRevision":
        return this.#upsertRevision(operation, path);
      case "deprecateItem":
        return deprecateItem(operation);
      case "restoreItem":
        return { ...operation, reason: operation.reason ?? null };
      case "addRelation":
        return { ...operation, note: operation.note ?? null };
      case "registerSpecification":
        return registerSpecification(operation);
      case "addEvidence":
        return this.#addEvidence(operation, path);
      default:
        return operation;
    }
  }

  #upsertRevision(operation: UpsertRevision, path: Path): UpsertRevision {
    return {
      ...operation,
      expectedRevision: operation.expectedRevision ?? null,
      metadata: this.#metadata(operation.metadata as AdmittedMetadata, [...path, "metadata"]),
    };
  }

  #metadata(metadata: AdmittedMetadata, path: Path): RevisionMetadata {
    const { validFrom, validTo, sourceAnchors } = metadata;
    return {
      title: metadata.title!,
      contentType: metadata.contentType!,
      kind: metadata.kind!,
      status: metadata.status!,
      namespace: metadata.namespace!,
      owner: metadata.owner!,
      trustLevel: metadata.trustLevel ?? "unverified",
      sensitivity: metadata.sensitivity ?? "internal",
      tenantId: metadata.tenantId ?? DEFAULT_TENANT,
      aclGroup: metadata.aclGroup ?? DEFAULT_ACL_GROUP,
      validFrom: this.#optionalTimestamp(validFrom, [...path, "validFrom"]),
      validTo: this.#optionalTimestamp(validTo, [...path, "validTo"]),
      labels: metadata.labels ?? [],
      scopePaths: metadata.scope?.paths ?? [],
      sourceAnchors: (sourceAnchors ?? []).map((anchor, i) =>
        this.#anchor(anchor, [...path, "sourceAnchors", i])
      ),
    };
  }

  #addEvidence(operation: AddEvidence, path: Path): AddEvidence {
    return {
      ...operation,
      // Evidence does not keep the blob (section 11).
      anchor: { ...this.#anchor(operation.anchor, [...path, "anchor"]), blobSha: null },
      confidence: operation.confidence ?? 1,
    };
  }

  #anchor(anchor: Admitted<SourceAnchor>, path: Path): SourceAnchor {
    const lineStart = anchor.lineStart ?? null;
    const lineEnd = anchor.lineEnd ?? null;
    this.#lines(lineStart, lineEnd, path);
    return {
      provider: anchor.provider!,
      sourceUri: anchor.sourceUri!,
      repository: anchor.repository ?? null,
      commitSha: anchor.commitSha ?? null,
      blobSha: anchor.blobSha ?? null,
      filePath: anchor.filePath ?? null,
      lineStart,
      lineEnd,
      externalId: anchor.externalId ?? null,
    };
  }

  #lines(start: number | null, end: number | null, path: Path): void {
    const exact = (line: number | null) => line === null || Number.isSafeInteger(line);
    if (!exact(start) || !exact(end)) {
      this.#fault(path, `must have line numbers of at most ${Number.MAX_SAFE_INTEGER}`);
    } else if (end !== null && start === null) {
      this.#fault(path, `has "lineEnd" without "lineStart"`);
    } else if (end !== null && start !== null && end < start) {
      this.#fault(path, `has "lineEnd" before "lineStart"`);
    }
  }

  #timestamp(text: string, path: Path): string {
    const parsed = parseTimestamp(text);
    if (parsed !== null) return parsed.text;
    this.#fault(path, TIMESTAMP_RULE);
    return text;
  }

  #optionalTimestamp(text: string | null | undefined, path: Path): string | null {
    return text === null || text === undefined ? null : this.#timestamp(text, path);
  }

  #fault(path: Path, rule: string): void {
    if (this.faults.length < 20) this.faults.push({ location: locationOf(path), path, rule });
  }
}

function createItem(operation: CreateItem): CreateItem {
  return {
    ...operation,
    sensitivity: operation.sensitivity ?? "internal",
    trustLevel: operation.trustLevel ?? "unverified",
  };
}

function deprecateItem(operation: DeprecateItem): DeprecateItem {
  return {
    ...operation,
    reason: operation.reason ?? null,
    supersededBy: operation.supersededBy ?? null,
  };
}

function registerSpecification(operation: RegisterSpecification): RegisterSpecification {
  return { ...operation, status: operation.status ?? "active" };
}
