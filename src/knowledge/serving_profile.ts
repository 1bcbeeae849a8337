/**
 * The sensitivity ceiling of a deployment (daemon-and-setup.md section 6). Any fault refuses: falling
 * back to a default might serve more than was asked.
 *
 * @module
 */

import { join } from "node:path";
import { isFault, TheurianError } from "../platform/errors.ts";
import { decodeUtf8, describePath, readRegularFileIfPresent } from "../platform/files/mod.ts";
import { shellQuote } from "../platform/shell_quote.ts";
import { cut, escapeControls, strip } from "../platform/text.ts";
import { SENSITIVITIES, sensitivitiesUpTo, type Sensitivity } from "./model.ts";

/** What the deployment shows. */
export interface ServingProfile {
  readonly ceiling: Sensitivity;
  /** The ceiling and every level below it, least restricted first. */
  readonly sensitivities: readonly Sensitivity[];
}

/** Served where the deployment says nothing. */
const DEFAULT_CEILING: Sensitivity = "internal";
const PROFILE_BYTES = 64;

/** Path of the profile. */
export function servingProfilePath(dataDirectory: string): string {
  return join(dataDirectory, "auth", "serving-profile");
}

/** Reads the profile; absent means `internal`. Throws `serving-profile-invalid`, naming the path. */
export function readServingProfile(dataDirectory: string): ServingProfile {
  const path = servingProfilePath(dataDirectory);
  const ceiling = readCeiling(path, join(dataDirectory, "auth"));
  return { ceiling, sensitivities: sensitivitiesUpTo(ceiling) };
}

function readCeiling(path: string, directory: string): Sensitivity {
  const facts = looked(path, path);
  if (facts === null) return DEFAULT_CEILING;
  if (facts.kind !== "file") throw refusal(path, "it is not a regular file", `ls -ld`);
  refuseOpenMode(path, path, facts.mode, "600");
  refuseOpenMode(path, directory, looked(path, directory)?.mode ?? 0, "700");
  if (facts.size > PROFILE_BYTES) throw tooLarge(path);
  const bytes = readBytes(path);
  if (bytes === null) return DEFAULT_CEILING;
  return parseCeiling(path, bytes);
}

function parseCeiling(path: string, bytes: Uint8Array): Sensitivity {
  const text = decodeUtf8(bytes);
  if (text === null) throw wordRefusal(path, "it is not valid UTF-8");
  const word = strip(text).toLowerCase();
  if (word === "") throw wordRefusal(path, "it is empty");
  const level = SENSITIVITIES.find((known) => known === word);
  if (level !== undefined) return level;
  throw wordRefusal(path, `it says "${escapeControls(cut(strip(text), PROFILE_BYTES))}"`);
}

/** Windows has no such bits; access is the directory's there. */
function refuseOpenMode(profile: string, path: string, mode: number, right: string): void {
  if (Deno.build.os === "windows" || (mode & 0o077) === 0) return;
  const what = path === profile ? "it" : `its directory ${path}`;
  throw new TheurianError(
    "serving-profile-invalid",
    `Cannot use the serving profile ${profile}: ${what} has the mode ${
      mode.toString(8).padStart(4, "0")
    }, which lets others in`,
    { remedy: `Run: chmod ${right} ${shellQuote(path)}` },
  );
}

function looked(profile: string, path: string) {
  try {
    return describePath(path);
  } catch (error) {
    throw unexaminable(profile, error);
  }
}

function readBytes(path: string): Uint8Array | null {
  try {
    return readRegularFileIfPresent(path, { maxBytes: PROFILE_BYTES });
  } catch (error) {
    if (isFault(error, "file-too-large")) throw tooLarge(path);
    throw unexaminable(path, error);
  }
}

function unexaminable(path: string, error: unknown): unknown {
  if (!isFault(error)) return error;
  return new TheurianError(
    "serving-profile-invalid",
    `Cannot use the serving profile ${path}: ${error.message}`,
    { remedy: error.remedy, cause: error },
  );
}

function tooLarge(path: string): TheurianError {
  return wordRefusal(path, `it is larger than ${PROFILE_BYTES} bytes`);
}

function wordRefusal(path: string, why: string): TheurianError {
  return new TheurianError(
    "serving-profile-invalid",
    `Cannot use the serving profile ${path}: ${why}`,
    { remedy: `Write one of ${SENSITIVITIES.join(", ")} into ${shellQuote(path)}, or remove it` },
  );
}

function refusal(path: string, why: string, look: string): TheurianError {
  return new TheurianError(
    "serving-profile-invalid",
    `Cannot use the serving profile ${path}: ${why}`,
    {
      remedy: `See what is there with: ${look} ${
        shellQuote(path)
      }; put a file with one word in its place`,
    },
  );
}
