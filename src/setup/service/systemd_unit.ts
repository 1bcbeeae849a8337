import { TheurianError } from "../../platform/errors.ts";
import type { ServiceDifference, ServiceFacts } from "./service_manager.ts";
import { unifiedDiff } from "./unified_diff.ts";

/**
 * The service's search path. The daemon starts nothing; the runtime itself wants the variable to be
 * there, and ends at once where it is unset.
 */
export const SERVICE_PATH = "/usr/local/bin:/usr/bin:/bin";

/** Directives that we author, by section, in order. */
const SECTIONS: readonly (readonly [string, (facts: ServiceFacts) => readonly string[]])[] = [
  ["Unit", () => [
    "Description=Theurian knowledge daemon",
    "Documentation=https://github.com/theurian/theurian",
    "After=network.target",
  ]],
  ["Service", (facts) => [
    "Type=simple",
    `ExecStart=${quoted(facts.executable)} daemon start --foreground --port ${facts.port}`,
    `Environment=${quoted(`THEURIAN_DATA_DIR=${facts.dataDirectory}`)}`,
    `Environment=PATH=${SERVICE_PATH}`,
    `WorkingDirectory=${facts.dataDirectory.replaceAll("%", "%%")}`,
    "Restart=on-failure",
    "RestartSec=5",
    "NoNewPrivileges=yes",
    "ProtectSystem=full",
    "RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX",
    "RestrictSUIDSGID=yes",
    "LockPersonality=yes",
  ]],
  ["Install", () => ["WantedBy=default.target"]],
];

/** Text of the user unit. Throws `service-unavailable` for a path that a unit cannot hold. */
export function systemdUnit(facts: ServiceFacts): string {
  refuseControls(facts);
  refuseQuotes(facts.executable);
  return SECTIONS.map(([name, directives]) => [`[${name}]`, ...directives(facts), ""].join("\n"))
    .join("\n");
}

/** Compares by exact text; `fields` are directives of ours that are missing or say something else. */
export function compareUnits(installed: string, wanted: string): ServiceDifference | null {
  if (installed === wanted) return null;
  const ours = directivesOf(wanted);
  const theirs = directivesOf(installed);
  const fields = new Set(ours.filter((line) => !theirs.includes(line)).map(nameOf));
  const foreign = theirs.filter((line) => !ours.includes(line) && !fields.has(nameOf(line)));
  const text = unifiedDiff(installed, wanted, ["installed", "wanted"]);
  return { text, fields: [...fields], others: foreign.length };
}

/** A line break in a value would begin another directive. */
export function refuseControls({ executable, dataDirectory }: ServiceFacts): void {
  // deno-lint-ignore no-control-regex
  const control = /[\u0000-\u001f\u007f]/;
  for (const [what, path] of [["executable", executable], ["data directory", dataDirectory]]) {
    if (!control.test(path!)) continue;
    throw new TheurianError(
      "service-unavailable",
      `Cannot define the service: the path of the ${what} holds a control character`,
      { remedy: `Move the ${what} to a path without control characters, then try again` },
    );
  }
}

/** systemd takes no such path as a program, however it is quoted. */
function refuseQuotes(executable: string): void {
  if (!/["'\\]/.test(executable)) return;
  throw new TheurianError(
    "service-unavailable",
    "Cannot define the service: the path of the executable holds a quote or a backslash",
    { remedy: "Move the executable to a path without quotes and backslashes, then try again" },
  );
}

/** One quoted word: specifiers doubled, quotes and backslashes escaped (systemd.syntax). */
function quoted(word: string): string {
  const safe = word.replaceAll("%", "%%");
  if (/^[A-Za-z0-9_@%+=:,./$-]+$/.test(safe)) return safe;
  return `"${safe.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}

function directivesOf(text: string): string[] {
  return text.split("\n").map((line) => line.trim())
    .filter((line) => line !== "" && !/^[#;[]/.test(line));
}

function nameOf(directive: string): string {
  return directive.split("=", 1)[0]!.trim();
}
