import { CORE_VERSION, PROTOCOL_VERSION } from "../compat/versions.ts";
import { dropRights, lineLog, loadShippedTools } from "../daemon/mod.ts";
import { readServingProfile } from "../knowledge/mod.ts";
import type { CommandContext } from "./command.ts";

/** What every way of serving takes from a command's context. */
export function serveOptions(context: CommandContext) {
  return {
    dataDirectory: context.dataDirectory,
    version: CORE_VERSION,
    protocolVersion: PROTOCOL_VERSION,
    clock: context.clock,
    log: lineLog(context.log, context.clock),
    readGrant: (dataDirectory: string) => ({
      tenantId: "local",
      sensitivities: readServingProfile(dataDirectory).sensitivities,
    }),
    loadTools: loadShippedTools,
    dropRights,
  };
}
