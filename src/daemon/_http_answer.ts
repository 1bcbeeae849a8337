import type { HttpAnswer } from "./_http_call.ts";

const REASONS: Readonly<Record<number, string>> = {
  200: "OK",
  202: "Accepted",
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  406: "Not Acceptable",
  413: "Content Too Large",
  415: "Unsupported Media Type",
  421: "Misdirected Request",
  431: "Request Header Fields Too Large",
  500: "Internal Server Error",
  501: "Not Implemented",
  503: "Service Unavailable",
  505: "HTTP Version Not Supported",
};

const encoder = new TextEncoder();

/** What may be written to. */
export interface ByteSink {
  write(bytes: Uint8Array): Promise<number>;
}

/** How an answer leaves. */
export interface AnswerForm {
  /** Without the body, as for HEAD. */
  readonly headOnly: boolean;
  /** Says that the connection ends. */
  readonly close: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Sends a whole answer with its length. */
export async function sendAnswer(
  sink: ByteSink,
  { status, headers, body: text }: HttpAnswer,
  { headOnly, close, now }: AnswerForm,
): Promise<void> {
  const body = encoder.encode(text ?? "");
  let head = `HTTP/1.1 ${status} ${REASONS[status] ?? ""}\r\n`;
  for (const name in headers) head += `${name}: ${headers[name]}\r\n`;
  head += `content-length: ${body.length}\r\ndate: ${new Date(now).toUTCString()}\r\n`;
  if (close) head += "connection: close\r\n";
  const opening = encoder.encode(`${head}\r\n`);
  if (headOnly || body.length === 0) return await sendAll(sink, opening);
  const whole = new Uint8Array(opening.length + body.length);
  whole.set(opening);
  whole.set(body, opening.length);
  await sendAll(sink, whole);
}

/** Tells a client that waits that its body is wanted. */
export async function sendContinue(sink: ByteSink): Promise<void> {
  await sendAll(sink, encoder.encode("HTTP/1.1 100 Continue\r\n\r\n"));
}

async function sendAll(sink: ByteSink, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) at += await sink.write(bytes.subarray(at));
}
