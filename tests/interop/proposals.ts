/**
 * Proposals between this implementation and another one (decision 30): what the other drafts is
 * accepted here, what was accepted here is applied there, and both come to one state hash.
 *
 * `deno run -A tests/interop/proposals.ts PEER`, or `THEURIAN_PEER=PEER`; PEER is the other program.
 * Each program has a home and a checkout of its own; Git carries everything between them.
 *
 * @module
 */

import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { Daemon, freePort } from "../../scripts/daemon.ts";
import { findProgram, type Program, run } from "../../scripts/program.ts";
import { callRaw, type Document, PROPOSAL, request } from "../support/program_project.ts";

const PATH = Deno.env.get("PATH") ?? "";

/** One implementation with its home and its checkout. */
class Side {
  readonly home: string;
  readonly root: string;

  constructor(readonly name: string, readonly program: Program, folder: string) {
    this.home = join(folder, name, "home");
    this.root = join(folder, name, "demo");
    Deno.mkdirSync(this.home, { recursive: true });
  }

  async succeed(...argv: string[]): Promise<Document> {
    const { exit, stdout, stderr } = await run(this.program, [...argv, "--json"], {
      cwd: this.root,
      env: { HOME: this.home, PATH, THEURIAN_DATA_DIR: join(this.home, ".theurian") },
      limitMs: 120_000,
    });
    assert.equal(exit, 0, `${this.name}: ${argv.join(" ")}: ${stderr}${stdout}`);
    return JSON.parse(stdout);
  }

  git(...args: string[]): string {
    const { code, stdout, stderr } = new Deno.Command("git", {
      args: ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", ...args],
      cwd: this.root,
      env: { HOME: this.home, GIT_CONFIG_NOSYSTEM: "1" },
    }).outputSync();
    assert.equal(code, 0, new TextDecoder().decode(stderr));
    return new TextDecoder().decode(stdout).trim();
  }

  commit(message: string): void {
    this.git("add", "-A");
    this.git("commit", "-q", "--allow-empty", "-m", message);
  }

  /** Brings this checkout to the other's last commit. */
  pull(other: Side): void {
    this.git("fetch", "-q", other.root, "main");
    this.git("reset", "-q", "--hard", "FETCH_HEAD");
  }

  write(path: string, text: string): void {
    const file = join(this.root, path);
    Deno.mkdirSync(dirname(file), { recursive: true });
    Deno.writeTextFileSync(file, text);
  }

  /** Drafts content with the command line that both share. */
  async draft(body: string, options: Record<string, string>, flags: string[] = []) {
    this.write(options["body-file"]!, body);
    const all: Record<string, string> = {
      title: "Foo",
      kind: "domain",
      owner: "team",
      author: "ada@example.org",
      description: "Write it down.",
      "agent-id": "agent-1",
      "task-id": "task-1",
      model: "human",
      reasoning: "Seen.",
      ...options,
    };
    const args = Object.entries(all).flatMap(([name, value]) => [`--${name}`, value]);
    const made = await this.succeed("propose", ...args, ...flags);
    Deno.removeSync(join(this.root, options["body-file"]!));
    return made;
  }
}

/** The two sides, and what carries over between them. */
interface Pair {
  readonly ours: Side;
  readonly peer: Side;
}

type Scenario = (pair: Pair) => Promise<void>;

const ANCHOR = { "source-uri": "git://demo/docs/a.md", "source-path": "docs/a.md" };

/** Accepts with ours, commits there, applies on both sides and compares. */
async function acceptAndCompare({ ours, peer }: Pair, ...ids: readonly string[]): Promise<void> {
  for (const id of ids) await ours.succeed("propose", "accept", id);
  ours.commit("Accept");
  peer.pull(ours);
  const [here, there] = [
    await ours.succeed("migrate", "apply"),
    await peer.succeed("migrate", "apply"),
  ];
  assert.equal(here.stateHash, there.stateHash);
  const validated = [
    await ours.succeed("migrate", "validate"),
    await peer.succeed("migrate", "validate"),
  ];
  assert.deepEqual(validated[0].applicationOrder, validated[1].applicationOrder);
  assert.equal(validated[0].contentFileCount, validated[1].contentFileCount);
  const again = (await peer.succeed("migrate", "status")).pending;
  assert.equal(again, 0, "the peer has applied everything");
}

/** Drafts with the peer and carries the proposal over. */
async function peerDraft(
  { ours, peer }: Pair,
  body: string,
  options: Record<string, string>,
  flags: string[] = [],
): Promise<Document> {
  peer.pull(ours);
  const made = await peer.draft(body, options, flags);
  peer.commit("Draft");
  ours.pull(peer);
  return made;
}

const SCENARIOS: Readonly<Record<string, Scenario>> = {
  "the peer drafts a new page, ours accepts": async (pair) => {
    const made = await peerDraft(pair, "# By the peer\n", {
      "item-id": "domain.by-peer",
      "body-file": "body.md",
      ...ANCHOR,
    });
    await acceptAndCompare(pair, made.proposalId);
  },
  "ours drafts a new page and accepts": async (pair) => {
    const made = await pair.ours.draft("# By ours\n", {
      "item-id": "domain.by-ours",
      "body-file": "body.md",
      ...ANCHOR,
    });
    await acceptAndCompare(pair, made.proposalId);
  },
  "each drafts an update of the other's page": async (pair) => {
    const { ours } = pair;
    const theirs = await peerDraft(pair, "# One\n", {
      "item-id": "domain.one",
      "body-file": "body.md",
      ...ANCHOR,
    });
    const own = await ours.draft("# Two\n", {
      "item-id": "domain.two",
      "body-file": "body.md",
      ...ANCHOR,
      sensitivity: "confidential",
      "trust-level": "reviewed",
    });
    await acceptAndCompare(pair, theirs.proposalId, own.proposalId);
    const update = await peerDraft(pair, "# Two, by the peer\n", {
      "item-id": "domain.two",
      "body-file": "body.md",
      "expected-revision": own.revisionId,
      ...ANCHOR,
    });
    const answer = await ours.draft("# One, by ours\n", {
      "item-id": "domain.one",
      "body-file": "body.md",
      "expected-revision": theirs.revisionId,
      ...ANCHOR,
    });
    await acceptAndCompare(pair, update.proposalId, answer.proposalId);
  },
  "every format, label and option, drafted by each": async (pair) => {
    const flags = ["--label", "b", "--label", "a", "--scope-path", "src/**", "--authored-here"];
    const drafts: readonly (readonly [string, string])[] = [
      ["body.json", '{"a": 1}\n'],
      ["body.yaml", "a: 1\n"],
      ["body.md", "# Kana カナ\r\nCRLF\r\n"],
    ];
    const ids: string[] = [];
    for (const [file, body] of drafts) {
      const format = file.split(".")[1]!;
      // The peer reads a body as text with one kind of line end.
      const text = body.replaceAll("\r", "");
      const theirs = await peerDraft(pair, text, {
        "item-id": `format.peer-${format}`,
        "body-file": file,
        namespace: "",
      }, flags);
      const own = await pair.ours.draft(body, {
        "item-id": `format.ours-${format}`,
        "body-file": file,
        namespace: "own.space",
        sensitivity: "public",
      }, flags);
      ids.push(theirs.proposalId, own.proposalId);
    }
    const leaf = await peerDraft(pair, "# Leaf\n", {
      "item-id": "leaf",
      "body-file": "body.md",
      ...ANCHOR,
    });
    await acceptAndCompare(pair, ...ids, leaf.proposalId);
  },
  "texts that a YAML reader could take for something else": async (pair) => {
    const titles = [
      ..."yes off ~ 1_0 1:30 0x1F 017 1e5 .inf null true = <<".split(" "),
      "2026-01-01",
      "01234567890123456789012345",
      "a: b # c",
      "- a",
      "'\"\\",
      "a\u0085b\u2028c\u2029d",
      "two\nlines",
      "認証の方針 😀",
      "&a *b !c %d @e `f",
    ];
    const ids: string[] = [];
    for (const [index, title] of titles.entries()) {
      const made = await pair.ours.draft(`# ${index}\n`, {
        "item-id": `text.n${index}`,
        "body-file": "body.md",
        title,
        owner: title,
        description: title,
        ...ANCHOR,
      });
      ids.push(made.proposalId);
    }
    await acceptAndCompare(pair, ...ids);
  },
  "a document that a tool of ours drafted": async (pair) => {
    const { ours } = pair;
    const made = await ours.draft("# Doc\n", {
      "item-id": "domain.doc",
      "body-file": "body.md",
      ...ANCHOR,
    });
    await acceptAndCompare(pair, made.proposalId);
    const operations = [
      { op: "addAlias", alias: "domain.doc-old", itemId: "domain.doc" },
      { op: "changeOwner", itemId: "domain.doc", owner: "yes" },
      {
        op: "addRelation",
        sourceItemId: "domain.doc",
        relationType: "related_to",
        targetItemId: "domain.by-ours",
        note: "1:30",
      },
      {
        op: "addEvidence",
        itemId: "domain.doc",
        description: "Seen.",
        anchor: { provider: "git", sourceUri: "git://demo/x", lineStart: 1, lineEnd: 2 },
      },
      { op: "deprecateItem", itemId: "domain.by-peer", supersededBy: "domain.doc" },
    ];
    const drafted = await callOurs(ours, "knowledge.generateMigrationDraft", {
      projectId: "demo",
      document: { author: "ada@example.org", description: "Relate: it", operations },
      evidence: PROPOSAL.evidence,
    });
    await acceptAndCompare(pair, drafted.proposalId);
  },
  "a page that a tool of ours drafted": async (pair) => {
    const drafted = await callOurs(pair.ours, "knowledge.proposeChange", {
      ...PROPOSAL,
      itemId: "domain.by-tool",
      labels: ["x"],
      scopePaths: ["src/**"],
      trustLevel: "inferred",
    });
    await acceptAndCompare(pair, drafted.proposalId);
  },
  "documents that ours adopted": async (pair) => {
    const { ours } = pair;
    ours.write("docs/adr/0001-a.md", "---\ntags: [x]\n---\n# A\n\nText.\n");
    ours.write("docs/b.md", "# B\n\nText.\n");
    ours.commit("Documents");
    const { proposals } = await ours.succeed(
      "adopt",
      "docs",
      "--owner",
      "team",
      "--author",
      "ada@example.org",
    );
    await acceptAndCompare(pair, ...proposals.map((one: Document) => one.proposalId));
  },
};

async function callOurs(
  ours: Side,
  name: string,
  input: Record<string, unknown>,
): Promise<Document> {
  const { program, root: cwd, home } = ours;
  const daemon = await Daemon.start(program, { port: freePort(), cwd, home, path: PATH });
  try {
    const result = await callRaw(daemon, JSON.stringify(request(name, input)));
    assert.equal(result.isError, false, JSON.stringify(result));
    return result.structuredContent;
  } finally {
    await daemon.stop();
  }
}

/** Plays every scenario, one after the other in one history; says how each went. */
export async function playInterop(peerCommand: string, say: (line: string) => void): Promise<void> {
  const folder = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "proposals-interop-" }));
  try {
    const program = findProgram();
    const peerProgram: Program = {
      description: peerCommand,
      command: peerCommand,
      prefix: [],
      environment: {},
    };
    const ours = new Side("ours", program, folder);
    const peer = new Side("peer", peerProgram, folder);
    say(`ours: ${program.description}`);
    say(`peer: ${peerCommand}`);
    for (const side of [ours, peer]) {
      Deno.mkdirSync(side.root);
      side.git("init", "-q", "-b", "main");
    }
    await ours.succeed("init");
    ours.commit("Begin");
    peer.pull(ours);
    for (const side of [ours, peer]) {
      await side.succeed("project", "register");
      await side.succeed("migrate", "apply");
    }
    for (const [name, scenario] of Object.entries(SCENARIOS)) {
      await scenario({ ours, peer });
      say(`one state hash: ${name}`);
    }
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

if (import.meta.main) {
  const peer = Deno.args[0] ?? Deno.env.get("THEURIAN_PEER");
  if (peer === undefined) {
    console.log("Not run: name another implementation, as an argument or in THEURIAN_PEER.");
  } else {
    await playInterop(peer, console.log);
  }
}
