import assert from "node:assert/strict";
import { fixturePath, goldenReviewPath } from "../../tests/support/golden_review.ts";
import {
  type Ingested,
  type IngestProject,
  inIngestProject,
} from "../../tests/support/ingest_project.ts";

const FOLDER = "sha256-fbb3a4a6c6ad6d7148b57f375ca1c6efc445ca58cf8934ffa2528bad424e9f15";

async function ingest(project: IngestProject, scenario: string, ...options: string[]) {
  project.scenario(scenario);
  return await project.ingest("acme/widgets", ...options);
}

function refused(ran: Ingested, grade: string, exit = 1): void {
  assert.equal(ran.exit, exit, ran.stdout);
  assert.equal(ran.stdout, "");
  assert.ok(ran.error!.error.includes(grade), ran.error!.error);
  assert.ok(ran.error!.remedy.length > 20);
}

/** A scenario of the test's own, below the project's folder. */
function ownScenario(project: IngestProject, files: Readonly<Record<string, string>>): string {
  const folder = `${project.folder}/scenario-${crypto.randomUUID()}`;
  Deno.mkdirSync(folder);
  for (const [name, text] of Object.entries(files)) {
    Deno.writeTextFileSync(`${folder}/${name}`, text);
  }
  return folder;
}

const basic = (name: string) => Deno.readTextFileSync(fixturePath(`fake-gh/data/basic/${name}`));

for (
  const [scenario, grade] of Object.entries({
    private: "repository-is-private",
    renamed: "repository-resolved-elsewhere",
    unauthenticated: "tool-unauthenticated",
    old: "tool-too-old",
    noversion: "tool-too-old",
    ratelimited: "tool-failed",
    graphqlerror: "tool-failed",
    notjson: "tool-failed",
    nocursor: "tool-failed",
    badnumber: "tool-failed",
  })
) {
  Deno.test(`review ingest refuses the answers of ${scenario} with ${grade} and writes nothing`, () =>
    inIngestProject({}, async (project) => {
      refused(await ingest(project, scenario), grade);
      assert.deepEqual(project.files(), []);
    }));
}

Deno.test("review ingest asks eleven times for three pull requests, in their order", () =>
  inIngestProject({}, async (project) => {
    const ran = await ingest(project, "basic");
    assert.equal(ran.exit, 0, ran.stderr);
    const calls = project.calls();
    assert.equal(calls.length, 11);
    const kinds = calls.map((call) =>
      /^(\S+)(?: (list|threads|reviews) .*number=(\d*))?/.exec(call)!
    );
    assert.deepEqual(kinds.map(([, first, kind, number]) => kind ? `${kind}${number}` : first), [
      "version",
      "auth-status",
      "list",
      "list",
      "threads7",
      "threads7",
      "reviews7",
      "threads6",
      "reviews6",
      "threads2",
      "reviews2",
    ]);
    assert.ok(calls[2]!.includes("flags= -f:query -F:first -f:name -f:owner"));
    assert.ok(calls[5]!.includes("-f:query -f:after -F:first -f:name -F:number -f:owner"));
  }));

Deno.test("review ingest hands a cursor that starts with @ over as text", () =>
  inIngestProject({}, async (project) => {
    const first = basic("list.json").replace('"CUR1"', '"@/etc/passwd"');
    const folder = ownScenario(project, { "list.json": first });
    Deno.mkdirSync(`${folder}/list@@`);
    const ran = await ingest(project, folder);
    refused(ran, "tool-failed");
    const asked = project.calls().find((call) => call.includes("after=@"))!;
    assert.ok(asked.includes("after=@/etc/passwd flags= -f:query -f:after"), asked);
  }));

Deno.test("review ingest takes a repository GitHub spells otherwise under the entry's spelling", () =>
  inIngestProject({}, async (project) => {
    assert.equal((await ingest(project, "respelled")).exit, 0);
    const event = JSON.parse(project.readFile(`${FOLDER}/pull-request/1.json`));
    assert.equal(event.repository, "acme/widgets");
    assert.equal(event.record.repository, "acme/widgets");
  }));

Deno.test("review ingest lands, builds and finds pull request 9223372036854775807", () =>
  inIngestProject({}, async (project) => {
    const ran = await ingest(project, "huge");
    assert.deepEqual([ran.exit, ran.document.searchStore.records], [0, 1]);
    const text = project.readFile(`${FOLDER}/pull-request/9223372036854775807.json`);
    assert.match(text, /"number": 9223372036854775807,\n/);
    assert.match(text, /"recordKey": "9223372036854775807"/);
  }));

Deno.test("review ingest skips pull request 2^63 by its number and leaves the store usable", () =>
  inIngestProject({}, async (project) => {
    const ran = await ingest(project, "toohuge");
    assert.deepEqual([ran.exit, ran.document.clean, ran.document.landed.total], [1, false, 0]);
    assert.match(ran.document.skipped[0], /#9223372036854775808 tool-failed/);
    assert.equal(ran.document.searchStore.records, 0);
    assert.deepEqual(project.files(), []);
  }));

Deno.test("review ingest refuses to land a thread that comes twice; the first copy stays", () =>
  inIngestProject({}, async (project) => {
    refused(await ingest(project, "twice"), "2 records of this run were written and stay");
    assert.equal(project.files().length, 2);
    assert.match(project.readFile(`${FOLDER}/review-thread/PRRT_one~f.json`), /"body": "first"/);
    assert.equal((await project.run("review", "build", "--json")).exit, 0);
  }));

Deno.test("review ingest ends a gh that sleeps after 30 seconds, its children included", () =>
  inIngestProject({}, async (project) => {
    const started = Date.now();
    refused(await ingest(project, "slow"), "tool-failed");
    const took = Date.now() - started;
    assert.ok(took >= 29_000 && took < 39_000, String(took));
    // What was killed may take a moment to be gone.
    for (let i = 0; i < 100 && processesIn(project.folder).length > 0; i++) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    assert.deepEqual(processesIn(project.folder), []);
  }));

/** Command lines of the processes that work in a folder; none where the system does not tell. */
function processesIn(folder: string): string[] {
  if (Deno.build.os !== "linux") return [];
  return [...Deno.readDirSync("/proc")].flatMap(({ name }) => {
    try {
      if (!/^\d+$/.test(name) || !Deno.readLinkSync(`/proc/${name}/cwd`).startsWith(folder)) {
        return [];
      }
      const words = Deno.readTextFileSync(`/proc/${name}/cmdline`);
      return words === "" ? [] : [words]; // One that has ended has none.
    } catch {
      return []; // It has ended, or is somebody else's.
    }
  });
}

Deno.test("review ingest stops asking when the rate limit is used up and tells when it refills", () =>
  inIngestProject({}, async (project) => {
    const limit = '"data": {"rateLimit": {"resetAt": "2026-12-01T10:00:00Z"}, ';
    const folder = ownScenario(project, {
      "list.json": basic("list.json").replace('"hasNextPage": true', '"hasNextPage": false')
        .replace('"data": {', limit),
      "threads-7.json": '{"data": null, "errors": [{"type": "RATE_LIMITED"}]}',
      "threads-7.exit": "1",
    });
    const ran = await ingest(project, folder);
    assert.equal(ran.exit, 1);
    assert.deepEqual(ran.document.skipped.length, 2);
    assert.match(ran.document.skippedRemedies["tool-failed"], /2026-12-01T10:00:00Z/);
    assert.deepEqual(project.calls().filter((call) => /threads|reviews/.test(call)).length, 1);
    assert.deepEqual(project.files(), []);
    project.scenario("ratelimited");
    assert.match((await project.ingest()).error!.remedy, /gh api rate_limit/);
  }));

Deno.test("review ingest refuses an answer of more than 8 MiB and a chatty probe", () =>
  inIngestProject({}, async (project) => {
    const padded = (bytes: number) => {
      const answer = basic("list.json");
      return " ".repeat(bytes - new TextEncoder().encode(answer).length) + answer;
    };
    const folder = ownScenario(project, { "list.json": padded(8_388_609) });
    refused(await ingest(project, folder), "limit-exceeded");
    const exact = ownScenario(project, {
      "list.json": padded(8_388_608),
      "list@CUR1.json": basic("list@CUR1.json"),
    });
    assert.equal((await ingest(project, exact)).exit, 0);
    const chatty = ownScenario(project, { version: `gh version 2.90.0${" ".repeat(65_536)}` });
    refused(await ingest(project, chatty), "tool-failed");
  }));

Deno.test("review ingest takes versions as their first three numbers say", () =>
  inIngestProject({}, async (project) => {
    const versions: Record<string, boolean> = {
      "gh version 2.86.0": true,
      "gh version 3.0.0": true,
      "2.100.1": true,
      "gh version 2.85.99": false,
      "gh version 1.99.99": false,
      "gh version 2.86": false,
      "gh version 1234567890.1.1": false,
    };
    for (const [version, fits] of Object.entries(versions)) {
      const folder = ownScenario(project, { version, "list.json": basic("list@CUR1.json") });
      const ran = await ingest(project, folder);
      if (fits) assert.equal(ran.exit, 0, version);
      else refused(ran, "tool-too-old");
    }
  }));

Deno.test("review ingest without gh on PATH names how to get it", () =>
  inIngestProject({}, async (project) => {
    const outcome = await project.runWith(
      { PATH: "/nonexistent" },
      "review",
      "ingest",
      "acme/widgets",
      "--json",
    );
    // Git is looked for first: without it there is no project.
    assert.match(outcome.stderr, /not a project|no Git working tree/);
    const bin = `${project.folder}/bin`;
    Deno.mkdirSync(bin);
    Deno.symlinkSync("/usr/bin/git", `${bin}/git`);
    const without = await project.runWith(
      { PATH: bin },
      "review",
      "ingest",
      "acme/widgets",
      "--json",
    );
    assert.equal(without.exit, 1);
    assert.match(without.stderr, /tool-missing/);
  }));

Deno.test("review ingest refuses every repository for one bad allowlist entry", () =>
  inIngestProject({}, async (project) => {
    project.scenario("basic");
    for (const bad of ["../..", "./x", "a/..", "a/b/c", "é/x", "a/b\\n", "x".repeat(201)]) {
      project.write(
        "config.yaml",
        `providers:\n  review:\n    repositories: ["acme/widgets", "${bad}"]\n`,
      );
      const ran = await project.ingest();
      assert.equal(ran.exit, 1, bad);
      assert.equal(ran.stdout, "");
    }
    assert.deepEqual(project.calls(), []);
    project.write("config.yaml", 'providers:\n  review:\n    repositories: ["owner/.github"]\n');
    refused(await project.ingest(), "repository-not-allowlisted");
  }));

Deno.test("review ingest allows nothing without an allowlist and asks gh nothing", () =>
  inIngestProject({}, async (project) => {
    for (const text of ["", "providers:\n", "providers:\n  review:\n    repositories: []\n"]) {
      project.write("config.yaml", text);
      refused(await project.ingest(), "repository-not-allowlisted");
    }
    Deno.removeSync(`${project.root}/.theurian/config.yaml`);
    refused(await project.ingest(), "repository-not-allowlisted");
    refused(await project.ingest("x"), "repository-not-allowlisted");
    assert.deepEqual(project.calls(), []);
  }));

Deno.test("review ingest refuses a quoted boolean and an unquoted off before anything is fetched", () =>
  inIngestProject({}, async (project) => {
    const allowed = 'providers:\n  review:\n    repositories: ["acme/widgets"]\n';
    project.write("config.yaml", `${allowed}    redactParticipantNames: "true"\n`);
    assert.equal((await project.ingest()).exit, 1);
    project.write("config.yaml", `${allowed}security:\n  secretScan: off\n`);
    const ran = await project.ingest();
    assert.equal(ran.exit, 1);
    assert.match(ran.error!.remedy, /quotes/);
    assert.deepEqual(project.calls(), []);
  }));

Deno.test("review ingest refuses a socket in the settings of gh, naming the variable, not the value", () =>
  inIngestProject({}, async (project) => {
    project.scenario("basic");
    const config = "http_unix_socket: /tmp/evil.sock\n";
    Deno.writeTextFileSync(`${project.home}/.config/gh/config.yml`, config);
    const ran = await project.ingest();
    refused(ran, "transport-override-configured");
    assert.match(ran.error!.error, /HOME/);
    assert.ok(!JSON.stringify(ran.error).includes("evil"));
    for (const [name, chosen] of [["XDG_CONFIG_HOME", "xdg"], ["GH_CONFIG_DIR", "own"]] as const) {
      const folder = name === "XDG_CONFIG_HOME"
        ? `${project.folder}/${chosen}/gh`
        : `${project.folder}/${chosen}`;
      Deno.mkdirSync(folder, { recursive: true });
      Deno.writeTextFileSync(`${folder}/elsewhere.yml`, config);
      Deno.symlinkSync("elsewhere.yml", `${folder}/config.yml`);
      const value = `${project.folder}/${chosen}`;
      const outcome = await project.runWith(
        { [name]: value },
        "review",
        "ingest",
        "acme/widgets",
        "--json",
      );
      assert.match(outcome.stderr, new RegExp(`${name}[\\s\\S]*transport-override`));
    }
    assert.deepEqual(project.calls(), []);
  }));

Deno.test("review ingest passes settings of gh that set no socket or cannot be read", () =>
  inIngestProject({}, async (project) => {
    project.scenario("basic");
    const path = `${project.home}/.config/gh/config.yml`;
    for (
      const text of ['http_unix_socket: ""\n', "http_unix_socket: 5\n", "- a\n", "{", "x: [\n"]
    ) {
      Deno.writeTextFileSync(path, text);
      assert.equal((await project.ingest()).exit, 0, text);
    }
    Deno.writeTextFileSync(path, "#" + " ".repeat(256 * 1024) + "\nhttp_unix_socket: /x\n");
    assert.equal((await project.ingest()).exit, 0);
  }));

Deno.test("review ingest notices an allowlist and a socket that appear while it runs", () =>
  inIngestProject({}, async (project) => {
    project.scenario("basic");
    const bin = `${project.folder}/bin`;
    Deno.mkdirSync(bin);
    const script = (edit: string) => {
      Deno.writeTextFileSync(
        `${bin}/gh`,
        `#!/bin/sh\ncase "$*" in *reviewThreads*) ${edit};; esac\n` +
          `exec ${fixturePath("fake-gh/gh")} "$@"\n`,
      );
      Deno.chmodSync(`${bin}/gh`, 0o755);
    };
    const path = { PATH: `${bin}:/usr/bin:/bin` };
    const run = async () => {
      const outcome = await project.runWith(path, "review", "ingest", "acme/widgets", "--json");
      return JSON.parse(outcome.stdout);
    };
    script(`echo "http_unix_socket: /x" > "$HOME/.config/gh/config.yml"`);
    const socket = await run();
    assert.equal(socket.landed.total, 0);
    assert.match(socket.skipped[0], /#7 transport-override-configured/);
    assert.ok(socket.skippedRemedies["transport-override-configured"].length > 20);
    Deno.removeSync(`${project.home}/.config/gh/config.yml`);
    script(`echo "{}" > ${project.root}/.theurian/config.yaml`);
    const allowlist = await run();
    assert.match(allowlist.skipped[0], /#7 repository-not-allowlisted/);
    assert.deepEqual(project.files(), []);
  }));

Deno.test("review ingest keeps a respelled repository in its folder and serves nothing twice", () =>
  inIngestProject({}, async (project) => {
    await ingest(project, "basic");
    project.configure({ allowlist: ["ACME/Widgets"] });
    const ran = await ingest(project, "basic");
    assert.deepEqual([ran.exit, ran.document.new, ran.document.updated], [0, 0, 9]);
    assert.equal(ran.document.searchStore.records, 9);
    assert.ok(project.files().every((path) => path.startsWith(`${FOLDER}/`)));
    const event = JSON.parse(project.readFile(`${FOLDER}/pull-request/7.json`));
    assert.equal(event.repository, "acme/widgets");
  }));

Deno.test("review ingest leaves an unreadable record alone, names it and lands the others", () =>
  inIngestProject({}, async (project) => {
    await ingest(project, "basic");
    const path = `${FOLDER}/pull-request/7.json`;
    project.write(`review/${path}`, '{"repository": "acme/widgets", ');
    project.write(`review/${FOLDER}/review-thread/stray.json`, "[]");
    const ran = await ingest(project, "basic");
    assert.equal(ran.exit, 1);
    assert.deepEqual([ran.document.clean, ran.document.landed.total], [false, 8]);
    assert.equal(ran.document.refused.length, 2);
    assert.ok(ran.document.refused[0].includes(path));
    assert.match(ran.document.refused[0], /git log -p/);
    assert.equal(project.readFile(path), '{"repository": "acme/widgets", ');
    assert.equal(ran.document.searchStore.records, 8);
  }));

Deno.test("review ingest refuses links, folders and pipes where it writes, and says what stays", () =>
  inIngestProject({}, async (project) => {
    const kind = `${project.root}/.theurian/review/${FOLDER}/pull-request`;
    Deno.mkdirSync(kind, { recursive: true });
    Deno.writeTextFileSync(`${kind}/6.json.writing`, "a leftover");
    assert.equal((await ingest(project, "basic")).exit, 0);
    const hazards: Record<string, (path: string) => void> = {
      link: (path) => Deno.symlinkSync("/etc/passwd", path),
      folder: (path) => Deno.mkdirSync(path),
      pipe: (path) => void new Deno.Command("mkfifo", { args: [path] }).outputSync(),
    };
    for (const [name, put] of Object.entries(hazards)) {
      put(`${kind}/6.json.writing`);
      const ran = await ingest(project, "basic");
      refused(ran, "7 records of this run were written and stay");
      assert.match(ran.error!.remedy, /6\.json\.writing/, name);
      Deno.removeSync(`${kind}/6.json.writing`);
      assert.match(Deno.readTextFileSync("/etc/passwd"), /root/);
    }
  }));

Deno.test("review ingest refuses a folder that is a link, inside the root too", () =>
  inIngestProject({}, async (project) => {
    const review = `${project.root}/.theurian/review`;
    Deno.mkdirSync(`${review}/elsewhere`, { recursive: true });
    Deno.mkdirSync(`${review}/${FOLDER}`);
    Deno.symlinkSync("../elsewhere", `${review}/${FOLDER}/pull-request`);
    refused(await ingest(project, "basic"), "a folder on its way is a link; 0 records");
    assert.deepEqual([...Deno.readDirSync(`${review}/elsewhere`)], []);
  }));

Deno.test("review ingest refuses a name that differs in case alone, with a rename in two steps", () =>
  inIngestProject({}, async (project) => {
    Deno.mkdirSync(`${project.root}/.theurian/review/${FOLDER}/Pull-Request`, { recursive: true });
    const ran = await ingest(project, "basic");
    refused(ran, "differs in case alone");
    assert.match(ran.error!.remedy, /two steps/);
  }));

Deno.test("review ingest answers exit 4 for a review folder that leads out, naming its removal", () =>
  inIngestProject({}, async (project) => {
    Deno.mkdirSync(`${project.folder}/outside`);
    Deno.symlinkSync("../../outside", `${project.root}/.theurian/review`);
    const ran = await ingest(project, "basic");
    assert.equal(ran.exit, 4);
    assert.match(ran.error!.remedy, /rm \.theurian\/review`/);
    const build = await project.run("review", "build", "--json");
    assert.equal(build.exit, 4);
    assert.match(build.stderr, /rm \.theurian\/review`/);
    Deno.removeSync(`${project.root}/.theurian/review`);
    project.write("review", "a file");
    refused(await ingest(project, "basic"), "it is not a folder");
  }));

Deno.test("review ingest still prints its document when the store cannot be rebuilt", () =>
  inIngestProject({}, async (project) => {
    project.write("state/theurian-review-local.sqlite/x", "in the way");
    const ran = await ingest(project, "basic");
    assert.equal(ran.exit, 1);
    assert.deepEqual([ran.document.clean, ran.document.landed.total], [true, 9]);
    assert.equal("searchStore" in ran.document, false);
    assert.match(ran.error!.remedy, /theurian review build/);
    assert.equal(project.files().length, 9);
  }));

Deno.test("review ingest says that a store will be refused when it cannot be recorded", () =>
  inIngestProject({}, async (project) => {
    project.scenario("basic");
    const outcome = await project.runWith(
      { THEURIAN_DATA_DIR: `${project.root}/.git/HEAD` },
      "review",
      "ingest",
      "acme/widgets",
      "--json",
    );
    assert.equal(outcome.exit, 1);
    assert.match(outcome.stderr, /registry|data directory|rebuilt, but it will be refused/i);
  }));

Deno.test("review ingest takes --since as a stop mark and rebuilds also when nothing is new", () =>
  inIngestProject({}, async (project) => {
    assert.equal((await ingest(project, "basic", "--since", "6")).document.landed.total, 7);
    const none = await ingest(project, "basic", "--since", "7");
    assert.deepEqual([none.exit, none.document.clean, none.document.landed.total], [0, true, 0]);
    assert.deepEqual([none.document.kept, none.document.searchStore.records], [7, 7]);
    assert.equal(project.calls().filter((call) => call.includes("threads")).length, 2);
  }));

Deno.test("review ingest refuses a command line it cannot use with exit 2", () =>
  inIngestProject({}, async (project) => {
    for (
      const args of [[], ["a/b", "c"], ["a/b", "--limit", "x"], ["a/b", "--since", "x"]]
    ) {
      assert.equal((await project.run("review", "ingest", ...args)).exit, 2, args.join(" "));
    }
    assert.deepEqual(project.calls(), []);
  }));

Deno.test("review ingest refuses a limit out of range with exit 1, before it asks gh", () =>
  inIngestProject({}, async (project) => {
    for (const limit of ["0", "501", "-1"]) {
      refused(await ingest(project, "basic", "--limit", limit), "limit-exceeded");
    }
    assert.deepEqual(project.calls(), []);
  }));

Deno.test("review ingest bounds a record by its 8 MiB and skips the pull request that passes them", () =>
  inIngestProject({}, async (project) => {
    const threads = JSON.parse(basic("threads-7@TC1.json"));
    const [node] = threads.data.repository.pullRequest.reviewThreads.nodes;
    threads.data.repository.pullRequest.reviewThreads.nodes = [node];
    // The answer just fits; the file, with its keys and indentation, does not.
    node.comments.nodes[0].body = "";
    node.comments.nodes[0].body = "x".repeat(8_388_608 - JSON.stringify(threads).length);
    const folder = ownScenario(project, {
      "list.json": basic("list.json").replace('"hasNextPage": true', '"hasNextPage": false'),
      "threads-7.json": JSON.stringify(threads),
    });
    const ran = await ingest(project, folder);
    assert.equal(ran.exit, 1, ran.stderr);
    assert.match(ran.document.skipped[0], /#7 limit-exceeded/);
    assert.equal(ran.document.landed.pullRequests, 1);
  }));

Deno.test("review ingest shows at most four characters of a secret, on every channel", () =>
  inIngestProject({}, async (project) => {
    const ran = await ingest(project, "secrets");
    const answers = Deno.readTextFileSync(fixturePath("fake-gh/data/secrets/list.json"));
    const secret = /AKIA[0-9A-Z]{16}/.exec(answers)![0];
    assert.ok(!ran.stdout.includes(secret.slice(0, 6)) && !ran.stderr.includes(secret.slice(0, 6)));
    assert.ok(ran.stdout.includes("AKIA..."));
  }));

Deno.test("review ingest lands what stands beside errors and the golden control characters", () =>
  inIngestProject({}, async (project) => {
    assert.equal((await ingest(project, "partial")).exit, 0);
    const edge = goldenReviewPath("evidence/scenarios/edge-list1-a");
    assert.equal((await ingest(project, edge, "--limit", "500")).exit, 1);
    const text = project.readFile(`${FOLDER}/pull-request/952.json`);
    const file = goldenReviewPath("evidence/records/event-control-characters.json");
    const run = /"lastSeenRun": \{[^}]*\}/;
    assert.equal(text.replace(run, ""), Deno.readTextFileSync(file).replace(run, ""));
  }));
