import { decodeUtf8 } from "../platform/files/mod.ts";
import { sha256Hex } from "../platform/hash.ts";
import { type DocumentAnchor, DocumentFault, type ParsedDocument } from "./document.ts";
import { parseData } from "./parse_data.ts";
import { parseMarkdown } from "./parse_markdown.ts";

const EXTENSIONS: Readonly<Record<string, "markdown" | "yaml" | "json">> = {
  md: "markdown",
  markdown: "markdown",
  yaml: "yaml",
  yml: "yaml",
  json: "json",
};

/** Media type that a file's name promises; `null` when no parser takes it. */
export function mediaTypeOfName(path: string): string | null {
  const extension = extensionOf(path);
  if (extension === null) return null;
  return extension === "markdown" ? "text/markdown" : `application/${extension}`;
}

/**
 * Parses one source by its name and content. Throws {@linkcode DocumentFault} when it is not UTF-8,
 * is malformed, or has a name that no parser takes.
 */
export function parseSource(bytes: Uint8Array, anchor: DocumentAnchor): ParsedDocument {
  const path = anchor.filePath;
  const extension = extensionOf(path);
  if (extension === null) throw new DocumentFault("No parser takes a file of this name");
  const text = decodeUtf8(bytes);
  if (text === null) throw new DocumentFault("It is not valid UTF-8");
  const content = extension === "markdown"
    ? parseMarkdown(text, path)
    : parseData(text, bytes, extension, path.slice(path.lastIndexOf("/") + 1));
  return { ...content, contentHash: sha256Hex(content.body), anchor };
}

function extensionOf(path: string): "markdown" | "yaml" | "json" | null {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  const extension = dot <= 0 ? "" : name.slice(dot + 1).toLowerCase();
  return Object.hasOwn(EXTENSIONS, extension) ? EXTENSIONS[extension]! : null;
}
