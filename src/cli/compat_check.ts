import { isFault, TheurianError } from "../platform/errors.ts";
import {
  CORE_VERSION,
  type Declaration,
  declarationOf,
  judge,
  parseCoreVersion,
  PROTOCOL_VERSION,
} from "../compat/mod.ts";
import type { CommandContext, CommandInput, CommandResult } from "./command.ts";

const FLAGS = {
  pluginVersion: "plugin-version",
  coreMinimum: "core-minimum",
  coreMaximumExclusive: "core-maximum-exclusive",
  protocolVersion: "protocol-version",
} as const;

/**
 * Judges a declaration against this Core, or against the one of `--core-version` (compat.md
 * sections 3, 4 and 7). Exit 0 compatible, 3 not, 2 when the declaration is malformed.
 */
export async function run(input: CommandInput, context: CommandContext): Promise<CommandResult> {
  const chosen = input.options["coreVersion"] as string | undefined;
  if (chosen === undefined) refuseUntranslatableCore();
  const declaration = await declarationFrom(input, context);
  if ("fault" in declaration) return malformed(declaration.fault);
  const verdict = judge(declaration, {
    version: chosen ?? CORE_VERSION,
    protocol: PROTOCOL_VERSION,
  });
  if (verdict.outcome === "invalid-declaration") return malformed(verdict.error);
  return { document: { ...verdict }, exit: verdict.compatible ? 0 : 3 };
}

async function declarationFrom(
  input: CommandInput,
  context: CommandContext,
): Promise<Declaration | { readonly fault: string }> {
  const keys = Object.keys(FLAGS) as (keyof typeof FLAGS)[];
  const given = keys.filter((key) => input.options[key] !== undefined);
  const file = input.options["declaration"] as string | undefined;
  if (file === undefined) {
    const missing = keys.filter((key) => !given.includes(key));
    if (missing.length > 0) {
      const names = missing.map((key) => `--${FLAGS[key]}`).join(", ");
      throw usage(`Missing option${missing.length === 1 ? "" : "s"} ${names}`);
    }
    return Object.fromEntries(
      keys.map((key) => [key, input.options[key]]),
    ) as unknown as Declaration;
  }
  if (given.length > 0) {
    const names = given.map((key) => `--${FLAGS[key]}`).join(", ");
    throw usage(`--declaration names a file, so ${names} cannot be given with it`);
  }
  return await declarationInFile(file, context);
}

/**
 * The declaration of a file, or what is wrong with it. Only this way of asking loads the file door and
 * the YAML parser.
 */
export async function declarationInFile(
  file: string,
  context: Pick<CommandContext, "cwd">,
): Promise<Declaration | { readonly fault: string }> {
  const [{ readRegularFile, realPath }, { parseYaml }, { resolve }] = await Promise.all([
    import("../platform/files/mod.ts"),
    import("../platform/yaml/mod.ts"),
    import("node:path"),
  ]);
  try {
    const path = resolve(context.cwd, file);
    const bytes = readRegularFile(realPath(path) ?? path, { label: "the declaration" });
    const declaration = declarationOf(parseYaml(bytes, "the declaration").value);
    return "fault" in declaration
      ? { fault: `Cannot use the declaration: ${declaration.fault}` }
      : declaration;
  } catch (error) {
    if (!isFault(error)) throw error;
    return { fault: error.message };
  }
}

function malformed(error: string): CommandResult {
  return { document: { outcome: "invalid-declaration", error }, exit: 2 };
}

/** Core's version is a constant: one that neither grammar reads is a defect of the release. */
function refuseUntranslatableCore(): void {
  if (parseCoreVersion(CORE_VERSION) !== null) return;
  throw new TheurianError("internal", "This build reports a version that cannot be compared", {
    remedy: "Install a released build; this one is defective",
  });
}

function usage(message: string): TheurianError {
  return new TheurianError("usage", message, { remedy: "Run `theurian compat check --help`" });
}
