/**
 * Refuses before anything is started when the GitHub command line is set to send its requests
 * through a socket of someone's choosing (review.md 5, "Transport guard").
 *
 * @module
 */

import { join } from "node:path";
import { isFault } from "../../platform/errors.ts";
import { readRegularFile, realPath } from "../../platform/files/mod.ts";
import { parseForeignYaml } from "../../platform/yaml/mod.ts";
import { isObject } from "../evidence/fields.ts";
import { GradedRefusal } from "./grades.ts";

/** Variables that tell `gh` where its settings are, and that it is given. Empty counts as unset. */
export interface GhEnvironment {
  readonly ghConfigDirectory: string | null;
  readonly xdgConfigHome: string | null;
  readonly home: string | null;
}

const CONFIG_BYTES = 256 * 1024;

/** The folder `gh` reads its settings from, and the variable that chose it. */
function configFolder(environment: GhEnvironment): { path: string; chosenBy: string } | null {
  const { ghConfigDirectory, xdgConfigHome, home } = environment;
  if (ghConfigDirectory !== null) return { path: ghConfigDirectory, chosenBy: "GH_CONFIG_DIR" };
  if (xdgConfigHome !== null) {
    return { path: join(xdgConfigHome, "gh"), chosenBy: "XDG_CONFIG_HOME" };
  }
  return home === null ? null : { path: join(home, ".config", "gh"), chosenBy: "HOME" };
}

/** Throws {@linkcode GradedRefusal} when a socket is set; settings that cannot be read pass. */
export function guardTransport(environment: GhEnvironment): void {
  const folder = configFolder(environment);
  if (folder === null || !setsSocket(join(folder.path, "config.yml"))) return;
  throw new GradedRefusal(
    "transport-override-configured",
    "Cannot ingest reviews: the settings of gh, in the folder chosen by " +
      `${folder.chosenBy}, set http_unix_socket`,
  );
}

function setsSocket(path: string): boolean {
  try {
    // `gh` follows links to its settings, so the guard does too.
    const bytes = readRegularFile(realPath(path) ?? path, { maxBytes: CONFIG_BYTES });
    const settings = parseForeignYaml(bytes, "config.yml");
    const socket = isObject(settings) && Object.hasOwn(settings, "http_unix_socket")
      ? settings["http_unix_socket"]
      : null;
    return typeof socket === "string" && socket !== "";
  } catch (error) {
    if (isFault(error)) return false;
    throw error;
  }
}
