/**
 * Calling tools as the edge does: schema, checks, answer, result. In this process, over a project on
 * disk.
 *
 * @module
 */

import { Ajv2020 } from "ajv/dist/2020.js";
import assert from "node:assert/strict";
import {
  type Grant,
  loadToolSchemas,
  refusalOf,
  resultOf,
  type ToolContext,
  TOOLS,
  validateCall,
} from "../../src/mcp/mod.ts";
import { sensitivitiesUpTo, type Sensitivity } from "../../src/knowledge/mod.ts";
import type { JsonObject, JsonValue } from "../../src/platform/json.ts";
import { ulidSource } from "../../src/platform/ulid.ts";
import type { ScratchProject } from "./scratch_project.ts";

const schemas = loadToolSchemas();
const ajv = new Ajv2020({ strict: false, allErrors: true });

/** Who calls, when, and where. */
export interface Caller {
  readonly dataDirectory: string;
  readonly ceiling?: Sensitivity;
  readonly tenantId?: string;
  /** Milliseconds since the epoch. */
  readonly now?: number;
}

/** A tool result, as it goes to the wire. */
export type ToolResult = JsonObject;

/** Calls a tool and checks that a success fits the published response schema. */
export async function call(caller: Caller, name: string, input: JsonObject): Promise<ToolResult> {
  const refused = validateCall(schemas, name, input);
  if (refused !== null) return refused;
  const tool = TOOLS.find((one) => one.name === name)!;
  const context = contextOf(caller);
  try {
    const payload = await tool.answer(acrossThreads(tool.check(input, context)), context);
    const output = tool.outputSchema === null ? null : schemas.files.get(tool.outputSchema)!;
    if (output !== null) {
      const fits = ajv.validate(output, payload);
      assert.ok(fits, `${name} answers outside its schema: ${ajv.errorsText()}`);
    }
    return resultOf(payload);
  } catch (error) {
    if (error instanceof Error && error.name === "TheurianError") return refusalOf(error);
    throw error;
  }
}

/** The context that a daemon would make for the caller. */
export function contextOf(caller: Caller): ToolContext {
  const clock = { now: () => caller.now ?? Date.UTC(2026, 2, 20) };
  const grant: Grant = {
    tenantId: caller.tenantId ?? "local",
    sensitivities: sensitivitiesUpTo(caller.ceiling ?? "internal"),
  };
  return {
    dataDirectory: caller.dataDirectory,
    grant,
    clock,
    ulids: ulidSource(clock),
    toolNames: TOOLS.map((tool) => tool.name),
  };
}

/** What `check` returns must survive the way to another thread. */
function acrossThreads(checked: JsonObject): JsonObject {
  return structuredClone(checked);
}

/** The payload of a success; fails on a refusal. */
export function payloadOf(result: ToolResult): JsonObject {
  assert.equal(result["isError"], false, textOf(result));
  const payload = result["structuredContent"] as JsonObject;
  assert.deepEqual(JSON.parse(textOf(result)), payload);
  return payload;
}

/** The text of a result. */
export function textOf(result: ToolResult): string {
  return (result["content"] as readonly { text: string }[])[0]!.text;
}

/** The text of a refusal; fails on a success and on a wrong key set. */
export function refusalText(result: ToolResult): string {
  assert.equal(result["isError"], true, textOf(result));
  assert.deepEqual(Object.keys(result).sort(), ["_meta", "content", "isError"]);
  const meta = (result["_meta"] as JsonObject)["dev.theurian/error"] as JsonObject;
  assert.deepEqual(Object.keys(meta).sort(), ["code", "details", "retryAfterSeconds"]);
  return textOf(result);
}

/** The code of a refusal. */
export function codeOf(result: ToolResult): JsonValue | undefined {
  refusalText(result);
  return ((result["_meta"] as JsonObject)["dev.theurian/error"] as JsonObject)["code"];
}

/** Registers a scratch project, as `project register` would. */
export function register(project: ScratchProject): Caller {
  const { dataDirectory, root } = project;
  Deno.mkdirSync(dataDirectory, { recursive: true });
  const entry = { rootPath: root, repositoryUrl: "", defaultBranch: "main" };
  Deno.writeTextFileSync(
    `${dataDirectory}/projects.json`,
    JSON.stringify({ [project.project.projectId]: entry }),
  );
  return { dataDirectory, now: project.now };
}
