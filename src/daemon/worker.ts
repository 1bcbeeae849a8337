/**
 * Entry of a tool thread. Starts on its own: the daemon reaches it by address.
 *
 * @module
 */

import { refusalOf, resultOf, TOOLS } from "../mcp/mod.ts";
import { keepConnections } from "../platform/sqlite/mod.ts";
import { serveJobs, type WorkerPort } from "./_worker_jobs.ts";

/** Long enough for a run of calls, short enough that a replaced file soon leaves the disk. */
const KEPT_MS = 5000;

keepConnections(KEPT_MS);
serveJobs(self as unknown as WorkerPort, TOOLS, { refusalOf, resultOf });
