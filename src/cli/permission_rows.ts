/**
 * What most rows keep (daemon-and-setup.md 11.2). A row that needs another set spells it out.
 *
 * @module
 */

import type { PermissionRow } from "./command.ts";

/** Keeps nothing: for commands that only compute. */
export const NO_PERMISSIONS: PermissionRow = {
  net: false,
  read: false,
  write: false,
  run: [],
  env: [],
  sys: [],
};

/** Reads files, starts nothing. */
export const READ_FILES: PermissionRow = { ...NO_PERMISSIONS, read: true };

/** Reads a project and asks Git about it. */
export const READ_PROJECT: PermissionRow = { ...READ_FILES, run: ["git"], env: ["PATH"] };

/** Reads and writes a project or the data directory, and asks Git. */
export const WRITE_PROJECT: PermissionRow = { ...READ_PROJECT, write: true };

/** Reads files, probes the daemon's port and asks the service manager. */
export const ASK_SERVICE: PermissionRow = {
  net: true,
  read: true,
  write: false,
  run: ["systemctl", "launchctl"],
  env: ["PATH", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS"],
  sys: ["uid"],
};

/** Serves on 127.0.0.1: reads and writes, starts nothing, knows nothing of the environment. */
export const SERVE: PermissionRow = { ...READ_FILES, net: true, write: true };
