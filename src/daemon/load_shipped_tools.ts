import type { Toolset } from "./toolset.ts";

/** Loads the tools of this build; apart, since nothing but serving needs them. */
export async function loadShippedTools(): Promise<Toolset> {
  return (await import("./_shipped_tools.ts")).shippedTools();
}
