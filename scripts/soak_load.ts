/**
 * The mixed load of a soak: clients that know what each answer must be, publications, token
 * rotations, registrations and hostile visitors, for as long as is asked.
 *
 * @module
 */

import { join } from "node:path";
import { McpConnection } from "./bench_http.ts";
import { newWorld, type SoakProject, wordOf } from "./soak_world.ts";
import { type Interval, type LoadReport, LoadWatch } from "./soak_watch.ts";
import type { ServedProject } from "../tests/support/served_project.ts";

const CLIENTS = 8;
const PUBLISH_MS = 12_000;
const ROTATE_MS = 25_000;
const REGISTER_MS = 17_000;
const TIDY_MS = 60_000;

/** Runs the load for `seconds` and reports; `tell` hears of each interval. */
export async function runLoad(
  seconds: number,
  tell: (interval: Interval) => void,
): Promise<LoadReport> {
  const { served, projects } = await newWorld();
  await using _served = served;
  const watch = new LoadWatch(served.daemon.pid);
  const deadline = Date.now() + seconds * 1000;
  const left = () => Math.max(0, deadline - Date.now());
  const isOver = () => left() === 0;
  const every = (ms: number, work: () => Promise<void>) => repeat(ms, work, left, watch);
  const sampler = setInterval(() => tell(watch.sample()), 10_000);
  await Promise.all([
    ...Array.from({ length: CLIENTS }, (_, n) => client(n, served, projects, watch, isOver)),
    every(PUBLISH_MS, () => publish(projects, watch)),
    every(ROTATE_MS, () => rotate(served, watch)),
    every(REGISTER_MS, () => register(served, watch)),
    every(TIDY_MS, () => tidy(projects, watch)),
    every(3000, () => visit(served.daemon.port, watch)),
  ]);
  clearInterval(sampler);
  tell(watch.sample());
  const { code, stderr } = await served.stop();
  return watch.report(seconds, code, stderr);
}

async function repeat(
  ms: number,
  work: () => Promise<void>,
  left: () => number,
  watch: LoadWatch,
): Promise<void> {
  for (;;) {
    await pause(Math.min(left(), Math.min(ms, 1000) + Math.random() * ms));
    if (left() === 0) return;
    try {
      await work();
    } catch (error) {
      watch.wrong(String(error));
    }
  }
}

function tokenOf(served: ServedProject): string {
  return Deno.readTextFileSync(join(served.dataDirectory, "auth/mcp-token")).trim();
}

/** One client: calls after calls, on a connection that is renewed now and then. */
async function client(
  seed: number,
  served: ServedProject,
  projects: readonly SoakProject[],
  watch: LoadWatch,
  isOver: () => boolean,
): Promise<void> {
  let connection: McpConnection | null = null;
  for (let turn = seed; !isOver(); turn++) {
    try {
      connection ??= await McpConnection.open(served.daemon.port, tokenOf(served));
      await oneCall(connection, projects[turn % projects.length]!, watch);
    } catch (error) {
      const text = String(error);
      connection?.close();
      connection = null;
      if (/answered 401/.test(text)) watch.count("callsWithAnOldToken");
      else if (/at its capacity/.test(text)) watch.count("callsAtCapacity");
      else watch.wrong(text);
    }
    if (turn % 97 === 0) {
      connection?.close();
      connection = null;
    }
    await pause(20 + Math.random() * 60);
  }
  connection?.close();
}

async function oneCall(at: McpConnection, project: SoakProject, watch: LoadWatch): Promise<void> {
  const n = Math.floor(Math.random() * project.pages.length);
  const dice = Math.random();
  const begun = performance.now();
  if (dice < 0.6) await searchCall(at, project, n, watch);
  else if (dice < 0.85) await getCall(at, project, n, watch);
  else if (dice < 0.9) await at.call("knowledge.status", { projectId: project.side });
  else if (dice < 0.94) await at.call("project.list", {});
  else if (dice < 0.97) await refusedCall(at, project, watch);
  else if (dice < 0.99) await at.call("system.capabilities", {});
  else await draftCall(at, project, n, watch);
  watch.took(performance.now() - begun);
}

/** The present word finds its page and revision; the word before finds that revision no more. */
async function searchCall(at: McpConnection, project: SoakProject, n: number, watch: LoadWatch) {
  const { epoch } = project;
  const page = project.pages[n]!;
  const asksOld = page.version > 1 && Math.random() < 0.3;
  const query = wordOf(project.side, n, asksOld ? page.version - 1 : page.version);
  const found = await at.call("knowledge.search", { projectId: project.side, query, limit: 5 });
  // Only what did not change meanwhile can be known.
  if (project.epoch !== epoch || epoch % 2 === 1) return watch.count("answersDuringPublication");
  const hits = found["results"] as { itemId: string; revisionId: string }[];
  const stale = hits.find(({ itemId, revisionId }) =>
    itemId === page.itemId && revisionId !== page.revisionId
  );
  if (stale !== undefined) return watch.wrong(`a withdrawn revision of ${page.itemId} was found`);
  if (!asksOld && hits[0]?.itemId !== page.itemId) {
    watch.wrong(`${page.itemId} of ${project.side} was not found by its own word`);
  }
  watch.count("answersChecked");
}

async function getCall(at: McpConnection, project: SoakProject, n: number, watch: LoadWatch) {
  const { epoch } = project;
  const page = project.pages[n]!;
  const got = await at.call("knowledge.get", { projectId: project.side, itemId: page.itemId });
  if (project.epoch !== epoch || epoch % 2 === 1) return watch.count("answersDuringPublication");
  const text = JSON.stringify(got);
  const isRight = text.includes(wordOf(project.side, n, page.version)) &&
    text.includes(page.revisionId);
  if (!isRight) watch.wrong(`${page.itemId} of ${project.side} came in another version`);
  watch.count("answersChecked");
}

async function refusedCall(at: McpConnection, project: SoakProject, watch: LoadWatch) {
  const wrong = [
    ["knowledge.get", { projectId: project.side, itemId: "no.such" }],
    ["knowledge.search", { projectId: project.side }],
    ["knowledge.search", { projectId: "nowhere", query: "x" }],
    ["no.such.tool", {}],
  ] as const;
  const [name, input] = wrong[Math.floor(Math.random() * wrong.length)]!;
  const refused = await at.call(name, input).then(() => false, (error) => {
    if (!/ refused: /.test(String(error))) throw error;
    return true;
  });
  if (!refused) watch.wrong(`${name} answered what it had to refuse`);
  watch.count("refusals");
}

async function draftCall(at: McpConnection, project: SoakProject, n: number, watch: LoadWatch) {
  await at.call("knowledge.generateMigrationDraft", {
    projectId: project.side,
    document: {
      author: "ada@example.org",
      description: "Another name",
      operations: [{
        op: "addAlias",
        alias: `guide.also-${n}-${Math.floor(Math.random() * 1e9)}`,
        itemId: `guide.page-${n}`,
      }],
    },
    evidence: { agentId: "soak", taskId: "soak", model: "none", reasoning: "Soak." },
  });
  watch.count("drafts");
}

async function publish(projects: readonly SoakProject[], watch: LoadWatch): Promise<void> {
  const project = projects[Math.floor(Math.random() * projects.length)]!;
  const first = Math.floor(Math.random() * (project.pages.length - 3));
  await project.publish([first, first + 1, first + 2]);
  watch.count("publications");
}

/** The old token is dead at the next request, the new one lives. */
async function rotate(served: ServedProject, watch: LoadWatch): Promise<void> {
  const { port } = served.daemon;
  const old = tokenOf(served);
  await served.expect("auth", "rotate", "--port", String(port));
  const dead = await McpConnection.open(port, old).then(() => false, () => true);
  if (!dead) watch.wrong("a rotated token was accepted");
  (await McpConnection.open(port, tokenOf(served))).close();
  watch.count("rotations");
}

async function register(served: ServedProject, watch: LoadWatch): Promise<void> {
  const { port } = served.daemon;
  const list = async (): Promise<string> => {
    try {
      const connection = await McpConnection.open(port, tokenOf(served));
      const text = JSON.stringify(await connection.call("project.list", {}));
      connection.close();
      return text;
    } catch (error) {
      if (!/answered 401/.test(String(error))) throw error;
      watch.count("callsWithAnOldToken"); // It was rotated in between.
      return await list();
    }
  };
  await served.expect("project", "unregister", "third").catch(() => {});
  const root = join(served.repository.folder, "third");
  await Deno.mkdir(root, { recursive: true });
  await new Deno.Command("git", { args: ["init", "-q"], cwd: root }).output();
  await served.expect("project", "register", root, "--project-id", "third");
  if (!(await list()).includes('"third"')) watch.wrong("a registered project is not listed");
  await served.expect("project", "unregister", "third");
  if ((await list()).includes('"third"')) watch.wrong("an unregistered project is listed");
  watch.count("registrations");
}

/** Discards what was drafted and frees what is no longer kept. */
async function tidy(projects: readonly SoakProject[], watch: LoadWatch): Promise<void> {
  for (const project of projects) {
    const { proposals } = JSON.parse(await project.run("propose", "list"));
    for (const { proposalId } of proposals) await project.run("propose", "discard", proposalId);
    await project.run("index", "gc");
  }
  watch.count("tidyings");
}

/** A visitor without a token that leaves a head unfinished, sends garbage, or just stays. */
async function visit(port: number, watch: LoadWatch): Promise<void> {
  const texts = [
    "",
    "GET /health HTTP/1.1\r\nX: ",
    "\0\0\0\0\r\n\r\n",
    "POST /mcp HTTP/1.1\r\n\r\n",
  ];
  const sockets = await Promise.all(texts.map(async (text) => {
    const socket = await Deno.connect({ hostname: "127.0.0.1", port });
    await socket.write(new TextEncoder().encode(text)).catch(() => {});
    return socket;
  }));
  await pause(2000);
  for (const socket of sockets) socket.close();
  watch.count("hostileVisits");
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
