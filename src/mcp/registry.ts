import { knowledgeGet } from "./tools/knowledge_get.ts";
import { knowledgeStatus } from "./tools/knowledge_status.ts";
import { projectList } from "./tools/project_list.ts";
import { systemCapabilities } from "./tools/system_capabilities.ts";
import type { Tool } from "./tool.ts";

/** Every callable tool, one line each, in the order in which they are listed. */
export const TOOLS: readonly Tool[] = [
  knowledgeGet,
  knowledgeStatus,
  projectList,
  systemCapabilities,
];
