/**
 * A registered project with an applied, empty corpus, and the tools called over it as the daemon
 * does: exact parse, schema, checks, answer, rendering.
 *
 * @module
 */

import { applyMigrations, nothingPurged } from "../../src/knowledge/mod.ts";
import { parseExactJson, withRawIntegers } from "../../src/platform/exact_json.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { TheurianError } from "../../src/platform/errors.ts";
import type { JsonObject } from "../../src/platform/json.ts";
import { ulidSource } from "../../src/platform/ulid.ts";
import { type Project, projectPaths, registerProject } from "../../src/projects/mod.ts";
import { loadToolSchemas, refusalOf, resultOf, TOOLS, validateCall } from "../../src/mcp/mod.ts";
import type { ToolContext } from "../../src/mcp/tool.ts";
import { buildFindings } from "../../src/review/findings/mod.ts";
import { buildReview, type ReviewBuild } from "../../src/review/search/mod.ts";
import { git } from "./golden_review.ts";

/** A project whose root and data directory lie in one temporary folder. */
export class ReviewProject {
  readonly root: string;
  readonly dataDirectory: string;
  readonly projectId: string;

  constructor(folder: string, projectId: string) {
    this.root = `${folder}/${projectId}`;
    this.dataDirectory = `${folder}/data`;
    this.projectId = projectId;
  }

  get project(): Project {
    const { projectId, root } = this;
    return { projectId, root, paths: projectPaths(root) };
  }

  /** An empty repository, unless there is one, registered and applied. */
  async prepare(): Promise<this> {
    Deno.mkdirSync(this.root, { recursive: true });
    try {
      Deno.statSync(`${this.root}/.git`);
    } catch {
      git(this.root, "init", "-q", "-b", "main", ".");
    }
    const { projectId, root, dataDirectory } = this;
    Deno.mkdirSync(`${root}/.theurian/migrations`, { recursive: true });
    Deno.mkdirSync(`${root}/.theurian/knowledge`, { recursive: true });
    const registration = { projectId, root, repositoryUrl: "", defaultBranch: "main" };
    await registerProject(dataDirectory, registration, systemClock);
    await applyMigrations(this.project, {
      dataDirectory,
      clock: systemClock,
      seal: () => crypto.randomUUID(),
      allowUncommitted: true,
      purge: () => nothingPurged("no-published-index"),
    });
    return this;
  }

  get #options() {
    const { dataDirectory } = this;
    return { dataDirectory, clock: systemClock, seal: () => crypto.randomUUID() };
  }

  async buildFindings(): Promise<void> {
    await buildFindings(this.project.paths, this.#options);
  }

  async buildReview(): Promise<ReviewBuild> {
    return await buildReview(this.project.paths, this.#options);
  }

  /** Calls a tool with JSON text, and gives the result as a client reads it: exactly parsed. */
  async call(name: string, argumentsText: string): Promise<JsonObject> {
    return await callTool(name, argumentsText, this.dataDirectory);
  }
}

const schemas = loadToolSchemas();

/** One `tools/call`. */
export async function callTool(
  name: string,
  argumentsText: string,
  dataDirectory: string,
  more: Partial<ToolContext> = {},
): Promise<JsonObject> {
  const input = parseExactJson(argumentsText, { fractions: "number" }) as JsonObject;
  const context: ToolContext = {
    dataDirectory,
    grant: { tenantId: "local", sensitivities: ["public", "internal"] },
    clock: systemClock,
    ulids: ulidSource(systemClock),
    toolNames: TOOLS.map((tool) => tool.name),
    ...more,
  };
  const result = validateCall(schemas, name, input) ?? await run(name, input, context);
  const wire = JSON.stringify(withRawIntegers(result));
  return parseExactJson(wire, { fractions: "number" }) as JsonObject;
}

async function run(name: string, input: JsonObject, context: ToolContext): Promise<JsonObject> {
  const tool = TOOLS.find((one) => one.name === name)!;
  try {
    // What `check` hands over may cross to another thread.
    const call = structuredClone(tool.check(input, context));
    return resultOf(await tool.answer(call, context));
  } catch (error) {
    if (error instanceof TheurianError) return refusalOf(error);
    throw error;
  }
}

/** Runs `work` in a temporary folder. */
export async function inReviewFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "review-" }));
  try {
    await work(folder);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}
