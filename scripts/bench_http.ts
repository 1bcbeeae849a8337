/**
 * A client as thin as can be: one kept-alive connection, no library between the socket and the clock.
 * Understands plain JSON and event-stream answers, with or without sessions.
 *
 * @module
 */

/** What came back. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

const ENCODER = new TextEncoder();
const DECODER = new TextDecoder();

/** One connection. Asks one thing at a time. */
export class HttpConnection {
  readonly #port: number;
  readonly #connection: Deno.TcpConn;
  #pending = new Uint8Array(0);

  private constructor(port: number, connection: Deno.TcpConn) {
    this.#port = port;
    this.#connection = connection;
  }

  /** Connects to a port of this machine. */
  static async open(port: number): Promise<HttpConnection> {
    const connection = await Deno.connect({ hostname: "127.0.0.1", port });
    connection.setNoDelay(true);
    return new HttpConnection(port, connection);
  }

  /** Sends a request and waits for the whole answer. */
  async ask(
    method: string,
    path: string,
    headers: string,
    body: string | Uint8Array = "",
  ): Promise<HttpAnswer> {
    const content = typeof body === "string" ? ENCODER.encode(body) : body;
    const head = `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1:${this.#port}\r\n${headers}` +
      (method === "POST" ? `Content-Length: ${content.length}\r\n\r\n` : "\r\n");
    await this.#send(ENCODER.encode(head), content);
    return await this.#receive();
  }

  close(): void {
    this.#connection.close();
  }

  async #send(head: Uint8Array, content: Uint8Array): Promise<void> {
    const bytes = new Uint8Array(head.length + content.length);
    bytes.set(head);
    bytes.set(content, head.length);
    for (let sent = 0; sent < bytes.length;) {
      sent += await this.#connection.write(bytes.subarray(sent));
    }
  }

  async #receive(): Promise<HttpAnswer> {
    const [first, ...lines] = (await this.#until("\r\n\r\n")).split("\r\n");
    const headers = new Map(lines.map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }));
    const body = headers.get("transfer-encoding") === "chunked"
      ? await this.#chunks()
      : await this.#take(Number(headers.get("content-length") ?? 0));
    return { status: Number(first!.split(" ")[1]), headers, body: DECODER.decode(body) };
  }

  async #chunks(): Promise<Uint8Array> {
    const parts: Uint8Array[] = [];
    for (;;) {
      const length = parseInt(await this.#until("\r\n"), 16);
      if (length > 0) parts.push(await this.#take(length));
      await this.#until("\r\n");
      if (length === 0) return joined(parts);
    }
  }

  /** The text up to a mark, which is taken too. */
  async #until(mark: string): Promise<string> {
    for (;;) {
      const text = DECODER.decode(this.#pending.subarray(0, 16_384));
      const at = text.indexOf(mark);
      if (at >= 0) {
        this.#pending = this.#pending.subarray(at + mark.length);
        return text.slice(0, at);
      }
      await this.#more();
    }
  }

  async #take(count: number): Promise<Uint8Array> {
    while (this.#pending.length < count) await this.#more();
    const taken = this.#pending.slice(0, count);
    this.#pending = this.#pending.subarray(count);
    return taken;
  }

  async #more(): Promise<void> {
    const buffer = new Uint8Array(65_536);
    const count = await this.#connection.read(buffer);
    if (count === null) throw new Error("The server closed the connection");
    this.#pending = joined([this.#pending, buffer.subarray(0, count)]);
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** A client of the handshake family on a connection of its own. */
export class McpConnection {
  readonly #http: HttpConnection;
  #headers: string;
  #id = 0;

  private constructor(http: HttpConnection, token: string) {
    this.#http = http;
    this.#headers = `Authorization: Bearer ${token}\r\nContent-Type: application/json\r\n` +
      "Accept: application/json, text/event-stream\r\n";
  }

  /** Connects and shakes hands. */
  static async open(port: number, token: string): Promise<McpConnection> {
    const client = new McpConnection(await HttpConnection.open(port), token);
    await client.#shakeHands();
    return client;
  }

  /** Calls a tool; answers the structured result. Throws on a refusal. */
  async call(name: string, input: Record<string, unknown>): Promise<Record<string, unknown>> {
    const result = await this.#request("tools/call", { name, arguments: input });
    if (result["isError"] === true) throw new Error(`${name} refused: ${JSON.stringify(result)}`);
    return result["structuredContent"] as Record<string, unknown>;
  }

  /** Calls a tool and answers the milliseconds from sending to the last byte, unparsed. */
  async time(name: string, input: Record<string, unknown>): Promise<number> {
    const message = this.#message("tools/call", { name, arguments: input });
    const begun = performance.now();
    const { status, body } = await this.#http.ask("POST", "/mcp", this.#headers, message);
    const elapsed = performance.now() - begun;
    if (status !== 200 || /"isError": ?true/.test(body)) throw new Error(`${name}: ${body}`);
    return elapsed;
  }

  close(): void {
    this.#http.close();
  }

  async #shakeHands(): Promise<void> {
    const message = this.#message("initialize", {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "bench", version: "1.0.0" },
    });
    const { status, headers } = await this.#http.ask("POST", "/mcp", this.#headers, message);
    if (status !== 200) throw new Error(`initialize answered ${status}`);
    const session = headers.get("mcp-session-id");
    if (session !== undefined) this.#headers += `Mcp-Session-Id: ${session}\r\n`;
    this.#headers += "MCP-Protocol-Version: 2025-06-18\r\n";
    const ready = JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" });
    const answer = await this.#http.ask("POST", "/mcp", this.#headers, ready);
    if (answer.status >= 400) throw new Error(`initialized answered ${answer.status}`);
  }

  async #request(
    method: string,
    params: Record<string, unknown>,
  ): Promise<Record<string, unknown>> {
    const message = this.#message(method, params);
    const { status, headers, body } = await this.#http.ask("POST", "/mcp", this.#headers, message);
    if (status !== 200) throw new Error(`${method} answered ${status}: ${body}`);
    const isStream = headers.get("content-type")?.startsWith("text/event-stream") === true;
    const text = isStream ? /^data: ?(\{.*)$/m.exec(body)![1]! : body;
    return JSON.parse(text).result;
  }

  #message(method: string, params: Record<string, unknown>): string {
    return JSON.stringify({ jsonrpc: "2.0", id: ++this.#id, method, params });
  }
}
