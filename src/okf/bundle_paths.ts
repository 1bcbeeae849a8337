/**
 * Where each concept of a bundle lies (okf.md 3.1, 3.6). Paths come from item ids alone, whose
 * alphabet can spell no traversal.
 *
 * @module
 */

/** The manifest, at the root only. */
export const MANIFEST = "theurian-bundle.md";

/** An item's place: directory without a trailing slash (empty at the root), and stem. */
export interface ConceptPlace {
  readonly directory: string;
  readonly stem: string;
}

/** Where the concept of an item lies. A reserved name gets a suffix that no id can hold. */
export function conceptPlace(itemId: string): ConceptPlace {
  const parts = itemId.split(".");
  const leaf = parts.pop()!;
  const reserved = leaf === "index" || leaf === "log" ||
    (leaf === "theurian-bundle" && parts.length === 0);
  return { directory: parts.join("/"), stem: reserved ? `${leaf}_item` : leaf };
}

/** POSIX path of an item's concept, relative to the bundle. */
export function conceptPath(itemId: string): string {
  const { directory, stem } = conceptPlace(itemId);
  return inDirectory(directory, `${stem}.md`);
}

/** A name below a directory of the bundle. */
export function inDirectory(directory: string, name: string): string {
  return directory === "" ? name : `${directory}/${name}`;
}

/** Extension of the file that holds a body which is not Markdown. */
export function sidecarExtension(contentType: string): ".json" | ".yaml" | ".txt" {
  if (contentType === "application/json" || contentType.endsWith("+json")) return ".json";
  const yaml = contentType === "application/yaml" || contentType === "text/x-yaml" ||
    contentType.endsWith("+yaml");
  return yaml ? ".yaml" : ".txt";
}
