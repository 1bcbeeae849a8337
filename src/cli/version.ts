import { CORE_VERSION, PROTOCOL_VERSION } from "../compat/versions.ts";
import type { CommandResult } from "./command.ts";

/**
 * The five keys of the published schema (corpus-and-migrations.md 7.7, compat.md section 11). The
 * runtime's version fills `python`, which the schema requires of every implementation.
 */
export function run(): CommandResult {
  return {
    document: {
      name: "theurian",
      version: CORE_VERSION,
      protocolVersion: PROTOCOL_VERSION,
      python: /^\d+\.\d+\.\d+/.exec(Deno.version.deno)?.[0] ?? "0.0.0",
      platform: platformName(Deno.build.os, Deno.build.arch),
    },
  };
}

/** `<system>-<machine>` with each system's own name of the machine. */
export function platformName(system: string, machine: string): string {
  if (system === "darwin" && machine === "aarch64") return "darwin-arm64";
  if (system === "windows" && machine === "x86_64") return "windows-AMD64";
  return `${system}-${machine}`;
}
