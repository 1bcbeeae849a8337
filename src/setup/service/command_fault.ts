import { TheurianError } from "../../platform/errors.ts";
import { cut } from "../../platform/text.ts";
import type { OutsideResult } from "./outside_command.ts";

/** How the user's service manager is called in messages. */
export const MANAGER = "the service manager";

/** A service manager's or client's command that failed, with its own words. */
export function commandFault(
  what: string,
  who: string,
  { code, output }: OutsideResult,
  remedy: string,
): TheurianError {
  const said = output === "" ? "" : `: ${cut(output, 600)}`;
  return new TheurianError(
    "service-unavailable",
    `Cannot ${what}: ${who} answered with code ${code}${said}`,
    { remedy, details: { code } },
  );
}
