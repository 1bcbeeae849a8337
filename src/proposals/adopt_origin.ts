/**
 * Where the documents of an adoption come from: their repository, and the commit that holds them
 * (decision 33).
 *
 * @module
 */

import { anchorOf } from "../ingest/mod.ts";
import type { SourceAnchor } from "../knowledge/mod.ts";
import {
  gitBlobId,
  gitFilesAtHead,
  gitHashObject,
  gitHeadCommit,
  gitOriginUrl,
} from "../platform/git.ts";
import { publicRepositoryUrl } from "../projects/mod.ts";
import type { AdoptableDocument } from "./adopt_documents.ts";

/** The origin of some documents. */
export interface AdoptionOrigin {
  /** Address without credentials, `local` where there is none; `null` before the first commit. */
  readonly repository: string | null;
  /** The anchor of one of them; it names the commit only where that holds the same text. */
  anchor(document: Pick<AdoptableDocument, "path" | "lines">): SourceAnchor;
}

/** Asks Git which of the documents are at HEAD as they are on the disk. */
export async function adoptionOrigin(
  root: string,
  documents: readonly Pick<AdoptableDocument, "path" | "bytes">[],
): Promise<AdoptionOrigin> {
  const commit = await gitHeadCommit(root);
  const repositoryUrl = publicRepositoryUrl(await gitOriginUrl(root));
  const committed = commit === null ? new Set<string>() : await committedPaths(root, documents);
  return {
    repository: anchorOf("", { commit, repositoryUrl }).repository,
    anchor({ path, lines }) {
      const { provider, sourceUri, repository, commitSha } = anchorOf(path, {
        commit,
        repositoryUrl,
      });
      return {
        provider,
        sourceUri,
        repository,
        commitSha: committed.has(path) ? commitSha : null,
        blobSha: null,
        filePath: path,
        lineStart: 1,
        lineEnd: Math.max(1, lines),
        externalId: null,
      };
    },
  };
}

async function committedPaths(
  root: string,
  documents: readonly Pick<AdoptableDocument, "path" | "bytes">[],
): Promise<ReadonlySet<string>> {
  const atHead = await gitFilesAtHead(root, documents.map((one) => one.path));
  const committed = new Set<string>();
  for (const { path, bytes } of documents) {
    const objectId = atHead.get(path)?.objectId;
    if (objectId === undefined) continue;
    // Filters, such as those of line ends, may stand between the file and what is stored.
    const same = gitBlobId(bytes, objectId) === objectId ||
      await gitHashObject(root, path, bytes) === objectId;
    if (same) committed.add(path);
  }
  return committed;
}
