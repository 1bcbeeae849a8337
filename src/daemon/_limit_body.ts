import type { BodyHandler, Handler, HttpCall } from "./_http_call.ts";
import { plainText } from "./_responses.ts";

/** Largest request body: a file of 8 MiB JSON-escaped threefold, and 1 MiB of envelope. */
export const MAX_BODY_BYTES = 26_214_400;

/**
 * Reads the body, at most `limit` bytes of it: a declared length beyond it is refused unread, an
 * undeclared one as soon as the count passes it (413; daemon-and-setup.md 4.1).
 */
export function limitBody(limit: number, inside: BodyHandler): Handler {
  return async (call) => {
    const declared = call.headers.get("content-length");
    const length = declared === null ? null : Number(declared);
    if (length !== null && !(length <= limit)) return tooLarge();
    let body;
    try {
      body = await readAtMost(call, limit, length);
    } catch {
      return plainText(400, "Cannot read the request body");
    }
    return body === null ? tooLarge() : inside(call, body);
  };
}

function tooLarge(): Response {
  return plainText(413, "Request body too large");
}

async function readAtMost(
  call: HttpCall,
  limit: number,
  expected: number | null,
): Promise<Uint8Array | null> {
  if (call.body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of call.body) {
    size += chunk.byteLength;
    if (size > limit) return null;
    if (chunks.length === 0 && size === expected) return chunk;
    chunks.push(chunk);
  }
  const body = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    body.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return body;
}
