import type { Tool } from "../mcp/tool.ts";
import type { JsonObject } from "../platform/json.ts";
import type { Rendering } from "./_worker_protocol.ts";

/** The tools a daemon serves, with everything that was checked about them at start. */
export interface Toolset {
  readonly tools: readonly Tool[];
  /** Entries of `tools/list`. */
  readonly listing: readonly JsonObject[];
  readonly rendering: Rendering;
  /** Refusal of the published input schema, or `null`. */
  readonly refusedBySchema: (name: string, input: JsonObject) => JsonObject | null;
  /** Module that runs these tools on a thread. */
  readonly workerUrl: URL;
}
