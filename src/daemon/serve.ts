/**
 * A daemon's life: lock, decide, read, bind, serve, stop (daemon-and-setup.md 3.1, 3.5, 11.3).
 *
 * @module
 */

import type { Places } from "../mcp/mod.ts";
import type { Grant } from "../mcp/tool.ts";
import { type Clock, utcText } from "../platform/clock.ts";
import { errorKind, type ExitCode, TheurianError } from "../platform/errors.ts";
import { printExactJson } from "../platform/exact_json.ts";
import { countSpareDescriptors, realPath } from "../platform/files/mod.ts";
import { dataPaths, openDataDirectory } from "./data_directory.ts";
import { decideStart, type StartDecision } from "./decide_start.ts";
import { endpoint } from "./_endpoint.ts";
import { type HealthFacts, IMPLEMENTATION } from "./health.ts";
import type { BodyHandler } from "./_http_call.ts";
import { INSTRUCTIONS } from "./_instructions.ts";
import { takeInstanceLock } from "./_instance_lock.ts";
import { COUNTED, limitsFor, type Listener, openListener } from "./_listener.ts";
import type { Log } from "./log.ts";
import { mcpDispatch } from "./_mcp_dispatch.ts";
import { type Probe, probePort } from "./probe.ts";
import { type CallTool, toolCaller } from "./_run_tool.ts";
import { type SignalWatch, watchSignals } from "./_signals.ts";
import { tokenSource } from "./_token_source.ts";
import { readOrMintToken } from "./token_store.ts";
import { toolThreads } from "./_tool_lanes.ts";
import type { Toolset } from "./toolset.ts";

/** Longest time for calls in flight at a stop, in milliseconds. */
const SHUTDOWN_MS = 5000;

/** How long a start that finds the lock held waits for its holder to answer, in milliseconds. */
const HOLDER_MS = 3000;

/** What serving takes from outside. */
export interface ServeOptions {
  /** Absolute; may not exist yet. */
  readonly dataDirectory: string;
  /** 1 to 65535, or 0 for any free port (tests). */
  readonly port: number;
  readonly version: string;
  readonly protocolVersion: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Reads what this deployment shows; throws `serving-profile-invalid`. */
  readonly readGrant: (dataDirectory: string) => Grant;
  /** Loads the tools and checks every published schema; throws when one is at fault. */
  readonly loadTools: () => Promise<Toolset>;
  /** Told once, when the port is open. */
  readonly announce: (port: number) => void;
  /** Gives up rights that serving needs none of. */
  readonly dropRights: () => void;
}

/** How a start ended. */
export interface Served {
  readonly decision: StartDecision;
  readonly exit: ExitCode;
}

/** Serves until a signal, or leaves the daemon that serves already. */
export async function serve(options: ServeOptions): Promise<Served> {
  const dataDirectory = openDataDirectory(options.dataDirectory);
  options.dropRights();
  const lockPath = dataPaths(dataDirectory).lock;
  using lock = await takeInstanceLock(lockPath, Deno.pid);
  const { port } = options;
  const probe = await probeUntilAnswered(port, lock === null ? HOLDER_MS : 0);
  const held = lock === null ? "held" as const : "acquired" as const;
  const decision = decideStart({ lock: held, probe, port, dataDirectory, lockPath, realPath });
  if (decision === "reuse") return { decision, exit: 0 };
  readOrMintToken(dataDirectory);
  // A fault here refuses the start and is told once, by the caller; only a reload logs it.
  const granted = options.readGrant(dataDirectory);
  let grant = () => granted;
  const toolset = await options.loadTools();
  using signals = watchSignals(() => {
    grant = reloadedGrant(options, dataDirectory);
  });
  using threads = toolThreads(toolset.workerUrl, dataDirectory);
  let context = {
    dataDirectory,
    grant: granted,
    toolNames: toolset.tools.map((tool) => tool.name),
  };
  const callTool = toolCaller({
    ...toolset,
    lanes: threads.lanes,
    context: () => {
      const now = grant();
      if (now !== context.grant) context = { ...context, grant: now };
      return context;
    },
    log: options.log,
  });
  const listener = open(
    options,
    dataDirectory,
    toolset,
    guarded(callTool, toolset, { dataDirectory }),
    threads.warm,
  );
  options.announce(listener.port);
  return { decision, exit: await serveUntilStopped(listener, signals) };
}

/** Probes once, or again until something answers within `patienceMs`: a winner may still start. */
async function probeUntilAnswered(port: number, patienceMs: number): Promise<Probe> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const probe = port === 0 ? { kind: "free" } as const : await probePort(port);
    if (probe.kind === "theurian" || performance.now() >= deadline) return probe;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** The grant, read again; when that fails every call is refused rather than shown too much. */
function reloadedGrant(options: ServeOptions, dataDirectory: string): () => Grant {
  let fault: unknown;
  try {
    const grant = options.readGrant(dataDirectory);
    return () => grant;
  } catch (error) {
    fault = error;
    options.log("error", "serving-profile-unusable", errorKind(error));
  }
  return () => {
    throw fault;
  };
}

function guarded(callTool: CallTool, { rendering }: Toolset, places: Places): CallTool {
  return async (name, input) => {
    try {
      return await callTool(name, input);
    } catch (error) {
      if (error instanceof TheurianError) return printExactJson(rendering.refusalOf(error, places));
      throw error;
    }
  };
}

function open(
  options: ServeOptions,
  dataDirectory: string,
  toolset: Toolset,
  callTool: CallTool,
  warm: () => void,
): Listener {
  const { version, protocolVersion, log, clock } = options;
  const health: HealthFacts = {
    status: "ok",
    version,
    protocolVersion,
    dataDir: dataDirectory,
    startedAt: utcText(clock.now()),
    implementation: IMPLEMENTATION,
  };
  const surface = { version, instructions: INSTRUCTIONS, listing: toolset.listing, callTool, log };
  const answer = mcpDispatch(surface);
  let warmed = false;
  const dispatch: BodyHandler = (call, body) => {
    // Starting threads takes the main one a moment: the first answer goes out before.
    if (!warmed) setTimeout(warm, 0);
    warmed = true;
    return answer(call, body);
  };
  const token = tokenSource(dataDirectory, log);
  const listener: Listener = openListener({
    port: options.port,
    handler: endpoint({ port: () => listener.port, health, token, dispatch }),
    log,
    clock,
    limits: limitsFor(countSpareDescriptors(dataPaths(dataDirectory).lock, COUNTED)),
  });
  return listener;
}

async function serveUntilStopped(listener: Listener, signals: SignalWatch): Promise<ExitCode> {
  await signals.stopped;
  const insisted = await Promise.race([listener.shutdown(SHUTDOWN_MS), signals.insisted]);
  if (insisted === undefined) return 0;
  return insisted === "SIGINT" ? 130 : 143;
}
