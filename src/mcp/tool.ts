/**
 * What a tool is: a name, published schemas and one function. A tool file exports one of these; the
 * registry line makes it callable (architecture.md).
 *
 * @module
 */

import type { Sensitivity } from "../knowledge/model.ts";
import type { Clock } from "../platform/clock.ts";
import type { JsonObject } from "../platform/json.ts";
import type { UlidSource } from "../platform/ulid.ts";

/** What the deployment lets its callers see; decided once at start (retrieval.md 8). */
export interface Grant {
  readonly tenantId: string;
  /** Served levels, least restricted first. */
  readonly sensitivities: readonly Sensitivity[];
}

/** Everything a tool may use besides its arguments. Nothing is kept between calls. */
export interface ToolContext {
  /** Absolute real path of the data directory. */
  readonly dataDirectory: string;
  readonly grant: Grant;
  readonly clock: Clock;
  readonly ulids: UlidSource;
  /** Names of the registered tools, for `system.capabilities`. */
  readonly toolNames: readonly string[];
}

/** Where a call's work runs. */
export type ToolLane =
  /** Reads little; never waits for a permit. */
  | "read"
  /** A heavy read behind this tool's own gate of four permits (retrieval.md section 10). */
  | "gated"
  /** Writes a proposal and nothing else. */
  | "draft";

/** JSON that `check` hands to `answer`; it may cross to another thread. */
export type CheckedCall = JsonObject;

/**
 * One MCP tool. Arguments already satisfy the published input schema. Both functions are pure over
 * their arguments and what is on disk, so the daemon may run them on any thread; they return or
 * throw `TheurianError`, which the edge renders as a refusal.
 */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly lane: ToolLane;
  /** File names under `schemas/mcp/`. */
  readonly inputSchema: string;
  readonly outputSchema: string | null;
  /**
   * Checks that need no permit: tenant, project resolution and the tool's own argument rules, in
   * the order of retrieval.md section 1 (stages 6 to 9). The state pointer is read here, once.
   */
  check(input: JsonObject, context: ToolContext): CheckedCall;
  /** The work itself, under a permit when the lane is `gated`; a draft waits for the write lock. */
  answer(call: CheckedCall, context: ToolContext): JsonObject | Promise<JsonObject>;
}
