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
export function tokenSource(dataDirectory: string, log: Log): () => string | null {
  const path = dataPaths(dataDirectory).token;
  let seen = "";
  let token: string | null = null;
  return () => {
    const now = markOf(path);
    if (now === seen) return token;
    seen = now;
    try {
      token = readToken(dataDirectory);
      if (token === null) log("error", "token-missing");
    } catch (error) {
      token = null;
      log("error", "token-unusable", errorKind(error));
    }
    return token;
  };
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
