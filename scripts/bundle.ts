/**
 * Bundles the program, one file for each lazily imported part, so that the same sources give the
 * same bytes wherever they are checked out and wherever the package cache lies.
 *
 * @module
 */

/** Modules that start on their own: the program, and the workers it reaches by address. */
export const ENTRIES = ["main.ts", "src/daemon/worker.ts"] as const;

/** Time of every bundled file: the executable records it, and no build is to differ by it. */
const FILE_TIME = new Date("2000-01-01T00:00:00Z");

/** A part's own name: a stem and a digest that depends on where the package cache lies. */
const PART = /"((?:\.{1,2}\/)+)([A-Za-z0-9_]+)-([A-Z0-9]{8})\.js"/g;

/** The bundler's remark above a package's module: `// …/npm/<host>/<name>/<version>/<file>`. */
const PACKAGE_REMARK =
  /^\/\/ (?:\.\.\/)*(?:[^\n]*\/)?npm\/[^/\n]+\/((?:@[^/\n]+\/)?[^/\n]+\/[^\n]+)$/gm;

/** Path of an entry in the bundle. */
export function bundledName(entry: string): string {
  return entry.replace(/ts$/, "js");
}

/** How bundling ended: where there is no bundler, modules can still be embedded as they are. */
export type Bundling = "done" | "sources-at-fault" | "no-bundler";

/** Bundles the checkout at `root` into `directory`, which is emptied first. */
export async function bundleProgram(
  root: URL,
  directory: URL,
  entries: readonly string[] = ENTRIES,
): Promise<Bundling> {
  await removeDirectory(directory);
  if (!await bundle(root, directory, entries, "inherit")) {
    return await hasBundler(directory) ? "sources-at-fault" : "no-bundler";
  }
  const files = readTree(filePath(directory));
  await removeDirectory(directory);
  for (const [name, text] of placeIndependent(files, entries.map(bundledName))) {
    writeFile(`${filePath(directory)}/${name}`, text);
  }
  return "done";
}

async function bundle(
  cwd: URL,
  directory: URL,
  entries: readonly string[],
  stderr: "inherit" | "null",
): Promise<boolean> {
  const { success } = await new Deno.Command(Deno.execPath(), {
    cwd,
    args: [
      "bundle",
      "--quiet",
      "--format=esm",
      "--platform=deno",
      "--code-splitting",
      `--outdir=${filePath(directory)}`,
      ...entries,
    ],
    stderr,
  }).spawn().status;
  return success;
}

/** Whether anything at all can be bundled here. */
async function hasBundler(directory: URL): Promise<boolean> {
  const trial = new URL("trial/", directory);
  await Deno.mkdir(trial, { recursive: true });
  await Deno.writeTextFile(new URL("one.ts", trial), "export const one = 1;\n");
  const works = await bundle(trial, new URL("out/", trial), ["one.ts"], "null");
  await removeDirectory(directory);
  return works;
}

/**
 * The files of a bundle without what depends on the machine: parts are named by the order in which
 * the entries reach them, remarks name the package and not the cache. Throws `TypeError` when a
 * part is reached by no entry.
 */
export function placeIndependent(
  files: ReadonlyMap<string, string>,
  entries: readonly string[],
): Map<string, string> {
  const names = new Map<string, string>(entries.map((entry) => [entry, entry]));
  // The map grows while it is walked: every part is looked at once.
  for (const [name] of names) {
    for (const [, , stem, digest] of files.get(name)!.matchAll(PART)) {
      const part = `${stem}-${digest}.js`;
      if (files.has(part) && !names.has(part)) names.set(part, `${stem}-${names.size}.js`);
    }
  }
  const stray = [...files.keys()].find((name) => !names.has(name));
  if (stray !== undefined) throw new TypeError(`Cannot name ${stray}: no entry reaches it`);
  return new Map(
    [...names].map(([name, fresh]) => {
      const text = files.get(name)!
        .replaceAll(PART, (whole, up, stem, digest) => {
          const part = names.get(`${stem}-${digest}.js`);
          return part === undefined ? whole : `"${up}${part}"`;
        })
        .replaceAll(PACKAGE_REMARK, "// npm:$1");
      return [fresh, text] as const;
    }),
  );
}

/** Packages whose code a bundle holds, as `name@version`, sorted. */
export function packagesOf(files: Iterable<string>): string[] {
  const found = new Set<string>();
  for (const text of files) {
    for (
      const [, name, version] of text.matchAll(/^\/\/ npm:((?:@[^/\n]+\/)?[^/\n]+)\/([^/\n]+)\//gm)
    ) {
      found.add(`${name}@${version}`);
    }
  }
  return [...found].sort();
}

/** Texts of all files below a directory, by relative path. */
export function readTree(directory: string, below = ""): Map<string, string> {
  const files = new Map<string, string>();
  for (const entry of Deno.readDirSync(`${directory}/${below}`)) {
    const name = `${below}${entry.name}`;
    if (!entry.isDirectory) files.set(name, Deno.readTextFileSync(`${directory}/${name}`));
    else for (const [path, text] of readTree(directory, `${name}/`)) files.set(path, text);
  }
  return files;
}

/** Removes a directory with all it holds, or nothing. */
export async function removeDirectory(directory: URL): Promise<void> {
  await Deno.remove(directory, { recursive: true }).catch((error) => {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  });
}

/** Path of a directory's URL, without the slash at its end. */
export function filePath(directory: URL): string {
  const path = decodeURIComponent(directory.pathname).replace(/\/$/, "");
  return Deno.build.os === "windows" ? path.slice(1) : path;
}

function writeFile(path: string, text: string): void {
  Deno.mkdirSync(path.slice(0, path.lastIndexOf("/")), { recursive: true });
  Deno.writeTextFileSync(path, text);
  Deno.utimeSync(path, FILE_TIME, FILE_TIME);
}
