import { decodeUtf8 } from "../files/mod.ts";
import { TheurianError } from "../errors.ts";
import { yamlRefusal, type YamlSource } from "./_yaml_refusal.ts";

/** Largest YAML document that is read, in bytes of UTF-8 (corpus-and-migrations.md 8.1). */
export const YAML_BYTES = 4_194_304;

// Terminal forgery, and what one reader takes for a line end and another for text.
const REFUSED_STRICT =
  // deno-lint-ignore no-control-regex
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u2028\u2029\ufffe\uffff]|\r(?!\n)/;
const REFUSED_FOREIGN =
  // deno-lint-ignore no-control-regex
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\ufffe\uffff]/;

/**
 * Decodes what is to be parsed: at most 4 MiB, UTF-8, one byte order mark removed, no raw character
 * that must not be there, in comments too. `yaml-too-large` or `yaml-invalid` otherwise.
 */
export function sourceText(
  bytes: Uint8Array,
  name: string,
  mode: "strict" | "foreign",
): YamlSource {
  if (bytes.length > YAML_BYTES) {
    throw new TheurianError(
      "yaml-too-large",
      `Cannot read ${name}: it is larger than ${YAML_BYTES} bytes`,
      { remedy: "Split the document into smaller files", details: { limit: YAML_BYTES } },
    );
  }
  const decoded = decodeUtf8(bytes);
  if (decoded === null) throw encodingRefusal(bytes, name);
  const text = decoded.startsWith("\ufeff") ? decoded.slice(1) : decoded;
  const source = { name, text };
  if (text.startsWith("\ufeff")) {
    throw yamlRefusal(source, "byte-order-mark", "it has a second byte order mark", 0);
  }
  const match = (mode === "strict" ? REFUSED_STRICT : REFUSED_FOREIGN).exec(text);
  if (match !== null) {
    const shown = match[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
    const reason = match[0] === "\r"
      ? "a CR stands there without an LF"
      : `the character U+${shown} may not stand there unescaped`;
    throw yamlRefusal(source, "character", reason, match.index);
  }
  return source;
}

/** Says where the first bytes lie that are no UTF-8. */
function encodingRefusal(bytes: Uint8Array, name: string): TheurianError {
  let valid = 0;
  for (let step = bytes.length; step > 0; step = step >> 1) {
    while (valid + step <= bytes.length && isValidStart(bytes.subarray(0, valid + step))) {
      valid += step;
    }
  }
  const text = new TextDecoder().decode(bytes.subarray(0, valid));
  return yamlRefusal({ name, text }, "encoding", "it is not valid UTF-8", text.length);
}

function isValidStart(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}
