/**
 * From a command line to an exit code: find the row, drop permissions, import the module, run it,
 * print what it answers (cli-and-plugins.md sections 1 and 2).
 *
 * @module
 */

import { errorKind, type ExitCode, isFault, TheurianError } from "../platform/errors.ts";
import { sortedJson } from "../platform/json.ts";
import type {
  CommandGroup,
  CommandInput,
  CommandResult,
  CommandRow,
  PermissionRow,
} from "./command.ts";
import { openContext, type World } from "./context.ts";
import { OutputClosed } from "./output.ts";
import { documentText, failureText, plainText } from "./render_text.ts";
import { type Request, resolveCommand } from "./resolve_command.ts";
import { leafSynopsis } from "./synopsis.ts";
import { usageDocument, type UsageFault, usageText } from "./usage.ts";

/** Runs one command line against the table and answers its exit code. Never throws. */
export async function runCommandLine(
  groups: readonly CommandGroup[],
  args: readonly string[],
  world: World,
): Promise<ExitCode> {
  let json = asksForJson(args);
  try {
    const request = await resolveCommand(groups, args);
    if (request.kind === "run" || request.kind === "version") {
      json = request.kind === "run" ? request.input.json : request.json;
    }
    return await answer(groups, request, json, world);
  } catch (error) {
    if (error instanceof OutputClosed) return 1;
    return reportError(error, json, world);
  }
}

/** An internal fault of any origin, as its one line; also for what no command is there to catch. */
export function reportError(error: unknown, json: boolean, world: World): ExitCode {
  if (isFault(error, "interrupted")) return error.exit;
  if (error instanceof TheurianError) {
    printFailure({ error: error.message, remedy: error.remedy }, json, world);
    return error.exit;
  }
  printFailure(
    {
      error: `Internal fault (${
        errorKind(error)
      }): this is a defect of theurian, not of your input`,
      remedy: "Run `theurian doctor --report` and report its output with what you ran; " +
        "THEURIAN_DEBUG=1 shows where it failed",
    },
    json,
    world,
  );
  if (world.variable("THEURIAN_DEBUG") && error instanceof Error) {
    world.terminal.err(plainText(error.stack ?? error.message));
  }
  return 1;
}

async function answer(
  groups: readonly CommandGroup[],
  request: Request,
  json: boolean,
  world: World,
): Promise<ExitCode> {
  switch (request.kind) {
    case "usage":
      return usage(request.fault, json, world);
    case "help":
      return await help(groups, request, json, world);
    case "version": {
      const [row] = await groups.find((group) => group.name === "version")!.rows();
      return await runRow(row!, { arguments: {}, options: {}, json: request.json }, world);
    }
    case "run":
      try {
        return await runRow(request.row, request.input, world);
      } catch (error) {
        if (!isFault(error, "usage")) throw error;
        const { row } = request;
        const fault = { path: row.path, synopsis: leafSynopsis(row), message: error.message };
        return usage(fault, json, world);
      }
  }
}

async function help(
  groups: readonly CommandGroup[],
  request: { readonly path: readonly string[]; readonly bare: boolean },
  json: boolean,
  world: World,
): Promise<ExitCode> {
  const { path, bare } = request;
  if (bare && json) {
    return usage({ path, synopsis: "COMMAND", message: "No command was given" }, json, world);
  }
  const text = await (await import("./help.ts")).helpText(groups, path);
  if (bare) world.terminal.err(text);
  else world.terminal.out(text);
  return bare ? 2 : 0;
}

async function runRow(row: CommandRow, input: CommandInput, world: World): Promise<ExitCode> {
  const context = await openContext(row, world);
  world.dropPermissions(row.narrowed === undefined ? row : keeping(row, row.narrowed(input)));
  const command = await row.load();
  try {
    const result = await command.run(input, context);
    context.progress.done();
    return printResult(result, input.json, world);
  } finally {
    context.progress.done();
  }
}

function keeping(row: CommandRow, permissions: PermissionRow): CommandRow {
  return { ...row, permissions };
}

function printResult(result: CommandResult, json: boolean, world: World): ExitCode {
  const { document, text, failure } = result;
  if (json) {
    if (document !== null) world.terminal.out(`${sortedJson(document)}\n`);
  } else if (text !== undefined) world.terminal.out(plainText(text));
  else if (document !== null) world.terminal.out(documentText(document));
  if (failure !== undefined) printFailure(failure, json, world);
  return result.exit ?? 0;
}

function printFailure(
  failure: { readonly error: string; readonly remedy: string },
  json: boolean,
  world: World,
): void {
  const { error, remedy } = failure;
  world.terminal.err(json ? `${sortedJson({ error, remedy })}\n` : failureText(failure));
}

function usage(fault: UsageFault, json: boolean, world: World): ExitCode {
  if (json) printFailure(usageDocument(fault), json, world);
  else world.terminal.err(usageText(fault));
  return 2;
}

/** `--json` anywhere before `--`: the caller reads documents, also when the line is unusable. */
function asksForJson(args: readonly string[]): boolean {
  const end = args.indexOf("--");
  return (end === -1 ? args : args.slice(0, end)).includes("--json");
}
