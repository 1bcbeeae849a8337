import type { Migration, Operation } from "./migration.ts";
import type { MigrationOutline } from "./migration_outline.ts";

/** A migration of which the outline is at hand; the rest is fetched when it is first asked for. */
export class LazyMigration implements Migration {
  readonly id: string;
  readonly dependsOn: readonly string[];
  readonly #fetch: () => Migration;
  #whole: Migration | null = null;

  constructor({ id, dependsOn }: MigrationOutline, fetch: () => Migration) {
    this.id = id;
    this.dependsOn = dependsOn;
    this.#fetch = fetch;
  }

  get createdAt(): string {
    return this.#migration.createdAt;
  }

  get author(): string {
    return this.#migration.author;
  }

  get description(): string | null {
    return this.#migration.description;
  }

  get operations(): readonly Operation[] {
    return this.#migration.operations;
  }

  get #migration(): Migration {
    return this.#whole ??= this.#fetch();
  }
}
