/**
 * Entry of a tool thread. Starts on its own: the daemon reaches it by address.
 *
 * @module
 */

import { refusalOf, resultOf, TOOLS } from "../mcp/mod.ts";
import { serveJobs, type WorkerPort } from "./_worker_jobs.ts";

serveJobs(self as unknown as WorkerPort, TOOLS, { refusalOf, resultOf });
