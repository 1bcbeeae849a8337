/**
 * A Git repository, a home and a data directory of their own, gone after the test.
 *
 * @module
 */

import { dirname, join } from "node:path";

/** Where a test works. */
export interface TemporaryRepository extends Disposable {
  /** Folder that holds everything, with links resolved. */
  readonly folder: string;
  /** Working-tree root. */
  readonly root: string;
  readonly dataDirectory: string;
  /** Environment of a command line run in-process. */
  readonly environment: { readonly HOME: string; readonly THEURIAN_DATA_DIR: string };
  /** Runs Git in the root and answers its output. */
  git(...args: string[]): string;
  /** Writes a file below the root, with its directories. */
  write(path: string, text: string | Uint8Array): void;
  read(path: string): string;
  /** Commits everything. */
  commit(message?: string): void;
}

/** Makes a repository named `name` with one empty commit. */
export function temporaryRepository(name = "demo"): TemporaryRepository {
  const folder = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "theurian-" }));
  const root = join(folder, name);
  Deno.mkdirSync(root);
  const git = (...args: string[]) => {
    const { code, stdout, stderr } = new Deno.Command("git", {
      args,
      cwd: root,
      env: {
        HOME: folder,
        GIT_CONFIG_NOSYSTEM: "1",
        GIT_AUTHOR_NAME: "Ada Vale",
        GIT_AUTHOR_EMAIL: "ada@example.org",
        GIT_COMMITTER_NAME: "Ada Vale",
        GIT_COMMITTER_EMAIL: "ada@example.org",
      },
    }).outputSync();
    if (code !== 0) throw new Error(new TextDecoder().decode(stderr));
    return new TextDecoder().decode(stdout);
  };
  git("init", "-q", "-b", "main");
  git("commit", "-q", "--allow-empty", "-m", "Begin");
  const dataDirectory = join(folder, "data");
  return {
    folder,
    root,
    dataDirectory,
    environment: { HOME: folder, THEURIAN_DATA_DIR: dataDirectory },
    git,
    write(path, text) {
      const file = join(root, path);
      Deno.mkdirSync(dirname(file), { recursive: true });
      if (typeof text === "string") Deno.writeTextFileSync(file, text);
      else Deno.writeFileSync(file, text);
    },
    read: (path) => Deno.readTextFileSync(join(root, path)),
    commit(message = "Change") {
      git("add", "-A");
      git("commit", "-q", "--allow-empty", "-m", message);
    },
    [Symbol.dispose]: () => Deno.removeSync(folder, { recursive: true }),
  };
}
