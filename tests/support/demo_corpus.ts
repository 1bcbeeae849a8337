/**
 * The worked corpora of the retrieval specification (retrieval.md section 12).
 *
 * @module
 */

import type { Operation, RevisionWords, ScratchProject } from "./scratch_project.ts";

/** More that a revision's metadata may say. */
export type Metadata = Readonly<Record<string, unknown>>;

/** Operations for an item's revision, with more metadata than {@linkcode RevisionWords} has. */
export function revise(
  project: ScratchProject,
  itemId: string,
  words: RevisionWords,
  metadata: Metadata = {},
): Operation[] {
  return project.revise(itemId, words).map((operation) =>
    operation["op"] === "upsertRevision"
      ? { ...operation, metadata: { ...operation["metadata"] as Metadata, ...metadata } }
      : operation
  );
}

const ANCHORED = { labels: [] };
const anchor = (file: string): Metadata => ({
  provider: "git",
  sourceUri: `git://local/${file}`,
});

/** Corpus D: six items of every visibility, with relations and an alias. */
export function addDemo(project: ScratchProject): void {
  const from = { validFrom: "2026-01-01T00:00:00Z" };
  project.migrate(
    ...revise(project, "ops.retry", {
      title: "Retry budget",
      body:
        "# Retry budget\n\nEvery outbound call carries a retry budget of three attempts with jitter.\n",
      sourceAnchors: [{
        ...anchor("docs/retry.md"),
        repository: "demo",
        commitSha: "a1b2c3d",
        filePath: "docs/retry.md",
        lineStart: 1,
        lineEnd: 9,
      }],
    }, { ...from, ...ANCHORED }),
    ...revise(project, "ops.cache", {
      title: "Cache keys",
      body: "Cache keys include the tenant.\n\nA cache miss never triggers a retry storm.\n",
      sensitivity: "public",
      trustLevel: "authoritative",
      sourceAnchors: [anchor("docs/cache.md")],
    }, { ...from, ...ANCHORED, validTo: "2026-03-01T00:00:00+09:00" }),
    ...revise(project, "sec.keys", {
      title: "Key rotation retry",
      body: "Rotation retry secret zebra.\n",
      sensitivity: "confidential",
      sourceAnchors: [anchor("k.md")],
    }, { ...from, ...ANCHORED }),
    ...revise(project, "arch.queue", {
      title: "Queue draft",
      body: "Queue consumers retry with backoff.\n",
      status: "draft",
      trustLevel: "unverified",
      sourceAnchors: [anchor("q.md")],
    }, { ...from, ...ANCHORED }),
    ...revise(project, "arch.old", {
      title: "Old rejected",
      body: "Retry forever xylophone.\n",
      status: "rejected",
      trustLevel: "unverified",
      sourceAnchors: [anchor("o.md")],
    }, { ...from, ...ANCHORED }),
    ...revise(project, "dom.auth-ja", {
      title: "認証の方針",
      body: "認証トークンは二十四時間で失効する。鍵は月次で更新する。\n",
    }, from),
    ...relations(),
    { op: "addAlias", alias: "ops.retries", itemId: "ops.retry" },
  );
}

function relations(): Operation[] {
  const edge = (source: string, type: string, target: string, note?: string): Operation => ({
    op: "addRelation",
    sourceItemId: source,
    relationType: type,
    targetItemId: target,
    ...(note === undefined ? {} : { note }),
  });
  return [
    edge("ops.retry", "depends_on", "ops.cache", "cache first"),
    edge("ops.retry", "implements", "dom.auth-ja"),
    edge("ops.retry", "constrained_by", "sec.keys", "hidden note"),
    edge("arch.old", "rejects", "ops.retry"),
    edge("arch.queue", "related_to", "ops.retry"),
    edge("ops.cache", "related_to", "ops.retries"),
  ];
}

/** Corpus R: seven short items. */
export function addRank(project: ScratchProject): void {
  const bodies: readonly (readonly [string, string, string])[] = [
    ["a.one", "Alpha", "alpha beta\n"],
    ["a.two", "Beta", "beta gamma alpha alpha\n"],
    ["a.three", "Gamma", "gamma delta\n"],
    ["a.four", "Under", "max_retry_count is 5 and 100% sure\n"],
    ["a.five", "Cafe", "Le café au lait; GRÜẞE ΑΒ αβ\n"],
    ["a.six", "Dup", "same text here\n"],
    ["a.seven", "Dup", "same text here\n"],
  ];
  const words = (title: string, body: string) => ({ title, body, trustLevel: "unverified" });
  project.migrate(
    ...bodies.flatMap(([itemId, title, body]) => revise(project, itemId, words(title, body))),
  );
}
