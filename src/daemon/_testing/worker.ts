import { serveJobs, type WorkerPort } from "../_worker_jobs.ts";
import { TEST_RENDERING, TEST_TOOLS } from "./tools.ts";

serveJobs(self as unknown as WorkerPort, TEST_TOOLS, TEST_RENDERING);
