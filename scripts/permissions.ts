/**
 * The permissions baked into the executable, in one place: the compile script, the tests that run
 * from source and the documentation read them here. They are the union of what any command needs;
 * `main.ts` drops the rest before a command's module is imported (daemon-and-setup.md 11.2).
 *
 * @module
 */

/** Programs the executable may start; the first two touch knowledge, the rest manage the service. */
export const RUN_PROGRAMS = [
  "git",
  "gh",
  "systemctl",
  "journalctl",
  "launchctl",
  "claude",
] as const;

/** Environment names the executable may read (daemon-and-setup.md 12, and those `gh` is given). */
export const ENVIRONMENT_NAMES = [
  "HOME",
  "THEURIAN_DATA_DIR",
  "PATH",
  "XDG_CONFIG_HOME",
  "GH_CONFIG_DIR",
] as const;

/** The flags, in the spelling that `deno run` and `deno compile` share. */
export const PERMISSION_FLAGS: readonly string[] = [
  "--no-prompt",
  "--allow-read",
  "--allow-write",
  "--allow-net=127.0.0.1",
  `--allow-run=${RUN_PROGRAMS.join(",")}`,
  `--allow-env=${ENVIRONMENT_NAMES.join(",")}`,
  "--allow-sys=uid",
  "--unstable-worker-options",
];
