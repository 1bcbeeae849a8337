import { Buffer } from "node:buffer";

/** An answer as it came over the wire. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/**
 * Sends bytes as they are and reads one answer; `fetch` would tidy the target, the `Host` and
 * repeated headers. A client that is cut off reads what arrived until then.
 */
export async function sendRaw(port: number, request: string | Uint8Array): Promise<RawAnswer> {
  const bytes = typeof request === "string" ? latin1(request) : request;
  const connection = await Deno.connect({ hostname: "127.0.0.1", port });
  const writing = (async () => {
    for (let at = 0; at < bytes.length;) at += await connection.write(bytes.subarray(at));
  })().catch(() => {});
  const answer = await readAnswer(connection, bytes[0] === 0x48);
  connection.close();
  await writing;
  return answer;
}

/** One byte a character. */
export function latin1(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

async function readAnswer(connection: Deno.TcpConn, isHead: boolean): Promise<RawAnswer> {
  let text = "";
  const buffer = new Uint8Array(65_536);
  for (;;) {
    const end = text.indexOf("\r\n\r\n");
    if (end >= 0) {
      const headers = readHeaders(text.slice(0, end));
      const length = Number(headers.get("content-length") ?? "0");
      const body = text.slice(end + 4);
      if (isHead || body.length >= length) {
        return { status: Number(text.slice(9, 12)), headers, body: decodeUtf8(body) };
      }
    }
    const read = await connection.read(buffer).catch(() => null);
    if (read === null) {
      return { status: Number(text.slice(9, 12)), headers: new Headers(), body: "" };
    }
    // The runtime's own decoder of this name reads windows-1252, which is not one byte a character.
    text += Buffer.from(buffer.subarray(0, read)).toString("latin1");
  }
}

function readHeaders(head: string): Headers {
  const headers = new Headers();
  for (const line of head.split("\r\n").slice(1)) {
    const [name = "", ...value] = line.split(":");
    headers.append(name, value.join(":").trim());
  }
  return headers;
}

function decodeUtf8(body: string): string {
  return new TextDecoder("utf-8", { fatal: true }).decode(latin1(body));
}
