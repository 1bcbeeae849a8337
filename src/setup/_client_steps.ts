import { TheurianError } from "../platform/errors.ts";
import {
  addEntry,
  clientFilePath,
  entryDifferences,
  readClientFile,
  wantedEntry,
} from "./claude_entry.ts";
import { commandFault } from "./service/mod.ts";
import { conflicting, missing, notApplicable, satisfied } from "./report.ts";
import { withheld } from "./_service_steps.ts";
import type { SetupStep } from "./setup_step.ts";

export const mcpConnectionStep: SetupStep = {
  id: "mcp-connection",
  probe({ home, port, withhold }, { hasClient }) {
    if (!hasClient || home === null) return notApplicable("The claude command is not on the PATH");
    const { entry } = readClientFile(home);
    if (entry === null) {
      const action = "Have claude add the server at user scope";
      return missing("The client does not know the daemon yet", action, [clientFilePath(home)]);
    }
    const wanted = wantedEntry(port);
    const differences = entryDifferences(entry, wanted);
    if (differences.length === 0) return satisfied("The client knows the daemon");
    const fields = differences.map(({ key }) => key).filter((key) => key in wanted);
    const detail = withhold
      ? withheld({ fields, others: differences.length - fields.length })
      : differences.map((difference) => {
        return `${difference.key}: installed ${difference.installed}, ours ${difference.wanted}`;
      }).join("\n");
    return conflicting(
      "The client's entry for theurian differs",
      detail,
      "Remove it with `claude mcp remove theurian --scope user` and run setup again, or keep it",
    );
  },
  async apply({ home, port }) {
    const added = await addEntry(home!, port);
    const remedy = "Run `claude mcp list`, mend what it says, then run setup again";
    if (added.code !== 0) {
      throw commandFault("add the client's entry", "the claude command", added, remedy);
    }
    const { entry } = readClientFile(home!);
    if (entry !== null && entryDifferences(entry, wantedEntry(port)).length === 0) return;
    throw new TheurianError(
      "service-unavailable",
      "The claude command reported success, yet the entry is not as it was asked for",
      { remedy },
    );
  },
};

export const mcpHealthStep: SetupStep = {
  id: "mcp-health",
  probe: (_world, { health }) =>
    health === null
      ? notApplicable("No daemon answers")
      : satisfied(`The daemon speaks ${health.protocolVersion}`),
};

export const serenaDetectionStep: SetupStep = {
  id: "serena-detection",
  probe({ home }) {
    return home !== null && hasSerena(home)
      ? satisfied("A serena server is configured beside; nothing of it is changed")
      : notApplicable("No serena server is configured");
  },
};

function hasSerena(home: string): boolean {
  try {
    return readClientFile(home).hasSerena;
  } catch (error) {
    if (error instanceof TheurianError) return false; // Another step reports the file.
    throw error;
  }
}
