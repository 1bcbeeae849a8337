import { Gate, type Permit } from "./_gate.ts";
import type { BodyHandler, Handler, HttpAnswer, HttpCall } from "./_http_call.ts";
import { plainText } from "./_responses.ts";

/** Largest request body: a file of 8 MiB JSON-escaped threefold, and 1 MiB of envelope. */
export const MAX_BODY_BYTES = 26_214_400;

/** A body beyond this size is held by few calls at a time; the others wait to be read. */
const LARGE_BODY_BYTES = 1 << 20;

/** Two large bodies at a time keep the process small, whoever sends a hundred. */
const LARGE_BODIES = { permits: 2, waitMs: 50_000, holdMs: Infinity, forgettable: 0 };

/** What reading a body came to. */
type Reading = Uint8Array | "too-large" | "too-many";

/**
 * Reads the body, at most `limit` bytes of it: a declared length beyond it is refused unread, an
 * undeclared one as soon as the count passes it (413; daemon-and-setup.md 4.1). Large bodies are
 * read and answered a few at a time.
 */
export function limitBody(
  limit: number,
  inside: BodyHandler,
  gate: Gate = new Gate(LARGE_BODIES),
): Handler {
  return async (call) => {
    const declared = call.headers.get("content-length");
    const length = declared === null ? null : Number(declared);
    if (length !== null && !(length <= limit)) return tooLarge();
    let permit: Permit | null = null;
    const admit = async () => (permit = await gate.acquire()) !== null;
    try {
      const body = await readAtMost(call, limit, length, admit).catch(() => null);
      if (body === null) return plainText(400, "Cannot read the request body");
      if (body === "too-large") return tooLarge();
      if (body === "too-many") return plainText(503, "Too many large requests at once");
      return await inside(call, body);
    } finally {
      (permit as Permit | null)?.release();
    }
  };
}

function tooLarge(): HttpAnswer {
  return plainText(413, "Request body too large");
}

async function readAtMost(
  call: HttpCall,
  limit: number,
  expected: number | null,
  admitLarge: () => Promise<boolean>,
): Promise<Reading> {
  if (call.body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  let isLarge = false;
  for await (const chunk of call.body) {
    size += chunk.byteLength;
    if (size > limit) return "too-large";
    if (!isLarge && Math.max(size, expected ?? 0) > LARGE_BODY_BYTES) {
      isLarge = true;
      if (!await admitLarge()) return "too-many";
    }
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
