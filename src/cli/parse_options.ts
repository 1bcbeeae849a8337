/**
 * Reads what follows a leaf command (cli-and-plugins.md section 1): options and positionals in any
 * order, `--opt=value` and `--opt value`, `--` ends options, the argument after a value option is its
 * value whatever it looks like, of a repeated single-valued option the last counts, no abbreviations.
 *
 * @module
 */

import type { ArgumentRow, CommandInput, CommandRow, OptionRow } from "./command.ts";
import { nearestWord, shownWord } from "./usage.ts";

/** A leaf's arguments, a request for its help, or why they cannot be used. */
export type ParsedOptions =
  | { readonly kind: "input"; readonly input: CommandInput }
  | { readonly kind: "help" }
  | { readonly kind: "usage"; readonly message: string };

type Values = Record<string, string | number | boolean | string[] | undefined>;

/** Reads `args`, the words after the leaf verb. Never throws. */
export function parseOptions(row: CommandRow, args: readonly string[]): ParsedOptions {
  const reader = new OptionReader(row);
  const fault = reader.read(args);
  if (reader.help) return { kind: "help" };
  const message = fault ?? reader.missingOption() ?? reader.bindArguments();
  return message === null
    ? {
      kind: "input",
      input: { arguments: reader.arguments, options: reader.options, json: reader.json },
    }
    : { kind: "usage", message };
}

/** The name of an option among the parsed values. */
export function optionKey(name: string): string {
  return name.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

class OptionReader {
  help = false;
  json = false;
  readonly options: Values = {};
  readonly arguments: Record<string, string | string[] | undefined> = {};
  readonly #row: CommandRow;
  readonly #byName: ReadonlyMap<string, OptionRow>;
  readonly #positionals: string[] = [];
  readonly #seen = new Set<string>();

  constructor(row: CommandRow) {
    this.#row = row;
    this.#byName = new Map((row.options ?? []).map((option) => [option.name, option]));
    for (const option of row.options ?? []) {
      const initial = option.value === undefined
        ? false
        : option.repeatable === true
        ? []
        : option.value.default;
      if (initial !== undefined) this.options[optionKey(option.name)] = initial;
    }
  }

  /** The first fault; reading goes on behind it, so that `--help` is found wherever it stands. */
  read(args: readonly string[]): string | null {
    let fault: string | null = null;
    for (let i = 0; i < args.length; i++) {
      const arg = args[i]!;
      if (arg === "--") {
        this.#positionals.push(...args.slice(i + 1));
        break;
      }
      if (!arg.startsWith("-") || arg === "-") {
        this.#positionals.push(arg);
        continue;
      }
      const equals = arg.indexOf("=");
      const word = equals === -1 ? arg : arg.slice(0, equals);
      const option = word.startsWith("--") ? this.#byName.get(word.slice(2)) : undefined;
      const found = option?.value === undefined
        ? this.#flag(word, option, equals !== -1)
        : this.#valueOf(option, equals === -1 ? args[++i] : arg.slice(equals + 1));
      fault ??= found;
    }
    return fault;
  }

  /** Every required option that was not given, named together. */
  missingOption(): string | null {
    const missing = (this.#row.options ?? [])
      .filter((option) => option.required === true && !this.#seen.has(option.name))
      .map((option) => `--${option.name}`);
    if (missing.length === 0) return null;
    return `Missing option${missing.length === 1 ? "" : "s"} ${missing.join(", ")}`;
  }

  /** Gives the positionals their names. */
  bindArguments(): string | null {
    const rows: readonly ArgumentRow[] = this.#row.arguments ?? [];
    let next = 0;
    for (const row of rows) {
      const taken = row.variadic === true
        ? this.#positionals.slice(next)
        : this.#positionals.slice(next, next + 1);
      next += taken.length;
      if (taken.length === 0 && row.required === true) return `Missing argument ${row.name}`;
      if (!taken.every((value) => row.choices?.includes(value) ?? true)) {
        return `Argument ${row.name} must be one of ${row.choices!.join(", ")}`;
      }
      if (row.variadic === true) this.arguments[row.name] = taken;
      else if (taken.length === 1) this.arguments[row.name] = taken[0];
    }
    if (next === this.#positionals.length) return null;
    return rows.length === 0
      ? "This command takes no arguments, one or more were given"
      : `Too many arguments, at most ${rows.length} can be given`;
  }

  #flag(word: string, option: OptionRow | undefined, hasValue: boolean): string | null {
    const isJson = word === "--json" && this.#row.json !== false;
    if (option === undefined && !isJson && word !== "--help") return this.#unknown(word);
    if (hasValue) return `Option ${word} takes no value`;
    if (word === "--help") this.help = true;
    else if (isJson) this.json = true;
    else this.options[optionKey(option!.name)] = true;
    return null;
  }

  #valueOf(option: OptionRow, value: string | undefined): string | null {
    if (value === undefined) return `Option --${option.name} needs a value`;
    const kind = option.value!;
    this.#seen.add(option.name);
    const key = optionKey(option.name);
    if (kind.choices !== undefined && !kind.choices.includes(value)) {
      return `Option --${option.name} must be one of ${kind.choices.join(", ")}`;
    }
    if (kind.type === "integer") {
      const number = /^[+-]?[0-9]{1,15}$/.test(value) ? Number(value) : NaN;
      const low = kind.minimum ?? -Infinity;
      const high = kind.maximum ?? Infinity;
      if (!(number >= low && number <= high)) return integerFault(option);
      this.options[key] = number + 0;
    } else if (option.repeatable === true) (this.options[key] as string[]).push(value);
    else this.options[key] = value;
    return null;
  }

  #unknown(word: string): string {
    const known = [...this.#byName.keys(), "help", ...(this.#row.json === false ? [] : ["json"])];
    const nearest = nearestWord(word, known.map((name) => `--${name}`));
    const hint = nearest === null ? "" : `, did you mean ${nearest}?`;
    return `There is no option ${shownWord(word)}${hint}`;
  }
}

function integerFault(option: OptionRow): string {
  const { minimum, maximum } = option.value!;
  const range = minimum !== undefined && maximum !== undefined
    ? ` from ${minimum} to ${maximum}`
    : minimum !== undefined
    ? ` of at least ${minimum}`
    : "";
  return `Option --${option.name} must be an integer${range}`;
}
