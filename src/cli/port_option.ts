import type { CommandInput, OptionRow } from "./command.ts";

/** Where the daemon listens unless told otherwise (daemon-and-setup.md section 1). */
const DEFAULT_PORT = 7419;

/** `--port`; no variable sets it. */
export const PORT: OptionRow = {
  name: "port",
  summary: "The daemon's port on 127.0.0.1",
  value: {
    placeholder: "INT",
    type: "integer",
    minimum: 1,
    maximum: 65_535,
    default: DEFAULT_PORT,
  },
};

/** The port of a parsed command line. */
export function portOf(input: CommandInput): number {
  return Number(input.options["port"] ?? DEFAULT_PORT);
}

/** The address clients are given. */
export function endpointOf(port: number): string {
  return `http://127.0.0.1:${port}/mcp`;
}
