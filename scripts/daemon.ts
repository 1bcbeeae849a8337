/**
 * A daemon of the program, with a data directory and a free port of its own.
 *
 * @module
 */

import { type Program, spawn } from "./program.ts";

/** A port that nothing listened on a moment ago. */
export function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}

/** `true` when `/health` of the port answers 200. */
export async function isHealthy(port: number): Promise<boolean> {
  // A plain connection: `fetch` would follow proxy variables.
  try {
    using connection = await Deno.connect({ hostname: "127.0.0.1", port });
    const request = `GET /health HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`;
    await connection.write(new TextEncoder().encode(request));
    const buffer = new Uint8Array(64);
    const count = await connection.read(buffer) ?? 0;
    return new TextDecoder().decode(buffer.subarray(0, count)).startsWith("HTTP/1.1 200");
  } catch (error) {
    const isDown = error instanceof Deno.errors.ConnectionRefused ||
      error instanceof Deno.errors.ConnectionReset;
    if (isDown) return false;
    throw error;
  }
}

/** Starts and ends with its owner. */
export class Daemon {
  readonly port: number;
  readonly token: string;
  readonly #child: Deno.ChildProcess;
  readonly #output: Promise<Deno.CommandOutput>;

  private constructor(
    port: number,
    token: string,
    child: Deno.ChildProcess,
    output: Promise<Deno.CommandOutput>,
  ) {
    this.port = port;
    this.token = token;
    this.#child = child;
    this.#output = output;
  }

  /** Starts a daemon and waits until it is healthy; throws with its stderr when it is not. */
  static async start(
    program: Program,
    options: {
      port: number;
      cwd: string;
      home: string;
      path: string;
      env?: Readonly<Record<string, string>>;
    },
  ): Promise<Daemon> {
    const argv = ["daemon", "start", "--foreground", "--port", String(options.port)];
    const child = spawn(program, argv, {
      cwd: options.cwd,
      env: { ...options.env, HOME: options.home, PATH: options.path },
    });
    const output = child.output();
    let ended = false;
    output.then(() => ended = true);
    const deadline = Date.now() + 30_000;
    while (!(await isHealthy(options.port))) {
      if (ended || Date.now() > deadline) {
        if (!ended) child.kill("SIGKILL");
        const { code, stderr } = await output;
        throw new Error(
          `The daemon did not come up (exit ${code}): ${new TextDecoder().decode(stderr)}`,
        );
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const token = Deno.readTextFileSync(`${options.home}/.theurian/auth/mcp-token`).trim();
    return new Daemon(options.port, token, child, output);
  }

  /** Its process. */
  get pid(): number {
    return this.#child.pid;
  }

  /** Asks it to stop and waits for its end; answers with the exit code and what it logged. */
  async stop(): Promise<{ code: number; stderr: string }> {
    try {
      this.#child.kill("SIGTERM");
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
    }
    const timer = setTimeout(() => this.#child.kill("SIGKILL"), 20_000);
    const { code, stderr } = await this.#output;
    clearTimeout(timer);
    return { code, stderr: new TextDecoder().decode(stderr) };
  }
}
