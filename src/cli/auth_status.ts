import { dataPaths, describeToken, readToken } from "../daemon/mod.ts";
import { TheurianError } from "../platform/errors.ts";
import { describePath } from "../platform/files/mod.ts";
import { readEnvFile } from "../setup/mod.ts";
import type { CommandContext, CommandInput, CommandResult } from "./command.ts";

/** Looks at the token and the shell block, and at nothing else (cli-and-plugins.md 3.2). */
export function run(_input: CommandInput, context: CommandContext): CommandResult {
  const { dataDirectory } = context;
  const tokenFile = dataPaths(dataDirectory).token;
  const { token, problem } = lookAtToken(dataDirectory);
  return {
    document: {
      tokenFile,
      present: isPresent(tokenFile),
      usable: token !== null,
      problem,
      token: token === null ? null : describeToken(token),
      envReference: envReference(dataDirectory),
    },
  };
}

function lookAtToken(dataDirectory: string) {
  try {
    const token = readToken(dataDirectory);
    const problem = token === null ? "There is no token: run `theurian setup`" : "";
    return { token, problem };
  } catch (error) {
    if (!(error instanceof TheurianError)) throw error;
    return { token: null, problem: `${error.message}. ${error.remedy}` };
  }
}

function isPresent(path: string): boolean {
  try {
    return describePath(path) !== null;
  } catch {
    return true; // Something is there that we may not look at.
  }
}

/** `current`, `outdated`, `missing`, `malformed`, or `unreadable`. */
function envReference(dataDirectory: string): string {
  try {
    return readEnvFile(dataDirectory).state;
  } catch (error) {
    if (!(error instanceof TheurianError)) throw error;
    return "unreadable";
  }
}
