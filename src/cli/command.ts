/**
 * What a command is: a row of data and a module that is imported only when it runs. Help,
 * completions, the documentation's tables and the permission drop are read from the rows.
 *
 * @module
 */

import type { Clock } from "../platform/clock.ts";
import type { ExitCode } from "../platform/errors.ts";
import type { GrantedProgram, GrantedVariable } from "../platform/grants.ts";
import type { UlidSource } from "../platform/ulid.ts";

/** A positional argument. */
export interface ArgumentRow {
  readonly name: string;
  readonly summary: string;
  readonly required?: boolean;
  /** Takes all remaining positionals. */
  readonly variadic?: boolean;
  readonly choices?: readonly string[];
}

/** An option. `--json` and `--help` belong to every leaf and are not listed. */
export interface OptionRow {
  /** Long name without dashes. */
  readonly name: string;
  readonly summary: string;
  /** Absent: a flag. */
  readonly value?: {
    /** Shown in help, such as `INT` or `PATH`. */
    readonly placeholder: string;
    readonly type: "text" | "integer";
    readonly choices?: readonly string[];
    /** Inclusive bounds of an integer. */
    readonly minimum?: number;
    readonly maximum?: number;
    readonly default?: string | number;
  };
  readonly repeatable?: boolean;
  readonly required?: boolean;
}

/** What a command's row keeps of the permissions baked into the binary; the rest is revoked. */
export interface PermissionRow {
  readonly net: boolean;
  readonly read: boolean;
  readonly write: boolean;
  /** Programs it may start. */
  readonly run: readonly GrantedProgram[];
  /** Names beyond `HOME` and `THEURIAN_DATA_DIR`. */
  readonly env: readonly GrantedVariable[];
  readonly sys: readonly ("uid")[];
}

/** One leaf of the command tree. */
export interface CommandRow {
  /** Words after `theurian`, such as `["migrate", "apply"]`. */
  readonly path: readonly [string, ...string[]];
  /** One sentence a reader can act on. */
  readonly summary: string;
  readonly arguments?: readonly ArgumentRow[];
  readonly options?: readonly OptionRow[];
  readonly permissions: PermissionRow;
  /** What is kept of them for this input, where an option alone needs one. */
  readonly narrowed?: (input: CommandInput) => PermissionRow;
  /** `false` where stdout carries a protocol and there is no `--json` (`stdio`). */
  readonly json?: false;
  /** Imports the command's module, after the permission drop. */
  readonly load: () => Promise<CommandModule>;
}

/** A first word after `theurian`: one command, or a group of them. Rows are imported on use. */
export interface CommandGroup {
  readonly name: string;
  /** One sentence for the listing. */
  readonly summary: string;
  readonly rows: () => Promise<readonly CommandRow[]>;
}

/** A command's module. */
export interface CommandModule {
  run(input: CommandInput, context: CommandContext): Promise<CommandResult> | CommandResult;
}

/** Parsed argv: positionals by argument name, options by long name in camelCase. */
export interface CommandInput {
  readonly arguments: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly options: Readonly<
    Record<string, string | number | boolean | readonly string[] | undefined>
  >;
  readonly json: boolean;
}

/** What the outside world gives a command. */
export interface CommandContext {
  /** Current directory, absolute. Throws `file-missing` where it was removed. */
  readonly cwd: string;
  /**
   * Absolute data directory (`THEURIAN_DATA_DIR`, else `~/.theurian`); may not exist. Throws
   * `data-directory-unusable` where the environment names neither.
   */
  readonly dataDirectory: string;
  /** Home directory, or `null` where the environment names none. */
  readonly home: string | null;
  /** `PATH` when the row keeps it, else the empty text. */
  readonly path: string;
  /** A variable the row keeps; `null` when it is unset, empty or not kept. */
  variable(name: GrantedVariable): string | null;
  readonly clock: Clock;
  readonly ulids: UlidSource;
  /** Progress on stderr, shown only on a terminal and only after half a second (decision 28). */
  readonly progress: Progress;
  /** A warning line on stderr; never part of the JSON document. */
  warn(message: string): void;
  /** A line of the daemon's log on stderr, written as it is (daemon-and-setup.md 3.6). */
  log(line: string): void;
  /** Both ends of a protocol on the standard streams, for `stdio` alone. */
  readonly wire: Wire;
}

/** A protocol of lines over the standard streams. */
export interface Wire {
  input(): ReadableStream<Uint8Array>;
  /** Writes one line as it is. */
  send(line: string): void;
}

/** Tells a person what a long command is at. */
export interface Progress {
  step(what: string, done?: number, total?: number): void;
  done(): void;
}

/** What a command answers. */
export interface CommandResult {
  /** Success document, in the order the human output shows it; `null` prints nothing. */
  readonly document: Readonly<Record<string, unknown>> | null;
  /** Defaults to 0. */
  readonly exit?: ExitCode;
  /** Human text instead of the rendered document. */
  readonly text?: string;
  /** Error document printed to stderr after the result (`review ingest`). */
  readonly failure?: { readonly error: string; readonly remedy: string };
}
