import { isAbsolute } from "node:path";
import { describePath } from "../platform/files/mod.ts";
import { verifyExecutable } from "./executable_checksum.ts";
import { conflicting, notApplicable, satisfied } from "./report.ts";
import type { SetupStep } from "./setup_step.ts";

export const platformStep: SetupStep = {
  id: "platform",
  blocks: true,
  probe({ system }) {
    return ["linux", "darwin", "windows"].includes(system)
      ? satisfied(`Theurian runs on ${system}`)
      : conflicting(
        `Theurian is not made for ${system}`,
        "Linux, macOS and Windows are supported",
      );
  },
};

export const corePresentStep: SetupStep = {
  id: "core-present",
  blocks: true,
  probe({ executable, system }) {
    const why = executableFault(executable, system);
    return why === null ? satisfied("This executable can be started by a service") : conflicting(
      "This executable cannot be started by a service",
      why,
      "Install the released executable and run its setup: see the README",
    );
  },
};

/** A service starts with another search path: it needs an absolute path that runs by itself. */
function executableFault(executable: string | null, system: string): string | null {
  if (executable === null) return "it runs from source, not as the built executable";
  if (!isAbsolute(executable)) return "its path is not absolute";
  const facts = describePath(executable);
  if (facts?.kind !== "file") return "its path names no regular file";
  return system !== "windows" && (facts.mode & 0o111) === 0 ? "its file is not executable" : null;
}

const REINSTALL = "Install it again from a release. If you replaced it on purpose, remove " +
  "theurian.sha256 beside it";

export const artifactIntegrityStep: SetupStep = {
  id: "artifact-integrity",
  probe({ executable }) {
    const verdict = executable === null
      ? { kind: "unrecorded" } as const
      : verifyExecutable(executable);
    switch (verdict.kind) {
      case "unrecorded":
        return notApplicable(
          "Nothing is verified: no installer left a checksum beside this executable. Compare it " +
            "with the release's SHA256SUMS yourself",
        );
      case "same":
        return satisfied("This executable matches the checksum of its release");
      case "malformed":
        return conflicting(
          "The checksum beside this executable cannot be read",
          "theurian.sha256 is no line of a digest and a name",
          REINSTALL,
        );
      case "other":
        return conflicting(
          "This executable is not the one that its release was",
          `SHA-256 is ${verdict.digest}, the release's ${verdict.recorded}`,
          REINSTALL,
        );
    }
  },
};
