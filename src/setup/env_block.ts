/**
 * The shell block that exports the token, and how it lives among a user's own lines
 * (daemon-and-setup.md 7.4). Text is one character a byte, so that nothing else in the file changes.
 *
 * @module
 */

import { TheurianError } from "../platform/errors.ts";

const START = "# >>> theurian >>>";
const END = "# <<< theurian <<<";
const VARIABLE = "THEURIAN_MCP_TOKEN";

/**
 * The block for a token file, as bytes in text. Throws `data-directory-unusable` for a path that a
 * shell would read as more than a path.
 */
export function envBlock(tokenPath: string): string {
  // deno-lint-ignore no-control-regex
  if (/["`$\\\u0000-\u001f\u007f]/.test(tokenPath)) {
    throw new TheurianError(
      "data-directory-unusable",
      "Cannot write the shell block: the data directory's path holds a quote, a backquote, a " +
        "dollar sign, a backslash or a control character",
      { remedy: "Set THEURIAN_DATA_DIR to a path without such characters" },
    );
  }
  return toBytesText([
    START,
    "# Written by theurian setup. Source this file from your shell profile, so that clients",
    "# find the daemon's token. The token itself stays in its own file.",
    `${VARIABLE}="$(cat "${tokenPath}")"`,
    `export ${VARIABLE}`,
    END,
  ].join("\n"));
}

/** Where the block stands. */
export type FoundBlock =
  | { readonly kind: "none" }
  /** Two starts, or a start without an end behind it: never rewritten. */
  | { readonly kind: "malformed" }
  | { readonly kind: "block"; readonly from: number; readonly to: number };

/** Finds the block. A marker is a whole line; a carriage return behind it is tolerated. */
export function findBlock(text: string): FoundBlock {
  const lines = linesOf(text);
  const starts = lines.filter((line) => line.text === START);
  const [start] = starts;
  if (start === undefined) return { kind: "none" };
  const end = lines.find((line) => line.text === END && line.from > start.from);
  if (starts.length > 1 || end === undefined) return { kind: "malformed" };
  return { kind: "block", from: start.from, to: end.to };
}

/** What {@linkcode placeBlock} would do. */
export type BlockState = "missing" | "malformed" | "outdated" | "current";

/** How a file stands to the wanted block. */
export function blockState(text: string, block: string): BlockState {
  const found = findBlock(text);
  if (found.kind === "none") return "missing";
  if (found.kind === "malformed") return "malformed";
  return text.slice(found.from, found.to).replaceAll("\r", "") === block ? "current" : "outdated";
}

/** The text with the block in place; `null` when it is malformed. Everything else stays. */
export function placeBlock(text: string, block: string): string | null {
  const found = findBlock(text);
  if (found.kind === "malformed") return null;
  if (found.kind === "block") {
    const placed = text.slice(0, found.from) + block + text.slice(found.to);
    return placed.endsWith("\n") ? placed : `${placed}\n`;
  }
  if (text === "") return `${block}\n`;
  return `${text}${text.endsWith("\n") ? "" : "\n"}\n${block}\n`;
}

/** Whether a line behind the block assigns the variable again. */
export function isShadowed(text: string): boolean {
  const found = findBlock(text);
  if (found.kind !== "block") return false;
  return text.slice(found.to).split("\n").some((line) => {
    const [first = "", ...rest] = line.trim().split(/\s+/);
    const words = /^(?:export|declare|typeset|readonly)$/.test(first) ? rest : [first];
    return words.some((word) => word.startsWith(`${VARIABLE}=`));
  });
}

/** One character a byte. */
export function toBytesText(text: string): string {
  return fromBytes(new TextEncoder().encode(text));
}

/** Bytes as text, one character each. */
export function fromBytes(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 4096) {
    text += String.fromCharCode(...bytes.subarray(at, at + 4096));
  }
  return text;
}

/** Text of one character a byte as those bytes. */
export function toBytes(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

interface Line {
  readonly text: string;
  readonly from: number;
  /** End of the line's text, a carriage return included. */
  readonly to: number;
}

function linesOf(text: string): Line[] {
  let from = 0;
  return text.split("\n").map((raw) => {
    const line = { text: raw.replace(/\r$/, ""), from, to: from + raw.length };
    from += raw.length + 1;
    return line;
  });
}
