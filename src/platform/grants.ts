/**
 * The permissions baked into the shipped binary, as data. The compile script, the run-from-source
 * fallback and the permission drop of the command line all read this one list
 * (decision record on compile flags; daemon-and-setup.md section 11).
 *
 * @module
 */

/** Programs any command may start; each command keeps only those its row names. */
export const GRANTED_PROGRAMS = [
  "git",
  "gh",
  "systemctl",
  "journalctl",
  "launchctl",
  "claude",
] as const;
export type GrantedProgram = typeof GRANTED_PROGRAMS[number];

/** Environment names any command may read. */
export const GRANTED_ENVIRONMENT = [
  "HOME",
  "THEURIAN_DATA_DIR",
  "THEURIAN_DEBUG",
  "PATH",
  "XDG_CONFIG_HOME",
  "XDG_RUNTIME_DIR",
  "DBUS_SESSION_BUS_ADDRESS",
  "GH_CONFIG_DIR",
  "USERPROFILE",
  "PATHEXT",
] as const;
export type GrantedVariable = typeof GRANTED_ENVIRONMENT[number];

/** Names every command may read; the rest is kept by a command's row only. */
export const ALWAYS_READ: readonly GrantedVariable[] = [
  "HOME",
  "THEURIAN_DATA_DIR",
  "THEURIAN_DEBUG",
  "USERPROFILE",
];

/** Kinds of system facts any command may ask for. */
export const GRANTED_SYSTEM = ["uid"] as const;

/** The only host the product listens on or connects to. */
export const GRANTED_HOST = "127.0.0.1";

/** Flags in the spelling that `deno compile` and `deno run` share; nothing asks. */
export function grantFlags(): string[] {
  return [
    "--no-prompt",
    // The runtime allows modules of some public hosts by itself, and denying all of them does not
    // reach those: only a list of our own replaces it. The name is one that never resolves.
    "--allow-import=none.invalid:1",
    "--deny-import",
    "--allow-read",
    "--allow-write",
    `--allow-net=${GRANTED_HOST}`,
    `--allow-run=${GRANTED_PROGRAMS.join(",")}`,
    `--allow-env=${GRANTED_ENVIRONMENT.join(",")}`,
    `--allow-sys=${GRANTED_SYSTEM.join(",")}`,
    "--unstable-worker-options",
  ];
}
