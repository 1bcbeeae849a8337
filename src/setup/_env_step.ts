import { dataPaths } from "../daemon/mod.ts";
import { describePath } from "../platform/files/mod.ts";
import { readEnvFile, writeEnvFile } from "./env_file.ts";
import { conflicting, missing, satisfied } from "./report.ts";
import type { SetupStep } from "./setup_step.ts";

export const envReferenceStep: SetupStep = {
  id: "env-reference",
  critical: true,
  probe({ dataDirectory }) {
    const { env } = dataPaths(dataDirectory);
    const write =
      `Write the block that exports THEURIAN_MCP_TOKEN; then source ${env} in a profile`;
    if (describePath(env)?.kind !== "file") {
      return missing("There is no shell file with the token yet", write, [env]);
    }
    const { state, shadowed } = readEnvFile(dataDirectory);
    if (state === "malformed") {
      return conflicting(
        "The shell block's markers do not pair",
        "there are two start markers, or one without an end",
        "Remove the theurian markers from the file by hand, then run setup again",
      );
    }
    if (state === "missing") return missing("The shell file lacks the block", write, [env]);
    if (state === "outdated") return missing("The shell block is out of date", write, [env]);
    const detail = shadowed ? "a later line of the file assigns THEURIAN_MCP_TOKEN again" : "";
    return satisfied("The shell block exports the token", detail);
  },
  apply({ dataDirectory }) {
    writeEnvFile(dataDirectory);
  },
};
