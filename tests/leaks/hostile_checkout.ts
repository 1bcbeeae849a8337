/**
 * Checkouts that want more than to be read: links that lead out, programs under familiar names, Git
 * settings and attributes that start something.
 *
 * @module
 */

import { join } from "node:path";
import { testUlid, writeMigration } from "../support/corpus.ts";
import type { ServedProject } from "../support/served_project.ts";

/** What lies outside and is nobody's business. */
export interface Outside {
  readonly folder: string;
  /** A file that must never be opened. */
  readonly secret: string;
  /** A program that leaves a mark; its mark must never appear. */
  readonly program: string;
  readonly mark: string;
}

/** Puts a secret and a program that marks its start beside the checkout. */
export function newOutside({ repository }: ServedProject): Outside {
  const folder = join(repository.folder, "outside");
  Deno.mkdirSync(join(folder, "folder"), { recursive: true });
  const [secret, program, mark] = ["secret.md", "program", "mark"].map((name) =>
    join(folder, name)
  );
  Deno.writeTextFileSync(secret!, "# Secret\n\nNobody reads the axolotl.\n");
  Deno.writeTextFileSync(join(folder, "folder/secret.json"), "{}");
  Deno.writeTextFileSync(program!, `#!/bin/sh\necho "$0 $*" >> '${mark}'\ncat\n`, { mode: 0o755 });
  return { folder, secret: secret!, program: program!, mark: mark! };
}

/** A way in which a checkout is hostile. */
export interface Hostility {
  readonly name: string;
  /** The search path, where it is part of the trap. */
  readonly path?: string;
  readonly plant: (served: ServedProject, outside: Outside) => void;
}

/** A link in the place of whatever is there. */
function link(served: ServedProject, target: string, path: string): void {
  const whole = join(served.root, path);
  Deno.mkdirSync(join(whole, ".."), { recursive: true });
  try {
    Deno.removeSync(whole, { recursive: true });
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  Deno.symlinkSync(target, whole);
}

const NAMES = ["git", "gh", "sh", "bash", "claude", "systemctl", "journalctl", "theurian", "less"];

function plantPrograms(served: ServedProject, { program }: Outside): void {
  for (const name of NAMES) {
    for (const place of ["", ".theurian/", "bin/", "node_modules/.bin/"]) {
      Deno.mkdirSync(join(served.root, place), { recursive: true });
      Deno.copyFileSync(program, join(served.root, place, name));
    }
  }
}

/** All of them. */
export const HOSTILITIES: readonly Hostility[] = [
  {
    name: "links to files outside, wherever a file is read",
    plant: (served, { secret }) => {
      for (
        const path of [
          ".theurian/knowledge/link.md",
          `.theurian/migrations/${testUlid("MG", 9)}-x.yaml`,
          `.theurian/proposals/${testUlid("PR", 1)}/evidence.json`,
          `.theurian/proposals/${testUlid("PR", 1)}/knowledge/a.md`,
          ".theurian/review/sha256-x/pull-request/1.json",
          "docs/link.md",
          "AGENTS.md",
        ]
      ) link(served, secret, path);
    },
  },
  {
    name: "folders outside in the place of ours",
    plant: (served, { folder }) => {
      for (const name of ["proposals", "proposals-local", "review", "runtime", "cache"]) {
        link(served, join(folder, "folder"), `.theurian/${name}`);
      }
      link(served, join(folder, "folder"), "docs");
    },
  },
  {
    name: "a state outside",
    plant: (served, { folder }) => link(served, join(folder, "folder"), ".theurian/state"),
  },
  {
    name: "the whole folder outside",
    plant: (served, { folder }) => link(served, join(folder, "folder"), ".theurian"),
  },
  {
    name: "programs under familiar names in the checkout",
    plant: plantPrograms,
  },
  {
    name: "programs in the checkout that the search path finds first",
    path: ".::bin:/usr/local/bin:/usr/bin:/bin",
    plant: plantPrograms,
  },
  {
    name: "Git settings that start something",
    plant: (served, { program }) => {
      const { repository } = served;
      const settings = {
        "core.fsmonitor": program,
        "core.hooksPath": join(program, ".."),
        "core.pager": program,
        "core.editor": program,
        "core.sshCommand": program,
        "core.askPass": program,
        "core.gitProxy": program,
        "diff.external": program,
        "diff.x.command": program,
        "diff.x.textconv": program,
        "merge.x.driver": program,
        "credential.helper": `!${program}`,
        "gpg.program": program,
        "alias.rev-parse": `!${program}`,
        "alias.ls-tree": `!${program}`,
        "pager.log": program,
        "log.showSignature": "true",
        "remote.origin.url": "ext::sh -c 'exit 1'",
        "remote.origin.promisor": "true",
        "remote.origin.partialclonefilter": "blob:none",
        "extensions.partialClone": "origin",
        "protocol.ext.allow": "always",
        "uploadpack.packObjectsHook": program,
        "submodule.recurse": "true",
      };
      for (const [key, value] of Object.entries(settings)) repository.git("config", key, value);
      repository.write(".gitattributes", "* diff=x merge=x\n");
      for (
        const hook of ["post-checkout", "post-index-change", "pre-commit", "fsmonitor-watchman"]
      ) {
        repository.write(`.git/hooks/${hook}`, `#!/bin/sh\nexec '${program}' ${hook}\n`);
        Deno.chmodSync(join(served.root, ".git/hooks", hook), 0o755);
      }
    },
  },
  {
    name: "migrations that point everywhere",
    plant: (served, { secret }) => {
      const { repository } = served;
      writeMigration(repository, 5, [{ itemId: "evil.page" }]);
      const path = `.theurian/migrations/${testUlid("MG", 5)}-test.yaml`;
      const text = repository.read(path);
      for (const [n, target] of ["../../../outside/secret.md", secret, "/etc/passwd"].entries()) {
        const id = testUlid("MG", 6 + n);
        repository.write(
          `.theurian/migrations/${id}-test.yaml`,
          text.replaceAll(testUlid("MG", 5), id)
            .replace(/contentFile: .*/, `contentFile: ${JSON.stringify(target)}`),
        );
      }
    },
  },
];
