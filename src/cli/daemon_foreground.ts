import { serve } from "../daemon/mod.ts";
import type { CommandContext, CommandResult } from "./command.ts";
import { endpointOf } from "./port_option.ts";
import { serveOptions } from "./serve_options.ts";

/** After this long a person watching the terminal is told that it serves, in milliseconds. */
const GREETING_MS = 600;

/** Serves in this process until a signal, or finds that another serves (daemon-and-setup.md 3.1). */
export async function serveForeground(
  port: number,
  context: CommandContext,
): Promise<CommandResult> {
  const greet = () => context.progress.step(`Serving ${endpointOf(port)}; Ctrl-C stops`);
  const { decision, exit } = await serve({
    ...serveOptions(context),
    port,
    announce: () => Deno.unrefTimer(setTimeout(greet, GREETING_MS)),
  });
  const detail = decision === "reuse"
    ? `The daemon already serves ${endpointOf(port)}`
    : `Served ${endpointOf(port)} until it was asked to stop`;
  return { document: { decision, detail }, exit };
}
