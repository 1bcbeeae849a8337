import { gunzipSync } from "node:zlib";

/** Parsed lines of `tests/fixtures/<name>.jsonl.gz` behind its header. */
export function goldenLines<Line>(name: string): Line[] {
  const url = new URL(`../fixtures/${name}.jsonl.gz`, import.meta.url);
  const text = new TextDecoder().decode(gunzipSync(Deno.readFileSync(url)));
  return text.trimEnd().split("\n").slice(1).map((line) => JSON.parse(line) as Line);
}

/** The header of `tests/fixtures/<name>.jsonl.gz`. */
export function goldenHeader<Header>(name: string): Header {
  const url = new URL(`../fixtures/${name}.jsonl.gz`, import.meta.url);
  const text = new TextDecoder().decode(gunzipSync(Deno.readFileSync(url)));
  return JSON.parse(text.slice(0, text.indexOf("\n"))) as Header;
}

/** The UTF-8 text behind a base64 value; a BOM stays. */
export function decodeBase64Text(base64: string): string {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}
