import type { Tool } from "../../mcp/tool.ts";
import { endpoint } from "../_endpoint.ts";
import { IMPLEMENTATION } from "../health.ts";
import { INSTRUCTIONS } from "../_instructions.ts";
import { type Listener, openListener } from "../_listener.ts";
import type { Log } from "../log.ts";
import { mcpDispatch } from "../_mcp_dispatch.ts";
import { toolCaller } from "../_run_tool.ts";
import type { Toolset } from "../toolset.ts";
import { sameThread } from "../_worker_jobs.ts";
import { TEST_RENDERING, TEST_TOOLS } from "./tools.ts";

export const TEST_TOKEN = "t".repeat(43);

/** A listener over the test tools, run on the same thread. */
export interface TestDaemon extends AsyncDisposable {
  readonly port: number;
  /** What was logged, as `level event detail`. */
  readonly logged: readonly string[];
}

/** Serves tools on a free port; the test tools, without any file, unless told otherwise. */
export function startTestDaemon(
  toolset: Toolset = testTools(),
  dataDirectory = "/nowhere",
): TestDaemon {
  const logged: string[] = [];
  const log: Log = (...entry) => logged.push(entry.join(" "));
  const inline = sameThread(toolset.tools, toolset.rendering);
  const callTool = toolCaller({
    ...toolset,
    lanes: { read: inline, gated: inline, draft: inline },
    context: () => ({
      dataDirectory,
      grant: { tenantId: "local", sensitivities: ["public", "internal"] },
      toolNames: toolset.tools.map((tool) => tool.name),
    }),
    log,
  });
  const version = "0.6.0";
  let listener: Listener | null = null;
  const handler = endpoint({
    port: () => listener!.port,
    health: {
      status: "ok",
      version,
      protocolVersion: "theurian/v1",
      dataDir: dataDirectory,
      startedAt: "2026-01-01T00:00:00.000000+00:00",
      implementation: IMPLEMENTATION,
    },
    token: () => TEST_TOKEN,
    dispatch: mcpDispatch({
      version,
      instructions: INSTRUCTIONS,
      listing: toolset.listing,
      callTool,
      log,
    }),
  });
  listener = openListener({ port: 0, handler, log });
  return {
    port: listener.port,
    logged,
    [Symbol.asyncDispose]: () => listener.shutdown(1000),
  };
}

function testTools(): Toolset {
  return {
    tools: TEST_TOOLS,
    listing: TEST_TOOLS.map(listingOf),
    rendering: TEST_RENDERING,
    refusedBySchema: refusedByName,
    workerUrl: new URL("./worker.ts", import.meta.url),
  };
}

function refusedByName(name: string) {
  if (TEST_TOOLS.some((tool) => tool.name === name)) return null;
  return TEST_RENDERING.refusalOf({
    message: "Cannot call this tool: no input schema is published for it",
    remedy: "See tools/list",
    wireCode: null,
    details: null,
    retryAfterSeconds: null,
  });
}

function listingOf(tool: Tool) {
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: { type: "object", properties: {} },
    annotations: { readOnlyHint: true },
  };
}
