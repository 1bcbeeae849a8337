/**
 * Takes back, for the rest of the process, every permission of the binary that a command's row does
 * not keep (daemon-and-setup.md 11). Runs before the command's module is imported.
 *
 * @module
 */

import {
  ALWAYS_READ,
  GRANTED_ENVIRONMENT,
  GRANTED_PROGRAMS,
  GRANTED_SYSTEM,
} from "../platform/grants.ts";
import type { PermissionRow } from "./command.ts";

/** Revokes what `row` does not list. Final: nothing can ask for it again under `--no-prompt`. */
export function dropPermissions(row: PermissionRow): void {
  const revoke = (descriptor: Deno.PermissionDescriptor) => Deno.permissions.revokeSync(descriptor);
  revoke({ name: "ffi" });
  revoke({ name: "import" });
  if (!row.net) revoke({ name: "net" });
  if (!row.read) revoke({ name: "read" });
  if (!row.write) revoke({ name: "write" });
  if (row.run.length === 0) revoke({ name: "run" });
  else {
    for (const command of GRANTED_PROGRAMS) {
      if (!row.run.includes(command)) revoke({ name: "run", command });
    }
  }
  if (row.sys.length === 0) revoke({ name: "sys" });
  else {
    for (const kind of GRANTED_SYSTEM) if (!row.sys.includes(kind)) revoke({ name: "sys", kind });
  }
  for (const variable of GRANTED_ENVIRONMENT) {
    if (!ALWAYS_READ.includes(variable) && !row.env.includes(variable)) {
      revoke({ name: "env", variable });
    }
  }
}
