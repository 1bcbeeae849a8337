/**
 * The `index.md` of every directory of a bundle (okf.md 3.5).
 *
 * @module
 */

import { conceptPlace, inDirectory, MANIFEST } from "./bundle_paths.ts";
import { escapeLabel } from "./markdown_escapes.ts";
import type { BundleConcept } from "./population.ts";

/** Version of the interchange format. */
export const OKF_VERSION = "0.2";

const BUNDLE_TITLE = "Theurian Bundle";

interface Member {
  readonly title: string;
  /** Link target from the bundle's root, with its first slash. */
  readonly link: string;
}

/** Every index file by its path. */
export function renderIndexes(concepts: readonly BundleConcept[]): ReadonlyMap<string, string> {
  const members = new Map<string, Member[]>([
    ["", [{ title: BUNDLE_TITLE, link: `/${MANIFEST}` }]],
  ]);
  for (const { item, revision } of concepts) {
    const { directory, stem } = conceptPlace(item.itemId);
    addDirectory(members, directory);
    const link = `/${inDirectory(directory, `${stem}.md`)}`;
    members.get(directory)!.push({ title: revision.title, link });
  }
  return new Map(
    [...members].map(([directory, list]) => [
      inDirectory(directory, "index.md"),
      indexText(directory, list),
    ]),
  );
}

/** Lists a new directory in its parent, up to the root. */
function addDirectory(members: Map<string, Member[]>, directory: string): void {
  if (members.has(directory)) return;
  members.set(directory, []);
  const slash = directory.lastIndexOf("/");
  const parent = slash === -1 ? "" : directory.slice(0, slash);
  addDirectory(members, parent);
  members.get(parent)!.push({ title: directory.slice(slash + 1), link: `/${directory}/` });
}

function indexText(directory: string, members: readonly Member[]): string {
  const head = directory === "" ? `---\nokf_version: '${OKF_VERSION}'\n---\n\n` : "";
  const name = directory === "" ? BUNDLE_TITLE : directory.slice(directory.lastIndexOf("/") + 1);
  const lines = [...members]
    .sort((a, b) => a.link < b.link ? -1 : a.link > b.link ? 1 : 0)
    .map(({ title, link }) => `* [${escapeLabel(title)}](${link})\n`);
  return `${head}# ${escapeLabel(name)}\n\n${lines.join("")}`;
}
