import { isItemId, openActiveState, readServingProfile } from "../knowledge/mod.ts";
import { TheurianError } from "../platform/errors.ts";
import { isBlank } from "../platform/text.ts";
import { locateProject } from "../projects/mod.ts";
import { explainSearch, normaliseQuery, parseAsOf } from "../search/mod.ts";
import { explanationText } from "./explanation_text.ts";
import type { CommandContext, CommandInput, CommandResult } from "./command.ts";

/** What a caller of `knowledge.search` gets when it asks for nothing else. */
const USUAL_TOKENS = 2_000;

/** Explains an answer of `knowledge.search` (cli-and-plugins.md 3.2): ways, ranks, scores, gates. */
export async function run(input: CommandInput, context: CommandContext): Promise<CommandResult> {
  const query = normaliseQuery(input.arguments["QUERY"] as string);
  if (isBlank(query)) {
    throw new TheurianError("invalid-input", "Cannot explain: the query is blank", {
      remedy: "Pass words, an identifier or a phrase",
    });
  }
  const { options } = input;
  const asOf = options["asOf"] === undefined ? null : parseAsOf(options["asOf"] as string);
  const itemId = (options["item"] ?? null) as string | null;
  if (itemId !== null && !isItemId(itemId)) {
    throw new TheurianError("invalid-input", "Cannot explain: --item is not a dotted item id", {
      remedy: "Pass an id such as architecture.event-journal",
    });
  }
  const { dataDirectory } = context;
  const project = await locateProject(context.cwd, dataDirectory);
  const { sensitivities } = readServingProfile(dataDirectory);
  const { pointer, reader } = openActiveState(project, dataDirectory);
  try {
    const now = BigInt(context.clock.now()) * 1000n;
    const explained = explainSearch(
      { project, dataDirectory, pointer, reader, sensitivities, now },
      {
        query,
        limit: options["limit"] as number,
        maxTokens: USUAL_TOKENS,
        includeUnapproved: options["includeUnapproved"] === true,
        useDense: options["dense"] === true,
        asOf,
      },
      itemId,
    );
    return { document: explained, text: explanationText(explained) };
  } finally {
    reader[Symbol.dispose]();
  }
}
