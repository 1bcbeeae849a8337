/**
 * Writes migrations and bodies into a test repository.
 *
 * @module
 */

import { sha256Hex } from "../../src/platform/hash.ts";
import { type WritableYaml, writeYaml } from "../../src/platform/yaml/mod.ts";
import type { TemporaryRepository } from "./temporary_repository.ts";

/** What a test says about an item; the rest is usual. */
export interface TestItem {
  readonly itemId: string;
  readonly title?: string;
  readonly body?: string;
  readonly contentType?: string;
  /** The revision that it follows, unless it is the first. */
  readonly expectedRevision?: string;
  /** More keys of the revision's metadata, or others for the usual ones. */
  readonly metadata?: Readonly<Record<string, WritableYaml>>;
}

const CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** The nth id of a kind, in rising order. */
export function testUlid(kind: string, n: number): string {
  let text = "";
  for (let rest = n, i = 0; i < 8; i++, rest = Math.floor(rest / 32)) {
    text = CROCKFORD[rest % 32] + text;
  }
  return `01K${kind.padEnd(15, "0")}${text}`;
}

/** Writes one migration with an upsert for each item, and whatever operations come behind. */
export function writeMigration(
  repository: TemporaryRepository,
  number: number,
  items: readonly TestItem[],
  operations: readonly WritableYaml[] = [],
): string {
  const id = testUlid("MG", number);
  const upserts = items.map((item, index) => upsert(repository, item, number * 100 + index));
  repository.write(
    `.theurian/migrations/${id}-test.yaml`,
    writeYaml({
      apiVersion: "theurian.dev/v1",
      id,
      createdAt: "2026-08-01T10:00:00+09:00",
      author: "ada@example.org",
      operations: [...upserts, ...operations],
    }),
  );
  return id;
}

function upsert(repository: TemporaryRepository, item: TestItem, n: number): WritableYaml {
  const body = item.body ?? `# ${item.itemId}\n\nText of it.\n`;
  const file = `.theurian/knowledge/test/${n}-${item.itemId}.txt`;
  repository.write(file, body);
  return {
    op: "upsertRevision",
    itemId: item.itemId,
    revisionId: testUlid("RV", n),
    ...(item.expectedRevision === undefined ? {} : { expectedRevision: item.expectedRevision }),
    contentFile: `../knowledge/test/${n}-${item.itemId}.txt`,
    contentSha256: sha256Hex(body),
    metadata: {
      title: item.title ?? item.itemId,
      contentType: item.contentType ?? "text/markdown",
      kind: "convention",
      status: "approved",
      namespace: item.itemId.split(".")[0]!,
      owner: "team",
      labels: ["authored-in-theurian"],
      ...item.metadata,
    },
  };
}
