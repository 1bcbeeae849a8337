/**
 * Writing evidence files (review.md 6, "Writing"): never through a link, never beside a name that
 * differs in case alone, each by temporary and rename.
 *
 * @module
 */

import { dirname, join } from "node:path";
import { isFault, TheurianError } from "../../platform/errors.ts";
import {
  describePath,
  ensureDirectory,
  listDirectory,
  replaceFile,
} from "../../platform/files/mod.ts";
import { EVIDENCE_BYTES } from "./read_files.ts";

/** A record to write. */
export interface RecordFile {
  /** Below `.theurian/review/`, with `/`. */
  readonly path: string;
  readonly text: string;
}

/** Suffix of the temporary beside a record. */
export const WRITING_SUFFIX = ".writing";

/**
 * Writes one run's records. A refusal throws `review-unusable` and says how many records were
 * written before: those stay.
 */
export class RecordWriter {
  readonly #reviewRoot: string;
  /** Names in the folders written to, by folded name. */
  readonly #folders = new Map<string, Map<string, Set<string>>>();
  readonly #claimed = new Set<string>();
  #written = 0;

  constructor(reviewRoot: string) {
    this.#reviewRoot = reviewRoot;
  }

  /** Number of records written. */
  get written(): number {
    return this.#written;
  }

  /** Writes a record; true when its file was not there before. */
  write(record: RecordFile): boolean {
    this.#claim(record.path);
    if (new TextEncoder().encode(record.text).length > EVIDENCE_BYTES) {
      throw this.#refusal(record.path, "it is larger than 8,388,608 bytes", {
        remedy: "Shorten the conversation on GitHub, then run the command again",
      });
    }
    this.#checkWay(record.path);
    const path = join(this.#reviewRoot, record.path);
    const isNew = this.#writable(record.path, () => {
      ensureDirectory(dirname(path));
      const absent = describePath(path) === null;
      replaceFile(path, record.text, { mode: 0o644, temporary: path + WRITING_SUFFIX });
      return absent;
    });
    this.#written++;
    this.#remember(record.path);
    return isNew;
  }

  /** Two records of one run must not share a path, also where a file system folds case. */
  #claim(path: string): void {
    const folded = path.toLowerCase();
    if (this.#claimed.has(folded)) {
      throw this.#refusal(path, "two records of this run belong at one path", {
        remedy: "Report this with the pull request's number: GitHub gave one id twice. Run " +
          "`theurian review build` to serve what was written",
      });
    }
    this.#claimed.add(folded);
  }

  /** No folder on the way is a link, and no name on the way differs in case alone. */
  #checkWay(path: string): void {
    this.#checkFolder(this.#reviewRoot, "");
    const parts = path.split("/");
    for (let i = 0; i < parts.length; i++) {
      const parent = parts.slice(0, i).join("/");
      const name = parts[i]!;
      const there = this.#names(parent).get(name.toLowerCase());
      if (there === undefined) return;
      const twin = [...there].find((one) => one !== name);
      if (twin !== undefined) {
        const folder = parent === "" ? "" : `${parent}/`;
        throw this.#refusal(path, "a name on its way differs in case alone", {
          remedy: `Rename .theurian/review/${folder}${twin} to .theurian/review/${folder}${name} ` +
            "in two steps, through another name, then run the command again",
        });
      }
      if (i < parts.length - 1) {
        const folder = parts.slice(0, i + 1).join("/");
        this.#checkFolder(join(this.#reviewRoot, folder), folder);
      }
    }
  }

  #checkFolder(path: string, shown: string): void {
    if (describePath(path)?.kind !== "link") return;
    const name = shown === "" ? ".theurian/review" : `.theurian/review/${shown}`;
    throw this.#refusal(shown === "" ? "" : shown, "a folder on its way is a link", {
      remedy: `Move the records back from where ${name} leads, put a real folder in its place, ` +
        "then run the command again",
    });
  }

  #names(parent: string): Map<string, Set<string>> {
    let names = this.#folders.get(parent);
    if (names === undefined) {
      const path = parent === "" ? this.#reviewRoot : join(this.#reviewRoot, parent);
      names = new Map();
      for (const { name } of this.#writable(parent, () => listDirectory(path))) {
        addName(names, name);
      }
      this.#folders.set(parent, names);
    }
    return names;
  }

  #remember(path: string): void {
    const parts = path.split("/");
    for (let i = 0; i < parts.length; i++) {
      const folder = this.#folders.get(parts.slice(0, i).join("/"));
      if (folder !== undefined) addName(folder, parts[i]!);
    }
  }

  #writable<T>(path: string, work: () => T): T {
    try {
      return work();
    } catch (error) {
      if (!isFault(error)) throw error;
      throw this.#refusal(path, reasonOf(error), { remedy: writeCure(path, error), cause: error });
    }
  }

  #refusal(
    path: string,
    reason: string,
    options: { readonly remedy: string; readonly cause?: unknown },
  ): TheurianError {
    const place = path === "" ? ".theurian/review" : `.theurian/review/${path}`;
    return new TheurianError(
      "review-unusable",
      `Cannot write ${place}: ${reason}; ${this.#written} records of this run were written and stay`,
      { ...options, details: { written: this.#written } },
    );
  }
}

function addName(names: Map<string, Set<string>>, name: string): void {
  const folded = name.toLowerCase();
  const there = names.get(folded);
  if (there === undefined) names.set(folded, new Set([name]));
  else there.add(name);
}

function reasonOf(error: TheurianError): string {
  const colon = error.message.indexOf(": ");
  return colon < 0 ? "the operating system refuses it" : error.message.slice(colon + 2);
}

/** A planted link or pipe names itself in the message; `.writing` holds no evidence. */
function writeCure(path: string, error: TheurianError): string {
  const record = `.theurian/review/${path}`;
  const shape = error.details?.["shape"];
  if (shape === undefined) {
    return `See the modes with \`ls -ld .theurian/review ${record}\` and give yourself write ` +
      "access, then run the command again";
  }
  if (error.message.includes(WRITING_SUFFIX)) {
    const temporary = `${record}${WRITING_SUFFIX}`;
    return shape === "directory"
      ? `Move the content of ${temporary} out, remove that folder, leave the record beside it, ` +
        "then run the command again"
      : `Remove ${temporary}: it holds no evidence. Leave the record beside it, then run the ` +
        "command again";
  }
  return shape === "directory"
    ? `Move the content of ${record} out, remove that folder, then run the command again`
    : `Look at it with \`ls -l ${record}\`, remove it, then run the command again`;
}
