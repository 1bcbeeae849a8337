import { dataPaths } from "../daemon/mod.ts";
import { TheurianError } from "../platform/errors.ts";
import { decodeUtf8, readFileEnd } from "../platform/files/mod.ts";
import { runOutside } from "../setup/service/mod.ts";
import type { CommandContext, CommandInput, CommandResult } from "./command.ts";
import { installedService } from "./service_environment.ts";

/** The end of the service's log, wherever this system keeps it (cli-and-plugins.md 3.2). */
export async function run(input: CommandInput, context: CommandContext): Promise<CommandResult> {
  const count = Number(input.options["lines"]);
  const manager = await installedService(context, "show the log");
  const { source, text } = manager.platform === "systemd-user"
    ? await journal(manager.service, count, context)
    : fileEnd(dataPaths(context.dataDirectory).log);
  const lines = text.split("\n").filter((line) => line !== "").slice(-count);
  return { document: { source, count: lines.length, lines }, text: `${lines.join("\n")}\n` };
}

async function journal(service: string, count: number, context: CommandContext) {
  const runtime = context.variable("XDG_RUNTIME_DIR");
  const { code, output } = await runOutside(
    "journalctl",
    ["--user", "--unit", service, "--lines", String(count), "--no-pager", "--output", "cat"],
    { env: runtime === null ? {} : { XDG_RUNTIME_DIR: runtime } },
  );
  if (code === 0) return { source: `journal of ${service}`, text: output };
  throw new TheurianError(
    "service-unavailable",
    `Cannot show the log: journalctl answered with code ${code}`,
    { remedy: `Run it by hand: journalctl --user --unit ${service}` },
  );
}

/** Most bytes that are read from the end of a log file. */
const LOG_BYTES = 4 << 20;

function fileEnd(path: string) {
  const bytes = readFileEnd(path, LOG_BYTES);
  if (bytes === null) {
    throw new TheurianError("service-unavailable", "Cannot show the log: there is none yet", {
      remedy: "Start the daemon with `theurian daemon start`",
    });
  }
  return { source: path, text: decodeUtf8(bytes) ?? new TextDecoder().decode(bytes) };
}
