import type { Connection } from "../platform/sqlite/mod.ts";
import type { BuildFacts, BuildFlavour } from "./build_facts.ts";
import { INDEX_SCHEMA_VERSION, INDEX_STAMP, VECTOR_DIMENSION } from "./schema.ts";
import { SUMMARY_MODEL, SUMMARY_PROMPT_HASH, SUMMARY_REVISION } from "./summarise_texts.ts";

/** What a writer decides; the counts are taken from the file. */
export type DecidedFacts =
  & BuildFlavour
  & Pick<BuildFacts, "buildId" | "stateHash" | "builtAt" | "scanned" | "history" | "purged">;

const INSERT = `INSERT INTO build (id, stamp, schema_version, build_id, state_hash, project_id,
  built_at, indexes_unapproved, sensitivities, embedding_model, embedding_dimension, raptor,
  scanned, history_count, history_sha256, purged, summary_model, summary_revision, summary_prompt_hash, document_count, chunk_count,
  node_count)
  VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
    (SELECT count(*) FROM documents), (SELECT coalesce(sum(chunk_count), 0) FROM documents),
    (SELECT count(*) FROM nodes))`;

/** Replaces the row of `build`. */
export function writeBuildFacts(connection: Connection, facts: DecidedFacts): void {
  connection.run("DELETE FROM build");
  connection.run(
    INSERT,
    INDEX_STAMP,
    INDEX_SCHEMA_VERSION,
    facts.buildId,
    facts.stateHash,
    facts.projectId,
    facts.builtAt,
    facts.indexesUnapproved ? 1 : 0,
    facts.sensitivities.join(","),
    facts.embeddingModel,
    facts.embeddingModel === "" ? 0 : VECTOR_DIMENSION,
    facts.raptor ? 1 : 0,
    facts.scanned ? 1 : 0,
    facts.history.count,
    facts.history.sha256,
    facts.purged.join(","),
    facts.raptor ? SUMMARY_MODEL : "",
    facts.raptor ? SUMMARY_REVISION : "",
    facts.raptor ? SUMMARY_PROMPT_HASH : "",
  );
}
