/**
 * Runs one recorded case in the state that is in place, and compares.
 *
 * @module
 */

import type { Case, CaseInput, Json, JsonMap } from "./_cases.ts";
import { CORPUS } from "./_cases.ts";
import { compareResponse, compareRun, compareToolResult } from "./_answers.ts";
import { Daemon, freePort } from "../../scripts/daemon.ts";
import type { Difference } from "./_match.ts";
import { brief } from "./_match.ts";
import { run } from "../../scripts/program.ts";
import { substitute, type Variables } from "./_variables.ts";
import { initialize, request, send } from "./_wire.ts";
import { DRAFT_BODY, type Workspace } from "./_workspace.ts";

type Loose = Readonly<Record<string, unknown>>;

/** Digest of the text that the recording offered as `$WORK/body.md`. */
const RECORDED_DRAFT_DIGEST = "fe67a1b0eb8f6ccb239e1f2de47c3142528e785bd4714cff9943d8b555596ea5";

/** One state in place: its daemon, its session, and what earlier cases returned. */
export class Stage {
  readonly #workspace: Workspace;
  readonly #state: string;
  readonly #versions: Variables;
  readonly #recorded: readonly Case[];
  readonly #port = freePort();
  readonly #otherPorts = [freePort(), freePort()] as const;
  readonly #returned = new Map<string, Loose>();
  #daemon: Daemon | null = null;
  #session: string | null = null;

  constructor(
    workspace: Workspace,
    state: string,
    versions: Variables,
    recorded: readonly Case[],
  ) {
    this.#workspace = workspace;
    this.#state = state;
    this.#versions = versions;
    this.#recorded = recorded;
  }

  /** Starts the state's daemon, once. */
  async daemon(): Promise<Daemon> {
    if (this.#daemon !== null) return this.#daemon;
    const { program, work, home, path } = this.#workspace;
    this.#daemon = await Daemon.start(program, { port: this.#port, cwd: work, home, path });
    this.#session = await initialize(this.#port, this.#daemon.token);
    return this.#daemon;
  }

  /** Stops the daemon when one was started. */
  async close(): Promise<void> {
    await this.#daemon?.stop();
    this.#daemon = null;
  }

  /** Names of the tools that the daemon announces. */
  async toolNames(): Promise<ReadonlySet<string>> {
    const { token } = await this.daemon();
    const message = await request(this.#port, token, this.#session, "tools/list", {});
    const { tools } = message["result"] as { tools: readonly { name: string }[] };
    return new Set(tools.map(({ name }) => name));
  }

  /** Runs a case and answers with the differences, none when it is as expected. */
  async play(test: Case, expectation: JsonMap): Promise<readonly Difference[]> {
    const variables = this.#variables();
    const input = substitute(test.input as unknown as Json, variables) as unknown as CaseInput;
    const expected = substitute(expectation, variables);
    switch (test.kind) {
      case "cli":
        return await this.#playCommand(test, input, expected);
      case "mcp":
        return await this.#playTool(test, input, expected);
      case "http":
        return await this.#playRequest(input, expected);
    }
  }

  #variables(): Variables {
    const { work, home } = this.#workspace;
    const token = this.#daemon?.token ?? "";
    return new Map([
      ...this.#versions,
      ["REPO", this.#workspace.repositoryOf(this.#state)],
      ["WORK", work],
      ["HOME", home],
      ["HOME2", `${home}2`],
      ["CORPUS", CORPUS],
      ["TOKEN", token],
      ["TOKEN_CUT", token.slice(0, -1)],
      ["PORT", String(this.#port)],
      ["PORT1", String(this.#otherPorts[0])],
      ["PORT2", String(this.#otherPorts[1])],
    ]);
  }

  async #playCommand(test: Case, input: CaseInput, expected: JsonMap): Promise<Difference[]> {
    const { program, work, home, path } = this.#workspace;
    const argv = (input.argv ?? []).map((word) =>
      typeof word === "string" ? word : String(this.#returned.get(word.$from)?.[word.key])
    );
    const occupied = Number(argv[argv.indexOf("--port") + 1]) === this.#otherPorts[1];
    using _foreign = occupied ? new Occupant(this.#otherPorts[1]) : null;
    const answer = await run(program, argv, {
      cwd: input.cwd ?? work,
      env: { HOME: home, PATH: path, ...input.env },
    });
    this.#remember(test, answer.stdout);
    return compareRun(await this.#withOwnDraftDigest(expected), answer);
  }

  /** The body offered on the command line is ours, so is its digest. */
  async #withOwnDraftDigest(expected: JsonMap): Promise<JsonMap> {
    const text = JSON.stringify(expected);
    if (!text.includes(RECORDED_DRAFT_DIGEST)) return expected;
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(DRAFT_BODY));
    const hex = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0"));
    return JSON.parse(text.replaceAll(RECORDED_DRAFT_DIGEST, hex.join(""))) as JsonMap;
  }

  async #playTool(test: Case, input: CaseInput, expected: JsonMap): Promise<Difference[]> {
    const { token } = await this.daemon();
    const params = {
      name: input.tool,
      ...(input.arguments === null ? {} : { arguments: input.arguments }),
    };
    const call = () => request(this.#port, token, this.#session, "tools/call", params);
    const message = await call();
    const result = message["result"] as Loose | undefined;
    const structured = result?.["structuredContent"] as Loose | undefined;
    this.#remember(test, JSON.stringify(structured ?? null));
    const found = compareToolResult(expected, message, input.arguments ?? {});
    if (input.tool === "knowledge.search" && structured !== undefined) {
      const results = structured["results"] as readonly unknown[];
      if (structured["count"] !== results.length) {
        found.push({ at: "count", expected: String(results.length), actual: "another number" });
      }
      const again = await call();
      if (JSON.stringify(again) !== JSON.stringify(message)) {
        found.push({ at: "<second run>", expected: "the same bytes", actual: brief(again) });
      }
    }
    return found;
  }

  async #playRequest(input: CaseInput, expected: JsonMap): Promise<Difference[]> {
    await this.daemon();
    const headers = Object.entries(input.headers ?? {}).flatMap(([name, value]) => {
      if (value !== "$SESSION") return [[name, value] as const];
      return this.#session === null ? [] : [[name, this.#session] as const];
    });
    const answer = await send({
      port: this.#port,
      method: input.method ?? "GET",
      path: input.path ?? "/",
      headers: Object.fromEntries(headers),
      body: this.#bodyText(input.body ?? null, expected),
    });
    return compareResponse(expected, answer);
  }

  /** A body recorded by its size alone is a call with one long argument. */
  #bodyText(body: Json, expected: JsonMap): string | null {
    if (body === null) return null;
    if (typeof body !== "string") return JSON.stringify(body);
    const [, size] = /^<(\d+) bytes>$/.exec(body) ?? [];
    if (size === undefined) return body;
    const refused = JSON.stringify(expected).includes('"isError":true');
    const [name, key, rest] = refused
      ? ["knowledge.search", "query", { projectId: "ledger" }] as const
      : ["knowledge.proposeChange", "body", this.#longDraft()] as const;
    const text = (filler: string) =>
      JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name, arguments: { ...rest, [key]: filler } },
      });
    return text("j".repeat(Number(size) - text("").length));
  }

  #longDraft(): JsonMap {
    const drafts = this.#recorded.find(({ name }) => name === "propose/new");
    return { ...drafts?.input.arguments, itemId: "convention.long-body" };
  }

  #remember(test: Case, document: string): void {
    try {
      const value = JSON.parse(document) as unknown;
      if (typeof value === "object" && value !== null) {
        this.#returned.set(test.name, value as Loose);
      }
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
  }
}

/** A foreign program on a port: it accepts connections and never answers. */
class Occupant implements Disposable {
  readonly #listener: Deno.TcpListener;
  readonly #open: Deno.Conn[] = [];

  constructor(port: number) {
    this.#listener = Deno.listen({ hostname: "127.0.0.1", port });
    this.#accept();
  }

  async #accept(): Promise<void> {
    try {
      for await (const connection of this.#listener) this.#open.push(connection);
    } catch (error) {
      if (!(error instanceof Deno.errors.BadResource)) throw error;
    }
  }

  [Symbol.dispose](): void {
    this.#listener.close();
    for (const connection of this.#open) connection.close();
  }
}
