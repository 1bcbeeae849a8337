/**
 * HTTP over a plain socket, so that every header is exactly what a case says, and an MCP client of
 * the 2025 revisions on top of it.
 *
 * @module
 */

/** A request as written to the socket. */
export interface WireRequest {
  readonly port: number;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** The answer as read from the socket. */
export interface WireResponse {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

const encoder = new TextEncoder();

/** Sends one request and reads one answer; an endless stream is cut after `quietMs` of silence. */
export async function send(request: WireRequest, quietMs = 15_000): Promise<WireResponse> {
  using connection = await Deno.connect({ hostname: "127.0.0.1", port: request.port });
  const names = new Set(Object.keys(request.headers).map((name) => name.toLowerCase()));
  const lines = [`${request.method} ${request.path} HTTP/1.1`];
  if (!names.has("host")) lines.push(`Host: 127.0.0.1:${request.port}`);
  for (const [name, value] of Object.entries(request.headers)) lines.push(`${name}: ${value}`);
  const body = request.body === null ? null : encoder.encode(request.body);
  if (body !== null) lines.push(`Content-Length: ${body.length}`);
  lines.push("Connection: close", "", "");
  const writing = writeAll(connection, encoder.encode(lines.join("\r\n")), body);
  const received = await readAll(connection, request.method === "HEAD", quietMs);
  // A server may answer before it has read everything; the answer counts, not our broken pipe.
  await writing.catch(() => undefined);
  return parseResponse(received);
}

async function writeAll(
  connection: Deno.Conn,
  head: Uint8Array,
  body: Uint8Array | null,
): Promise<void> {
  const writer = connection.writable.getWriter();
  await writer.write(head);
  if (body !== null) await writer.write(body);
  writer.releaseLock();
}

async function readAll(
  connection: Deno.Conn,
  headOnly: boolean,
  quietMs: number,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  const buffer = new Uint8Array(65_536);
  let wait = quietMs;
  while (true) {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const silence = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), wait);
    });
    const count = await Promise.race([connection.read(buffer).catch(() => null), silence]);
    clearTimeout(timer);
    if (count === null) break;
    parts.push(buffer.slice(0, count));
    const all = concatenate(parts);
    if (isComplete(all, headOnly)) return all;
    if (isEventStream(all)) wait = 400;
  }
  return concatenate(parts);
}

function concatenate(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    all.set(part, offset);
    offset += part.length;
  }
  return all;
}

/** Bytes as text, one character a byte, so that lengths are byte lengths. */
function asLatin(bytes: Uint8Array): string {
  return new TextDecoder("latin1").decode(bytes);
}

function isEventStream(bytes: Uint8Array): boolean {
  return /content-type: text\/event-stream/i.test(asLatin(bytes.subarray(0, 4096)));
}

function isComplete(bytes: Uint8Array, headOnly: boolean): boolean {
  const text = asLatin(bytes);
  const end = text.indexOf("\r\n\r\n");
  if (end < 0) return false;
  const head = text.slice(0, end);
  if (headOnly || /^HTTP\/1\.1 (204|304)/.test(head)) return true;
  const length = /\r\ncontent-length: (\d+)/i.exec(head);
  if (length !== null) return bytes.length >= end + 4 + Number(length[1]);
  return /\r\ntransfer-encoding: chunked/i.test(head) && text.endsWith("\r\n0\r\n\r\n");
}

function parseResponse(bytes: Uint8Array): WireResponse {
  const text = asLatin(bytes);
  const end = text.indexOf("\r\n\r\n");
  if (end < 0) throw new Error(`No HTTP answer, only ${bytes.length} bytes`);
  const [statusLine = "", ...rows] = text.slice(0, end).split("\r\n");
  const headers = new Map(rows.map((row) => {
    const colon = row.indexOf(":");
    return [row.slice(0, colon).toLowerCase(), row.slice(colon + 1).trim()] as const;
  }));
  const raw = bytes.subarray(end + 4);
  const chunked = headers.get("transfer-encoding")?.toLowerCase() === "chunked";
  const body = new TextDecoder().decode(chunked ? joinChunks(raw) : raw);
  return { status: Number(statusLine.split(" ")[1]), headers, body };
}

function joinChunks(raw: Uint8Array): Uint8Array {
  const text = asLatin(raw);
  const parts: Uint8Array[] = [];
  let at = 0;
  while (at < text.length) {
    const line = text.indexOf("\r\n", at);
    if (line < 0) break;
    const size = parseInt(text.slice(at, line), 16);
    if (!(size > 0)) break;
    parts.push(raw.subarray(line + 2, line + 2 + size));
    at = line + 2 + size + 2;
  }
  return concatenate(parts);
}

/** The messages of an answer: one for JSON, any number for an event stream. */
export function messagesOf(response: WireResponse): readonly unknown[] {
  if (response.headers.get("content-type")?.startsWith("text/event-stream") !== true) {
    return [JSON.parse(response.body)];
  }
  return response.body.split(/\r?\n\r?\n/).flatMap((event) => {
    const data = event.split(/\r?\n/).filter((line) => line.startsWith("data:"))
      .map((line) => line.slice(5).trim()).join("\n");
    return data === "" ? [] : [JSON.parse(data) as unknown];
  });
}

/** Headers of an MCP request with a token. */
export function mcpHeaders(token: string, session: string | null): Record<string, string> {
  return {
    "Content-Type": "application/json",
    "Accept": "application/json, text/event-stream",
    "Authorization": `Bearer ${token}`,
    "MCP-Protocol-Version": "2025-06-18",
    ...(session === null ? {} : { "Mcp-Session-Id": session }),
  };
}

/** Opens a session in the sense of the 2025 revisions; a stateless server gives none. */
export async function initialize(port: number, token: string): Promise<string | null> {
  const { "MCP-Protocol-Version": _version, ...headers } = mcpHeaders(token, null);
  const opened = await send({
    port,
    method: "POST",
    path: "/mcp",
    headers,
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 0,
      method: "initialize",
      params: {
        protocolVersion: "2025-06-18",
        capabilities: {},
        clientInfo: { name: "journey", version: "1" },
      },
    }),
  });
  if (opened.status !== 200) throw new Error(`initialize was answered ${opened.status}`);
  const session = opened.headers.get("mcp-session-id") ?? null;
  await send({
    port,
    method: "POST",
    path: "/mcp",
    headers: mcpHeaders(token, session),
    body: JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }),
  });
  return session;
}

/** One JSON-RPC request; answers with the message. */
export async function request(
  port: number,
  token: string,
  session: string | null,
  method: string,
  params: unknown,
): Promise<Readonly<Record<string, unknown>>> {
  const answer = await send({
    port,
    method: "POST",
    path: "/mcp",
    headers: mcpHeaders(token, session),
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  const [message] = messagesOf(answer);
  return message as Readonly<Record<string, unknown>>;
}
