/**
 * The canonical corpus: migrations, engine, states, readers (corpus-and-migrations.md).
 *
 * @module
 */

export * from "./active_pointer.ts";
export * from "./application_order.ts";
export * from "./apply_migrations.ts";
export * from "./apply_operation.ts";
export * from "./carry_over.ts";
export * from "./committed_check.ts";
export * from "./footprint.ts";
export * from "./guards.ts";
export * from "./item_id.ts";
export * from "./join_migration.ts";
export * from "./load_migrations.ts";
export * from "./migration.ts";
export * from "./migration_fault.ts";
export * from "./migration_outline.ts";
export * from "./migration_schema.ts";
export * from "./migration_set.ts";
export * from "./migration_status.ts";
export * from "./model.ts";
export * from "./open_state.ts";
export * from "./parse_migration.ts";
export * from "./permissive_moves.ts";
export * from "./relation_cycles.ts";
export * from "./replay.ts";
export * from "./schema_faults.ts";
export * from "./serving_profile.ts";
export * from "./source_cache.ts";
export * from "./state_files.ts";
export * from "./state_hash.ts";
export * from "./state_inventory.ts";
export * from "./state_reader.ts";
export * from "./validate_migrations.ts";
export * from "./verify_history.ts";
export * from "./withdrawal.ts";
export * from "./working_state.ts";
export * from "./write_state.ts";
