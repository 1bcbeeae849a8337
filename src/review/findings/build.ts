/**
 * `theurian findings build`: the public history, read whole, becomes the findings store (review.md
 * 3). Nothing is incremental: rewritten history is picked up and old rows vanish.
 *
 * @module
 */

import { utcText } from "../../platform/clock.ts";
import { isFault, TheurianError } from "../../platform/errors.ts";
import { type ProjectPaths, withWriteLock } from "../../projects/mod.ts";
import {
  asStoreFault,
  FINDINGS_STORE,
  recordStore,
  type StoreBuildOptions,
  storePath,
  writeStore,
} from "../publish_store.ts";
import { readPublicHistory } from "./git_history.ts";
import { readHistory } from "./history.ts";
import { writeFindings } from "./store.ts";
import { PARSER_STAMP } from "./trailer.ts";

/** What a build did. */
export interface FindingsBuild {
  readonly findings: number;
  readonly rejected: number;
  readonly parserStamp: string;
  readonly storePath: string;
  /** The clone is shallow, so the history that was read is not whole. */
  readonly shallow: boolean;
}

/** Rebuilds the store. Throws with exit 1, or 4 when a path leaves the project. */
export async function buildFindings(
  paths: ProjectPaths,
  options: StoreBuildOptions,
): Promise<FindingsBuild> {
  const { dataDirectory, clock, onStep = () => {} } = options;
  const seal = options.seal();
  const path = storePath(paths, FINDINGS_STORE);
  onStep("Reading the history");
  const { records, shallow } = await readPublicHistory(paths.root);
  const history = readHistory(records);
  onStep("Writing the findings store");
  try {
    await withWriteLock(paths, () =>
      writeStore(path, (draft) => {
        writeFindings(draft.connection, history, seal, utcText(clock.now()));
        draft.publish();
      }));
  } catch (error) {
    throw storeFault(error);
  }
  await recordFindings(paths, dataDirectory, seal);
  return {
    findings: history.findings.length,
    rejected: history.rejections.length,
    parserStamp: PARSER_STAMP,
    storePath: path,
    shallow,
  };
}

function storeFault(error: unknown): unknown {
  if (!isFault(error) || error.fault === "path-escape") return error;
  const graded = asStoreFault(error) as TheurianError;
  return new TheurianError(graded.fault, graded.message, {
    remedy:
      `${graded.remedy}. When \`.theurian/state/\` can be written and the disk has room, run ` +
      "`theurian findings build` again",
    exit: 1,
    cause: error,
  });
}

async function recordFindings(
  paths: ProjectPaths,
  dataDirectory: string,
  seal: string,
): Promise<void> {
  try {
    await recordStore(dataDirectory, paths.root, "findings", seal);
  } catch (error) {
    if (!isFault(error)) throw error;
    throw new TheurianError(
      error.fault,
      "The findings store was rebuilt, but it will be refused: that it was built here could not " +
        "be recorded in the data directory",
      {
        remedy: "Make the data directory writable (see: ls -ld ~/.theurian, or what " +
          "THEURIAN_DATA_DIR names), then run `theurian findings build` again",
        exit: 1,
        cause: error,
      },
    );
  }
}
