/**
 * Which recorded cases are in scope: those whose command or tool is built, as the program itself
 * says in its help and in `tools/list`. Nothing here names a case.
 *
 * @module
 */

import type { Case, JsonMap } from "./_cases.ts";
import { type Program, run } from "../../scripts/program.ts";

interface HelpNode {
  readonly commands: ReadonlySet<string>;
}

/** Reads the command tree of the program from its help, on demand. */
export class CommandTree {
  readonly #program: Program;
  readonly #cwd: string;
  readonly #nodes = new Map<string, Promise<HelpNode>>();

  constructor(program: Program, cwd: string) {
    this.#program = program;
    this.#cwd = cwd;
  }

  /** The first word of a command path that help does not list, or `null` when all are built. */
  async missingWord(words: readonly string[]): Promise<string | null> {
    const path: string[] = [];
    for (const word of words) {
      const { commands } = await this.#node(path);
      if (!commands.has(word)) {
        // Below a leaf, and beside the commands of one that is both, words are arguments.
        const isArgument = path.length > 0 && (commands.size === 0 || path[0] === "propose");
        return isArgument ? null : [...path, word].join(" ");
      }
      path.push(word);
    }
    return null;
  }

  #node(path: readonly string[]): Promise<HelpNode> {
    const key = path.join(" ");
    const known = this.#nodes.get(key);
    if (known !== undefined) return known;
    const node = this.#read(path);
    this.#nodes.set(key, node);
    return node;
  }

  async #read(path: readonly string[]): Promise<HelpNode> {
    const { exit, stdout } = await run(this.#program, [...path, "--help"], {
      cwd: this.#cwd,
      env: { HOME: this.#cwd, PATH: Deno.env.get("PATH") ?? "", COLUMNS: "200" },
    });
    return { commands: new Set(exit === 0 ? commandNames(stdout) : []) };
  }
}

/** The names under the heading `Commands` of a help text. */
export function commandNames(help: string): readonly string[] {
  const names: string[] = [];
  let indent: number | null = null;
  let inside = false;
  for (const raw of help.split("\n")) {
    const line = raw.replace(/[│|]/g, " ").trimEnd();
    if (/^\W*Commands\b/i.test(line)) {
      inside = true;
      indent = null;
    } else if (inside) {
      const [, blanks = "", word] = /^(\s+)([a-z][a-z-]*)\b/.exec(line) ?? [];
      if (word === undefined) inside = line.trim() === "" && names.length === 0;
      else if (indent === null || blanks.length === indent) {
        indent = blanks.length;
        names.push(word);
      }
    }
  }
  return names;
}

/** `true` when a case expects a usage error, which a command that is not built gives as well. */
export function expectsUsageError({ kind, expected }: Case): boolean {
  return kind === "cli" && expected["exit"] === 2 && expected["stderr"] === "text";
}

/** The command words of a case: everything before the first option. */
export function commandWords({ input }: Case): readonly string[] {
  const words: string[] = [];
  for (const word of input.argv ?? []) {
    if (typeof word !== "string" || word.startsWith("-")) break;
    words.push(word);
  }
  return words;
}

/** Names of the tools that the recorded `tools/list` announces. */
export function contractTools(cases: readonly Case[]): ReadonlySet<string> {
  const listing = cases.find(({ name }) => name === "tools-list");
  const body = listing?.expected["body"] as { tools?: JsonMap } | undefined;
  return new Set(Object.keys(body?.tools ?? {}));
}

const CAPABILITY_TOOLS: Readonly<Record<string, readonly string[]>> = {
  knowledgeSearch: ["knowledge.search"],
  hybridRetrieval: ["knowledge.search"],
  raptor: ["knowledge.search"],
  knowledgeGet: ["knowledge.get"],
  reviewFindings: ["review.findings"],
  reviewIngestion: ["review.search"],
  reviewIngestionScope: ["review.search"],
  writeTools: [
    "knowledge.proposeChange",
    "knowledge.generateMigrationDraft",
    "review.generateKnowledgeCandidate",
  ],
};

/** Limits what `tools/list` and `system.capabilities` must say to the tools that are built. */
export function limitToBuilt(test: Case, tools: ReadonlySet<string>): JsonMap {
  if (test.name === "tools-list") {
    const body = test.expected["body"] as { tools: JsonMap };
    const listed = Object.entries(body.tools).filter(([name]) => tools.has(name));
    return { ...test.expected, body: { tools: Object.fromEntries(listed) } };
  }
  const structured = test.expected["structured"] as JsonMap | undefined;
  if (test.input.tool !== "system.capabilities" || structured === undefined) return test.expected;
  const flags = Object.entries(structured["capabilities"] as JsonMap).map(([key, value]) => {
    const needed = CAPABILITY_TOOLS[key];
    const built = needed === undefined || needed.some((name) => tools.has(name));
    return [key, built ? value : { $any: 1 }] as const;
  });
  return {
    ...test.expected,
    structured: { ...structured, capabilities: Object.fromEntries(flags) },
  };
}
