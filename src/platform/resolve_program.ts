import { delimiter, isAbsolute, join } from "node:path";

/** What programs inherit from the process; main reads it once, nothing else is passed on. */
export interface ProgramEnvironment {
  /** The search path, as in `PATH`. */
  readonly path: string;
  /** The home directory, where `git` finds its user's configuration. */
  readonly home?: string;
}

/** Where programs lie when nobody has said otherwise. */
const USUAL_PLACES = ["/usr/local/bin", "/opt/homebrew/bin", "/usr/bin", "/bin"];

let environment: ProgramEnvironment = { path: USUAL_PLACES.join(delimiter) };
let resolved = new Map<string, string | null>();

/**
 * Sets what programs inherit, before the first one runs; an empty path keeps the usual places.
 * Relative folders are left out: a program that starts another must not find it in a project.
 */
export function setProgramEnvironment(given: ProgramEnvironment): void {
  const path = given.path.split(delimiter).filter(isAbsolute).join(delimiter);
  environment = { ...given, path: path === "" ? USUAL_PLACES.join(delimiter) : path };
  resolved = new Map();
}

/** The variables that every program gets. */
export function inheritedVariables(): Record<string, string> {
  return {
    PATH: environment.path,
    LC_ALL: "C",
    ...(environment.home === undefined ? {} : { HOME: environment.home }),
  };
}

/**
 * Absolute path of a program: the first executable regular file of that name on the search path,
 * relative entries skipped, so that nothing in a project is ever run. Looked up once a name; links
 * stay as they are, because the sandbox grants the path as found. `null` when there is none.
 */
export function resolveProgram(name: string): string | null {
  let path = resolved.get(name);
  if (path === undefined) {
    path = find(name);
    resolved.set(name, path);
  }
  return path;
}

function find(name: string): string | null {
  const isWindows = Deno.build.os === "windows";
  const file = isWindows && !/\.exe$/i.test(name) ? `${name}.exe` : name;
  for (const folder of environment.path.split(delimiter)) {
    const path = join(folder, file);
    if (isExecutable(path, isWindows)) return path;
  }
  return null;
}

function isExecutable(path: string, isWindows: boolean): boolean {
  try {
    const info = Deno.statSync(path);
    return info.isFile && (isWindows || ((info.mode ?? 0) & 0o111) !== 0);
  } catch {
    return false; // Nothing usable there: the next folder decides.
  }
}
