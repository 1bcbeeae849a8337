/**
 * The daemon: how soon it is there, what it costs, how fast it answers.
 *
 * @module
 */

import type { BenchQuery } from "./bench_corpus.ts";
import { McpConnection } from "./bench_http.ts";
import { processorMsOf } from "./bench_processor.ts";
import { type Measure, quantile, type SideName } from "./bench_samples.ts";
import { type Bench, interleaved, type Side } from "./bench_side.ts";
import { freePort, isHealthy } from "./daemon.ts";

/** A daemon that runs. */
export interface Running {
  readonly side: Side;
  readonly port: number;
  readonly token: string;
  readonly child: Deno.ChildProcess;
  readonly healthyAfterMs: number;
}

/** Starts a daemon and waits for its health answer. */
export async function startDaemon(side: Side): Promise<Running> {
  const port = freePort();
  const begun = performance.now();
  const child = side.start("daemon", "start", "--foreground", "--port", String(port));
  child.stdout.pipeTo(new WritableStream()).catch(() => {});
  child.stderr.pipeTo(new WritableStream()).catch(() => {});
  while (!(await isHealthy(port))) {
    if (performance.now() - begun > 60_000) throw new Error(`${side.name}: no daemon in a minute`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  const healthyAfterMs = performance.now() - begun;
  const token = Deno.readTextFileSync(`${side.dataDirectory}/auth/mcp-token`).trim();
  return { side, port, token, child, healthyAfterMs };
}

/** Ends a daemon. */
export async function stopDaemon({ child }: Running): Promise<void> {
  child.kill("SIGTERM");
  await child.status;
}

/** Megabytes that a process has in memory, and had at most. */
export function memoryOf({ child }: Running): { readonly now: number; readonly most: number } {
  const status = Deno.readTextFileSync(`/proc/${child.pid}/status`);
  const megabytes = (key: string) =>
    Number(new RegExp(`^${key}:\\s+(\\d+) kB`, "m").exec(status)?.[1] ?? NaN) / 1024;
  return { now: megabytes("VmRSS"), most: megabytes("VmHWM") };
}

/** Starts, memory at rest, and memory after work. */
export async function measureStarts({ sides, rounds, tell }: Bench): Promise<Measure[]> {
  tell("start to healthy");
  const idle = { ours: [] as number[], peer: [] as number[] };
  const first = { ours: [] as number[], peer: [] as number[] };
  const starts = await interleaved(sides, rounds + 2, async (side) => {
    const daemon = await startDaemon(side);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    idle[side.name].push(memoryOf(daemon).now);
    const begun = performance.now();
    const client = await McpConnection.open(daemon.port, daemon.token);
    await client.call("knowledge.search", { projectId: "bench", query: "first question" });
    first[side.name].push(performance.now() - begun);
    client.close();
    await stopDaemon(daemon);
    return daemon.healthyAfterMs;
  });
  return [
    { name: "start to healthy", unit: "ms", target: 5, ...starts },
    { name: "handshake and first search of a daemon", unit: "ms", ...first },
    { name: "memory at rest", unit: "MB", target: 1, ...idle },
  ];
}

/** Answers to one client after the other, and to four at once. */
export async function measureAnswers(bench: Bench): Promise<Measure[]> {
  const daemons = await Promise.all(bench.sides.map(startDaemon));
  try {
    const measures = [
      ...await measureSequence(bench, daemons),
      ...await measureFourClients(bench, daemons),
    ];
    const most = { ours: [] as number[], peer: [] as number[] };
    for (const daemon of daemons) most[daemon.side.name].push(memoryOf(daemon).most);
    return [...measures, { name: "memory at most", unit: "MB", ...most }];
  } finally {
    await Promise.all(daemons.map(stopDaemon));
  }
}

/** Answers to questions of one's own, over daemons that are started for them. */
export async function measureSearches(
  sides: readonly Side[],
  questions: readonly string[],
  rounds: number,
): Promise<Measure[]> {
  const daemons = await Promise.all(sides.map(startDaemon));
  try {
    const inputs = questions.map((query) => ({ projectId: "bench", query }));
    const rest = await timeCalls(daemons, { tool: "knowledge.search", inputs, rounds });
    return [
      quantileMeasure("search p50", rest, 0.5, 10),
      quantileMeasure("search p95", rest, 0.95),
      quantileMeasure("search p99", rest, 0.99),
    ];
  } finally {
    await Promise.all(daemons.map(stopDaemon));
  }
}

type Input = Record<string, unknown>;

/** How one kind of call is repeated: rounds of all inputs, so many of them answered by the peer. */
interface Calls {
  readonly tool: string;
  readonly inputs: readonly Input[];
  readonly rounds: number;
}

async function measureSequence(bench: Bench, daemons: readonly Running[]): Promise<Measure[]> {
  const { corpus, rounds, tell } = bench;
  const queries = corpus.queries(4);
  const search = (more: Input) =>
    queries.map(({ text }) => ({ projectId: "bench", query: text, ...more }));
  const gets = corpus.itemIds(40).map((itemId) => ({ projectId: "bench", itemId }));
  tell("search");
  const words = await timeCalls(daemons, {
    tool: "knowledge.search",
    inputs: search({}),
    rounds,
  });
  tell("dense search");
  const dense = await timeCalls(daemons, {
    tool: "knowledge.search",
    inputs: search({ useDense: true }),
    rounds: Math.max(1, rounds - 1),
  });
  tell("get");
  const get = await timeCalls(daemons, { tool: "knowledge.get", inputs: gets, rounds });
  return [
    quantileMeasure("search p50", words, 0.5, 25),
    quantileMeasure("search p95", words, 0.95),
    quantileMeasure("search p99", words, 0.99, 12),
    ...byKind(queries, words),
    quantileMeasure("dense search p50", dense, 0.5, 40),
    quantileMeasure("dense search p99", dense, 0.99),
    quantileMeasure("get p50", get, 0.5, 4),
    quantileMeasure("get p99", get, 0.99),
  ];
}

/** Latencies by round; within a round in the order of the inputs. */
interface Rounds extends Readonly<Record<SideName, readonly (readonly number[])[]>> {
  readonly processor: Readonly<Record<SideName, number>>;
}

async function timeCalls(daemons: readonly Running[], calls: Calls): Promise<Rounds> {
  const result = { ours: [] as number[][], peer: [] as number[][] };
  const processor = { ours: 0, peer: 0 };
  for (let round = 0; round < calls.rounds; round++) {
    // One side's calls follow one another, as a client makes them; the sides take turns.
    for (const daemon of round % 2 === 0 ? daemons : daemons.toReversed()) {
      const { name } = daemon.side;
      // A turn may outlast the time for which a server keeps an idle connection.
      const client = await McpConnection.open(daemon.port, daemon.token);
      await client.time(calls.tool, calls.inputs[0]!);
      processor[name] -= processorMsOf(daemon.child.pid);
      const times: number[] = [];
      for (const input of calls.inputs) times.push(await client.time(calls.tool, input));
      result[name].push(times);
      processor[name] += processorMsOf(daemon.child.pid);
      client.close();
    }
  }
  const each = calls.rounds * calls.inputs.length;
  return { ...result, processor: { ours: processor.ours / each, peer: processor.peer / each } };
}

function quantileMeasure(
  name: string,
  rounds: Omit<Rounds, "processor"> & Partial<Pick<Rounds, "processor">>,
  share: number,
  target?: number,
): Measure {
  const of = (side: SideName) => rounds[side].map((samples) => quantile(samples, share));
  return {
    name,
    unit: "ms",
    ours: of("ours"),
    peer: of("peer"),
    ...(rounds.processor === undefined || share !== 0.5 ? {} : { processor: rounds.processor }),
    ...(target === undefined ? {} : { target }),
  };
}

function byKind(queries: readonly BenchQuery[], rounds: Rounds): Measure[] {
  return [...new Set(queries.map((query) => query.kind))].map((kind) => {
    const only = (samples: readonly (readonly number[])[]) =>
      samples.map((round) => round.filter((_, i) => queries[i]!.kind === kind));
    const chosen = { ours: only(rounds.ours), peer: only(rounds.peer) };
    return quantileMeasure(`  p50 of ${kind}`, chosen, 0.5);
  });
}

const LOAD_MS = 2000;

/** Four clients that never pause, and what a fifth one feels of them. */
async function measureFourClients(
  { corpus, rounds, tell }: Bench,
  daemons: readonly Running[],
): Promise<Measure[]> {
  tell("four clients");
  const queries = corpus.queries(4);
  const itemId = corpus.itemIds(1)[0]!;
  const loads = new Map<Side, Load[]>(daemons.map(({ side }) => [side, []]));
  for (let round = 0; round < Math.max(2, rounds - 1); round++) {
    const order = round % 2 === 0 ? daemons : daemons.toReversed();
    for (const daemon of order) loads.get(daemon.side)!.push(await load(daemon, queries, itemId));
  }
  const of = (pick: (load: Load) => number) => {
    const values = { ours: [] as number[], peer: [] as number[] };
    for (const [side, rounds] of loads) values[side.name].push(...rounds.map(pick));
    return values;
  };
  return [
    { name: "four clients, answers", unit: "1/s", target: 25, ...of((load) => load.perSecond) },
    { name: "four clients, search p99", unit: "ms", ...of((load) => load.p99) },
    { name: "health at worst meanwhile", unit: "ms", ...of((load) => load.health) },
    { name: "get at worst meanwhile", unit: "ms", ...of((load) => load.get) },
  ];
}

interface Load {
  readonly perSecond: number;
  readonly p99: number;
  readonly health: number;
  readonly get: number;
}

async function load(
  { port, token }: Running,
  queries: readonly BenchQuery[],
  itemId: string,
): Promise<Load> {
  const clients = await Promise.all(
    Array.from({ length: 4 }, () => McpConnection.open(port, token)),
  );
  const samples: number[] = [];
  // The first answer of each thread reads the word index; it is measured elsewhere.
  const ask = (client: McpConnection, at: number) =>
    client.time("knowledge.search", {
      projectId: "bench",
      query: queries[at % queries.length]!.text,
    });
  await Promise.all(clients.map((client) => ask(client, 0)));
  const begun = performance.now();
  const isOver = () => performance.now() - begun > LOAD_MS;
  const work = clients.map(async (client, number) => {
    for (let at = number * 11; !isOver(); at++) samples.push(await ask(client, at));
  });
  const bystander = watchBystanders(port, token, itemId, isOver);
  await Promise.all(work);
  const perSecond = samples.length / ((performance.now() - begun) / 1000);
  for (const client of clients) client.close();
  return { perSecond, p99: quantile(samples, 0.99), ...await bystander };
}

async function watchBystanders(
  port: number,
  token: string,
  itemId: string,
  isOver: () => boolean,
): Promise<Pick<Load, "health" | "get">> {
  const client = await McpConnection.open(port, token);
  let health = 0, get = 0;
  while (!isOver()) {
    const begun = performance.now();
    if (!await isHealthy(port)) throw new Error("Not healthy while searches run");
    health = Math.max(health, performance.now() - begun);
    get = Math.max(get, await client.time("knowledge.get", { projectId: "bench", itemId }));
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  client.close();
  return { health, get };
}
