import { isAbsolute, join } from "node:path";
import {
  AUTHORED_HERE_LABEL,
  type Kind,
  loadMigrationSet,
  openSourceCache,
  type Sensitivity,
  type SourceAnchor,
  type TrustLevel,
} from "../knowledge/mod.ts";
import { TheurianError } from "../platform/errors.ts";
import { readRegularFile } from "../platform/files/mod.ts";
import {
  type BodyContentType,
  checkLabels,
  commandLineSurface,
  type ContentDraft,
  draftContent,
} from "../proposals/mod.ts";
import { locateProject, WRITE_LOCK_WAIT } from "../projects/mod.ts";
import type { CommandContext, CommandInput, CommandResult } from "./command.ts";

const REQUIRED = [
  "itemId",
  "title",
  "kind",
  "owner",
  "author",
  "description",
  "bodyFile",
  "agentId",
  "taskId",
  "model",
  "reasoning",
] as const;

const CONTENT_TYPES: Readonly<Record<string, BodyContentType>> = {
  md: "text/markdown",
  markdown: "text/markdown",
  json: "application/json",
  yaml: "application/yaml",
  yml: "application/yaml",
};

/** Drafts a change of one item (proposals.md section 5). Never approves anything. */
export async function run(input: CommandInput, context: CommandContext): Promise<CommandResult> {
  refuseMissing(input);
  const stated = draftOf(input);
  checkLabels(stated);
  const draft = { ...stated, body: readBody(input, context) };
  const project = await locateProject(context.cwd, context.dataDirectory);
  const landed = loadMigrationSet(project.paths, {
    cache: openSourceCache(project.paths, context.dataDirectory),
  });
  const { proposal } = await draftContent(draft, {
    project,
    clock: context.clock,
    ulids: context.ulids,
    surface: commandLineSurface(landed),
    lockWaitMs: WRITE_LOCK_WAIT,
    nextSteps: (proposalId, settled) => nextSteps(proposalId, settled!),
  });
  return { document: { ...proposal } };
}

function refuseMissing(input: CommandInput): void {
  const missing = REQUIRED.filter((key) => (input.options[key] ?? "") === "").map(optionName);
  if (missing.length > 0) {
    throw badInput(
      `Missing required option${missing.length === 1 ? "" : "s"}: ${missing.join(", ")}`,
      "Give each of them; `theurian propose --help` explains them.",
    );
  }
}

function draftOf(input: CommandInput): Omit<ContentDraft, "body"> {
  const text = (key: string) => input.options[key] as string;
  const optional = (key: string) => (input.options[key] as string | undefined) ?? null;
  const labels = [...new Set(input.options.label as readonly string[])];
  if (input.options.authoredHere === true && !labels.includes(AUTHORED_HERE_LABEL)) {
    labels.push(AUTHORED_HERE_LABEL);
  }
  return {
    itemId: text("itemId"),
    title: text("title"),
    kind: text("kind") as Kind,
    owner: text("owner"),
    author: text("author"),
    description: text("description"),
    contentType: contentTypeOf(text("bodyFile")),
    evidence: {
      agentId: text("agentId"),
      taskId: text("taskId"),
      model: text("model"),
      reasoning: text("reasoning"),
    },
    sourceAnchors: anchorsOf(input),
    labels,
    scopePaths: input.options.scopePath as readonly string[],
    namespace: optional("namespace"),
    trustLevel: optional("trustLevel") as TrustLevel | null,
    sensitivity: optional("sensitivity") as Sensitivity | null,
    expectedRevision: optional("expectedRevision"),
    local: input.options.local === true,
  };
}

function anchorsOf(input: CommandInput): readonly SourceAnchor[] {
  const sourceUri = input.options.sourceUri as string | undefined;
  const provider = input.options.sourceProvider as string;
  const commitSha = (input.options.sourceCommit as string | undefined) ?? null;
  const filePath = (input.options.sourcePath as string | undefined) ?? null;
  if (sourceUri === undefined) {
    if (commitSha === null && filePath === null && provider === "git") return [];
    throw badInput(
      "Cannot draft: --source-provider, --source-commit and --source-path describe a source that --source-uri names",
      "Give --source-uri too, or leave them out.",
    );
  }
  return [{
    provider,
    sourceUri,
    repository: null,
    commitSha,
    blobSha: null,
    filePath,
    lineStart: null,
    lineEnd: null,
    externalId: null,
  }];
}

function contentTypeOf(file: string): BodyContentType {
  const extension = /\.([A-Za-z]+)$/.exec(file)?.[1]?.toLowerCase() ?? "";
  const contentType = Object.hasOwn(CONTENT_TYPES, extension)
    ? CONTENT_TYPES[extension]
    : undefined;
  if (contentType !== undefined) return contentType;
  throw badInput(
    "Cannot draft: the body file is neither Markdown, JSON nor YAML by its name",
    "Use a name that ends in .md, .markdown, .json, .yaml or .yml.",
  );
}

function readBody(input: CommandInput, context: CommandContext): Uint8Array {
  const file = input.options.bodyFile as string;
  try {
    return readRegularFile(isAbsolute(file) ? file : join(context.cwd, file), {
      label: "the body file",
    });
  } catch (error) {
    if (!(error instanceof TheurianError)) throw error;
    throw badInput(error.message, error.remedy);
  }
}

function nextSteps(proposalId: string, draft: ContentDraft): string[] {
  const unset = [
    ...(draft.trustLevel === null ? ["trust level (unverified)"] : []),
    ...(draft.sensitivity === null ? ["sensitivity (internal)"] : []),
  ];
  return [
    ...(unset.length > 0
      ? [`Not stated, so the default will hold: ${unset.join(", ")}. Draft again to state it.`]
      : []),
    ...(draft.local ? ["This proposal is local: Git ignores it and nobody else sees it."] : []),
    "Read the body, the migration and evidence.json; nothing is approved yet.",
    `Accept it with \`theurian propose accept ${proposalId}\`, which moves the files into place.`,
    "Commit them on a branch and open a pull request; merging it is the approval.",
    "After the merge, run `theurian migrate apply`, then `theurian index build`.",
  ];
}

function optionName(key: string): string {
  return "--" + key.replace(/[A-Z]/g, (letter) => "-" + letter.toLowerCase());
}

function badInput(message: string, remedy: string): TheurianError {
  return new TheurianError("invalid-input", message, { remedy });
}
