/**
 * The LaunchAgent's property list: our own writer, and a reader of XML lists that people may have
 * edited (daemon-and-setup.md 7.5).
 *
 * @module
 */

import { join } from "node:path";
import { refuseControls, SERVICE_PATH } from "./systemd_unit.ts";
import type { ServiceDifference, ServiceFacts } from "./service_manager.ts";

export const LABEL = "dev.theurian.daemon";

/** A value of a property list; data, dates and numbers are kept as their text. */
export type PlistValue =
  | string
  | boolean
  | readonly PlistValue[]
  | { readonly [key: string]: PlistValue };

/** The wanted list. */
export function launchAgentFacts(facts: ServiceFacts): { readonly [key: string]: PlistValue } {
  const { executable, dataDirectory, port } = facts;
  const log = join(dataDirectory, "daemon.log");
  return {
    Label: LABEL,
    ProgramArguments: [executable, "daemon", "start", "--foreground", "--port", String(port)],
    RunAtLoad: true,
    KeepAlive: { SuccessfulExit: false },
    EnvironmentVariables: { PATH: SERVICE_PATH, THEURIAN_DATA_DIR: dataDirectory },
    WorkingDirectory: dataDirectory,
    StandardOutPath: log,
    StandardErrorPath: log,
    ProcessType: "Background",
  };
}

/** Text of the agent. Throws `service-unavailable` for a path that holds a control character. */
export function launchAgentPlist(facts: ServiceFacts): string {
  refuseControls(facts);
  return '<?xml version="1.0" encoding="UTF-8"?>\n' +
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" ' +
    '"http://www.apple.com/DTDs/PropertyList-1.0.dtd">\n' +
    `<plist version="1.0">\n${element(launchAgentFacts(facts), "")}\n</plist>\n`;
}

function element(value: PlistValue, indent: string): string {
  if (typeof value === "boolean") return `${indent}<${value}/>`;
  if (typeof value === "string") return `${indent}<string>${escapeXml(value)}</string>`;
  const deeper = `${indent}  `;
  if (Array.isArray(value)) {
    const items = value.map((item) => element(item, deeper));
    return [`${indent}<array>`, ...items, `${indent}</array>`].join("\n");
  }
  const entries = Object.entries(value).flatMap(([key, held]) => [
    `${deeper}<key>${escapeXml(key)}</key>`,
    element(held, deeper),
  ]);
  return [`${indent}<dict>`, ...entries, `${indent}</dict>`].join("\n");
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (unit) => ENTITIES[unit]!);
}

/** Compares by key and value; an unreadable list differs in everything. */
export function compareAgents(installed: string, wanted: string): ServiceDifference | null {
  const ours = parsePlist(wanted) as Readonly<Record<string, PlistValue>>;
  const theirs = parsePlist(installed);
  if (theirs === null || typeof theirs !== "object" || Array.isArray(theirs)) {
    return { text: "the installed file is no readable property list", fields: [], others: 0 };
  }
  const held = theirs as Readonly<Record<string, PlistValue>>;
  const fields: string[] = [];
  const lines: string[] = [];
  let others = 0;
  for (const key of new Set([...Object.keys(ours), ...Object.keys(held)])) {
    const [is, want] = [shown(held[key]), shown(ours[key])];
    if (is === want) continue;
    if (key in ours) fields.push(key);
    else others++;
    lines.push(`${key}: installed ${is}, wanted ${want}`);
  }
  return lines.length === 0 ? null : { text: lines.join("\n"), fields, others };
}

function shown(value: PlistValue | undefined): string {
  return value === undefined ? "(absent)" : JSON.stringify(sorted(value));
}

function sorted(value: PlistValue): PlistValue {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1)
      .map(([key, held]) => [key, sorted(held as PlistValue)]),
  );
}

/** Reads an XML property list; `null` when it is none. */
export function parsePlist(text: string): PlistValue | null {
  const body = /<plist[^>]*>([^]*)<\/plist>\s*$/.exec(text.replace(/<!--[^]*?-->/g, ""));
  if (body === null) return null;
  const tokens = body[1]!.match(/<[^>]+>|[^<]+/g) ?? [];
  const reader = { tokens: tokens.filter((token) => token.trim() !== ""), at: 0 };
  const value = readValue(reader, 0);
  return reader.at === reader.tokens.length ? value : null;
}

interface Reader {
  readonly tokens: readonly string[];
  at: number;
}

const DEEPEST = 16;

function readValue(reader: Reader, depth: number): PlistValue | null {
  const tag = reader.tokens[reader.at++];
  if (tag === "<true/>" || tag === "<false/>") return tag === "<true/>";
  if (tag === "<dict/>") return {};
  if (tag === "<array/>") return [];
  if (depth > DEEPEST) return null;
  if (tag === "<dict>") return readDictionary(reader, depth);
  if (tag === "<array>") return readArray(reader, depth);
  const scalar = /^<(string|integer|real|date|data)(\/?)>$/.exec(tag ?? "");
  if (scalar === null) return null;
  if (scalar[2] === "/") return "";
  return readText(reader, scalar[1]!);
}

function readDictionary(reader: Reader, depth: number): PlistValue | null {
  const found: Record<string, PlistValue> = Object.create(null);
  while (reader.tokens[reader.at] !== "</dict>") {
    if (reader.tokens[reader.at++] !== "<key>") return null;
    const key = readText(reader, "key");
    const value = readValue(reader, depth + 1);
    if (key === null || value === null) return null;
    found[key] = value;
  }
  reader.at++;
  return found;
}

function readArray(reader: Reader, depth: number): PlistValue | null {
  const found: PlistValue[] = [];
  while (reader.tokens[reader.at] !== "</array>") {
    const value = readValue(reader, depth + 1);
    if (value === null) return null;
    found.push(value);
  }
  reader.at++;
  return found;
}

function readText(reader: Reader, name: string): string | null {
  let text = "";
  if (!reader.tokens[reader.at]?.startsWith("<")) text = reader.tokens[reader.at++] ?? "";
  if (reader.tokens[reader.at++] !== `</${name}>`) return null;
  return text.replace(/&(amp|lt|gt|quot|apos);/g, (entity) => {
    return Object.entries(ENTITIES).find(([, written]) => written === entity)![0];
  });
}
