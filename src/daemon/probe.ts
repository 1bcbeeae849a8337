import type { HealthFacts } from "./health.ts";

/** Longest probe, connect and read together, in milliseconds. */
export const PROBE_MS = 2000;

/** Largest answer that is read, in bytes. */
const ANSWER_BYTES = 65_536;

/** Longest text of an answer that is believed; the longest path is as long. */
const LONGEST_TEXT = 4096;

/** What a Theurian said at `/health`; whose it is, is for the caller to judge. */
export type HealthAnswer = Pick<HealthFacts, "status" | "protocolVersion"> & {
  readonly version: string | null;
  readonly dataDir: string;
  readonly implementation: string | null;
};

/** What stands at a port of this machine. */
export type Probe =
  /** Nothing listens. */
  | { readonly kind: "free" }
  /** Something listens that did not answer as a Theurian. */
  | { readonly kind: "foreign" }
  | { readonly kind: "theurian"; readonly health: HealthAnswer };

/**
 * Asks `/health` of a port over a plain connection: no proxy, no redirect, one deadline, a bounded
 * answer (daemon-and-setup.md 3.4).
 */
export async function probePort(port: number, limitMs: number = PROBE_MS): Promise<Probe> {
  const deadline = performance.now() + limitMs;
  const connection = await connect(port, limitMs);
  if (connection === null) return { kind: "free" };
  if (connection === "silent") return { kind: "foreign" };
  const expiry = setTimeout(() => close(connection), Math.max(deadline - performance.now(), 1));
  try {
    const request = `GET /health HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n` +
      "Accept: application/json\r\nConnection: close\r\n\r\n";
    await writeAll(connection, new TextEncoder().encode(request));
    const health = readAnswer(await readAnswerBytes(connection));
    return health === null ? { kind: "foreign" } : { kind: "theurian", health };
  } catch {
    return { kind: "foreign" };
  } finally {
    clearTimeout(expiry);
    close(connection);
  }
}

/** The answer of a Theurian at the port, or `null`. */
export async function probeHealth(port: number): Promise<HealthAnswer | null> {
  const probe = await probePort(port);
  return probe.kind === "theurian" ? probe.health : null;
}

async function connect(port: number, limitMs: number): Promise<Deno.TcpConn | "silent" | null> {
  const connecting = Deno.connect({ hostname: "127.0.0.1", port });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const giveUp = new Promise<"silent">((resolve) => {
    timer = setTimeout(() => resolve("silent"), limitMs);
  });
  try {
    const first = await Promise.race([connecting, giveUp]);
    if (first === "silent") connecting.then(close, () => {});
    return first;
  } catch (error) {
    if (error instanceof Deno.errors.ConnectionRefused) return null;
    return "silent";
  } finally {
    clearTimeout(timer);
  }
}

async function writeAll(connection: Deno.TcpConn, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) at += await connection.write(bytes.subarray(at));
}

async function readAnswerBytes(connection: Deno.TcpConn): Promise<Uint8Array> {
  const buffer = new Uint8Array(ANSWER_BYTES);
  let size = 0;
  while (size < buffer.length) {
    const read = await connection.read(buffer.subarray(size));
    if (read === null) break;
    size += read;
  }
  return buffer.subarray(0, size);
}

/** Reads a whole HTTP answer; `null` unless it is a Theurian's health. */
export function readAnswer(bytes: Uint8Array): HealthAnswer | null {
  const text = new TextDecoder().decode(bytes);
  const end = text.indexOf("\r\n\r\n");
  if (end < 0) return null;
  const head = text.slice(0, end);
  if (!/^HTTP\/1\.[01] 200(?: |\r|$)/.test(head)) return null;
  const body = text.slice(end + 4);
  return readHealth(/^transfer-encoding: *chunked *$/im.test(head) ? unchunked(body) : body);
}

// Our own daemon declares lengths; the peer's server may send chunks. Sizes count bytes, and a
// health answer is ASCII in every implementation.
function unchunked(body: string): string {
  let whole = "";
  for (let rest = body; rest !== "";) {
    const size = /^([0-9a-f]{1,6})(?:;[^\r]*)?\r\n/i.exec(rest);
    if (size === null || parseInt(size[1]!, 16) === 0) break;
    const start = size[0].length;
    const length = parseInt(size[1]!, 16);
    whole += rest.slice(start, start + length);
    rest = rest.slice(start + length + 2);
  }
  return whole;
}

function readHealth(body: string): HealthAnswer | null {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return null;
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  const said = value as Record<string, unknown>;
  const text = (key: string) => {
    const word = said[key];
    return typeof word === "string" && word.length <= LONGEST_TEXT ? word : null;
  };
  const protocolVersion = text("protocolVersion");
  if (said["status"] !== "ok" || protocolVersion === null) return null;
  return {
    status: "ok",
    protocolVersion,
    version: text("version"),
    dataDir: text("dataDir") ?? "",
    implementation: text("implementation"),
  };
}

function close(connection: Deno.TcpConn): void {
  try {
    connection.close();
  } catch {
    // Closed by the deadline already.
  }
}
