import type { Clock } from "../platform/clock.ts";
import { errorKind } from "../platform/errors.ts";
import { ConnectionBytes } from "./_connection_bytes.ts";
import { sendAnswer, sendContinue } from "./_http_answer.ts";
import { RequestBody } from "./_http_body.ts";
import { type Handler, type HttpAnswer, type HttpCall, targetPath } from "./_http_call.ts";
import { HeaderLines, parseHead, type RequestHead } from "./_http_head.ts";
import type { Log } from "./log.ts";
import { plainText } from "./_responses.ts";
import { framesOf } from "./_worker_jobs.ts";

/** How long a client may take, in milliseconds, and how much it may send unasked. */
export interface ConnectionLimits {
  /** Without a byte of a next request. */
  readonly idleMs: number;
  /** From the first byte of a head to its last. */
  readonly headMs: number;
  /** For a whole body. */
  readonly bodyMs: number;
  /** Longest head, in bytes. */
  readonly headBytes: number;
}

/** What a connection is served with. */
export interface ConnectionParts {
  readonly handler: Handler;
  readonly limits: ConnectionLimits;
  readonly log: Log;
  readonly clock: Clock;
}

const HEAD_END = new TextEncoder().encode("\r\n\r\n");
/** After a last answer: how long and how much a client may still send before it is cut off. */
const LINGER_MS = 1000;
const LINGER_BYTES = 4 * 1024 * 1024;

/**
 * One client's connection: one request after the other until either side ends it. A body is asked
 * for only behind the token check, so a client whose body was asked for is known. A stranger gets one
 * answer a connection: the runtime cannot cut off who never takes what is sent, and one answer always
 * fits into what the system buffers.
 */
export class HttpConnection {
  readonly #socket: Deno.TcpConn;
  readonly #bytes: ConnectionBytes;
  readonly #parts: ConnectionParts;
  #deadline = Infinity;
  #answering = false;
  #serving = false;
  #knownSince = 0;
  #closed = false;
  #last = false;

  constructor(socket: Deno.TcpConn, parts: ConnectionParts) {
    this.#socket = socket;
    this.#bytes = new ConnectionBytes(socket);
    this.#parts = parts;
    this.#allow(parts.limits.idleMs);
  }

  /** True while a client that showed the token sends its body or waits for its answer. */
  get serving(): boolean {
    return this.#serving;
  }

  /** When its client last showed the token; 0 when it never did. */
  get knownSince(): number {
    return this.#knownSince;
  }

  /** Closes when the client took too long. */
  closeIfOverdue(): void {
    if (performance.now() > this.#deadline) this.close();
  }

  /** Ends after the answer that is being given, at once when there is none. */
  finish(): void {
    this.#last = true;
    if (!this.#answering) this.close();
  }

  /** Ends at once. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    try {
      this.#socket.close();
    } catch {
      // The other side was faster.
    }
  }

  /** Serves until the end; never rejects. */
  async serve(): Promise<void> {
    try {
      this.#socket.setNoDelay(true);
      while (await this.#answerNext()) this.#answering = this.#serving = false;
      this.#answering = this.#serving = false;
      await this.#linger();
    } catch {
      // The client went away, or was too slow and was cut off.
    } finally {
      this.close();
    }
  }

  /** True when another request may follow. */
  async #answerNext(): Promise<boolean> {
    const { limits } = this.#parts;
    this.#allow(limits.idleMs);
    if (!await this.#bytes.wait()) return false;
    this.#allow(limits.headMs);
    this.#bytes.skipEmptyLine();
    const bytes = await this.#bytes.takeUntil(HEAD_END, limits.headBytes);
    if (bytes === null) return false;
    this.#answering = true;
    const head = bytes === "too-long" ? UNREAD : parseHead(bytes);
    if (typeof head === "number") {
      await this.#send(plainText(head, ""), false, false);
      return false;
    }
    const { method, headers } = head;
    const body = this.#bodyOf(head);
    const answer = await this.#ask({ method, path: targetPath(head.target), headers, body });
    const stays = head.keepAlive && !this.#last && body.begun && body.ended;
    await this.#send(answer, method === "HEAD", stays);
    return stays && !this.#last;
  }

  #bodyOf(head: RequestHead): RequestBody {
    const begin = async () => {
      this.#serving = true;
      this.#knownSince = performance.now();
      this.#allow(this.#parts.limits.bodyMs);
      if (head.awaitsContinue && !this.#bytes.hasPending) await sendContinue(this.#socket);
    };
    // No limit while we are the ones who work.
    const end = () => void (this.#deadline = Infinity);
    return new RequestBody(this.#bytes, head.framing, { begin, end });
  }

  async #ask(call: HttpCall): Promise<HttpAnswer> {
    try {
      return await this.#parts.handler(call);
    } catch (error) {
      this.#parts.log("error", "request-defect", `${errorKind(error)} ${framesOf(error)}`.trim());
      return plainText(500, "Internal error");
    }
  }

  async #send(answer: HttpAnswer, headOnly: boolean, stays: boolean): Promise<void> {
    this.#deadline = Infinity;
    const form = { headOnly, close: !stays, now: this.#parts.clock.now() };
    await sendAnswer(this.#socket, answer, form);
  }

  /** Lets a client that still sends read the answer: a reset would take it away. */
  async #linger(): Promise<void> {
    this.#allow(LINGER_MS);
    await this.#socket.closeWrite();
    for (let count = 0; count < LINGER_BYTES;) {
      const some = await this.#bytes.takeSome(LINGER_BYTES);
      if (some === null) return;
      count += some.length;
    }
  }

  #allow(milliseconds: number): void {
    this.#deadline = performance.now() + milliseconds;
  }
}

/** A head that is longer than anybody needs: nothing of it counts, so it holds no token either. */
const UNREAD: RequestHead = {
  method: "GET",
  target: "",
  headers: new HeaderLines(),
  framing: { kind: "none" },
  keepAlive: false,
  awaitsContinue: false,
};
