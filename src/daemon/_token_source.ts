import { errorKind } from "../platform/errors.ts";
import { describePath } from "../platform/files/mod.ts";
import { dataPaths } from "./data_directory.ts";
import type { Log } from "./log.ts";
import { readToken } from "./token_store.ts";

/**
 * The token that counts now. The file is looked at once a call and read again when it changed, so a
 * rotation takes effect on the next request; while it fails its checks nobody is let in
 * (daemon-and-setup.md 5.2).
 */
export function tokenSource(
  dataDirectory: string,
  log: Log,
  readNow: (dataDirectory: string) => string | null = readToken,
): () => string | null {
  const path = dataPaths(dataDirectory).token;
  let seen = "";
  let told = "";
  let token: string | null = null;
  return () => {
    const now = markOf(path);
    if (now === seen && token !== null) return token;
    seen = now;
    // What fails is tried again at the next call: a file that is being replaced looks broken.
    const fault = read();
    if (fault !== null && `${fault} ${now}` !== told) log("error", ...fault);
    told = fault === null ? "" : `${fault} ${now}`;
    return token;
  };

  function read(): readonly [event: string, detail?: string] | null {
    token = null;
    try {
      token = readNow(dataDirectory);
      return token === null ? ["token-missing"] : null;
    } catch (error) {
      return ["token-unusable", errorKind(error)];
    }
  }
}

function markOf(path: string): string {
  try {
    const facts = describePath(path);
    if (facts === null) return "absent";
    const { kind, device, inode, size, mode, modifiedNs, changedNs } = facts;
    return [kind, device, inode, size, mode, modifiedNs, changedNs].join(":");
  } catch (error) {
    return `unreadable:${errorKind(error)}`;
  }
}
