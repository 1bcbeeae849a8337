import { knowledgeGet } from "./tools/knowledge_get.ts";
import { knowledgeGenerateMigrationDraft } from "./tools/knowledge_generate_migration_draft.ts";
import { knowledgeProposeChange } from "./tools/knowledge_propose_change.ts";
import { knowledgeSearch } from "./tools/knowledge_search.ts";
import { knowledgeStatus } from "./tools/knowledge_status.ts";
import { projectList } from "./tools/project_list.ts";
import { reviewFindings } from "./tools/review_findings.ts";
import { reviewGenerateKnowledgeCandidate } from "./tools/review_generate_knowledge_candidate.ts";
import { reviewSearch } from "./tools/review_search.ts";
import { systemCapabilities } from "./tools/system_capabilities.ts";
import type { Tool } from "./tool.ts";

/** Every callable tool, one line each, in the order in which they are listed. */
export const TOOLS: readonly Tool[] = [
  knowledgeSearch,
  knowledgeGet,
  knowledgeStatus,
  knowledgeProposeChange,
  knowledgeGenerateMigrationDraft,
  projectList,
  reviewFindings,
  reviewGenerateKnowledgeCandidate,
  reviewSearch,
  systemCapabilities,
];
