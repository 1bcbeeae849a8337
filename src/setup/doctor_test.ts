import assert from "node:assert/strict";
import { join } from "node:path";
import { type Machine, newMachine } from "./_testing/machine.ts";
import { runDoctor, runSharedDoctor } from "./doctor.ts";
import { redactReport } from "./redact_report.ts";
import { runSetup } from "./run_setup.ts";

const APPLY = { dryRun: false, approveConflicts: false };
const FACTS = { platform: "linux x86_64 deno 2", version: "0.6.0" };

async function readyMachine(options: Parameters<typeof newMachine>[0] = {}): Promise<Machine> {
  const machine = newMachine(options);
  await runSetup(await machine.world(), APPLY);
  return machine;
}

function repository(machine: Machine, name: string): string {
  const root = join(machine.root, name);
  Deno.mkdirSync(join(root, ".git"), { recursive: true });
  return root;
}

Deno.test("doctor finds a ready machine healthy outside any repository, and writes nothing", async () => {
  await using machine = await readyMachine();
  const before = machine.listing();
  const report = await runDoctor(await machine.world());
  assert.deepEqual([report.healthy, report.problemCount], [true, 0]);
  assert.deepEqual(report.indexSecretScan, {
    status: "not-applicable",
    policy: null,
    findings: 0,
  });
  const outside = ["project-registered", "project-layout", "gitignore", "migrations-valid"];
  for (const step of report.steps) {
    if (outside.includes(step.id)) assert.equal(step.status, "not-applicable", step.id);
    assert.equal(step.outcome, "not-attempted");
  }
  assert.deepEqual(machine.listing(), before);
});

Deno.test("doctor counts what is missing and conflicting, and nothing else", async () => {
  await using machine = await readyMachine();
  const env = join(machine.dataDirectory, "env");
  Deno.writeTextFileSync(env, "THEURIAN_MCP_TOKEN=x\n", { append: true });
  const cwd = repository(machine, "fresh");
  const report = await runDoctor(await machine.world({ cwd }));
  const open = report.steps.filter(({ status }) => ["missing", "conflicting"].includes(status));
  assert.deepEqual(open.map(({ id }) => id), ["project-registered", "project-layout", "gitignore"]);
  assert.equal(report.problemCount, 3);
  assert.equal(report.healthy, false);
});

Deno.test("doctor finds the repository from a directory below it, also by a .git file", async () => {
  await using machine = await readyMachine();
  const root = join(machine.root, "worktree");
  Deno.mkdirSync(join(root, "deep/er"), { recursive: true });
  Deno.writeTextFileSync(join(root, ".git"), "gitdir: elsewhere\n");
  const report = await runDoctor(await machine.world({ cwd: join(root, "deep/er") }));
  assert.equal(report.steps.find(({ id }) => id === "project-layout")!.status, "missing");
});

Deno.test("doctor reports a short token, a bad profile and a damaged registry as conflicts", async () => {
  await using machine = await readyMachine();
  const { dataDirectory } = machine;
  Deno.writeTextFileSync(join(dataDirectory, "auth/mcp-token"), "short");
  Deno.writeTextFileSync(join(dataDirectory, "auth/serving-profile"), "everything", {
    mode: 0o600,
  });
  Deno.writeTextFileSync(join(dataDirectory, "projects.json"), "{bad");
  const report = await runDoctor(await machine.world({ cwd: repository(machine, "r") }));
  for (const id of ["token", "serving-profile", "project-registered"] as const) {
    assert.equal(report.steps.find((step) => step.id === id)!.status, "conflicting", id);
  }
});

Deno.test("doctor --report holds nothing of the user but what we authored", async () => {
  await using machine = await readyMachine();
  const { home, dataDirectory, root } = machine;
  const secret = "hunter2";
  const unit = join(home, ".config/systemd/user/theurian.service");
  Deno.writeTextFileSync(
    unit,
    Deno.readTextFileSync(unit)
      .replace("RestartSec=5", `RestartSec=9\nEnvironment=SECRET=${secret}\nUnknownKey=x`),
  );
  const client = join(home, ".claude.json");
  const content = JSON.parse(Deno.readTextFileSync(client));
  content.mcpServers.theurian.env = { OTHER_NAME: secret };
  content.mcpServers.theurian.url = "http://127.0.0.1:1/mcp";
  Deno.writeTextFileSync(client, JSON.stringify(content));
  Deno.writeTextFileSync(
    join(dataDirectory, "projects.json"),
    JSON.stringify({ "secret-project": { rootPath: "relative" } }),
  );
  Deno.writeTextFileSync(join(dataDirectory, "auth/serving-profile"), `${secret}`, { mode: 0o600 });
  const cwd = repository(machine, "private-repository");
  const report = await runSharedDoctor(await machine.world({ cwd, withhold: true }), FACTS);
  const text = JSON.stringify(report);
  const token = Deno.readTextFileSync(join(dataDirectory, "auth/mcp-token"));
  for (
    const word of [
      secret,
      token,
      home,
      root,
      "SECRET",
      "UnknownKey",
      "OTHER_NAME",
      "secret-project",
      "private-repository",
    ]
  ) assert.ok(!text.includes(word), `${word} in ${text}`);
  assert.equal(report.redacted, true);
  assert.deepEqual([report.platform, report.version], [FACTS.platform, FACTS.version]);
  const detail = (id: string) => report.steps.find((step) => step.id === id)!.detail;
  assert.equal(detail("daemon-service"), "differing: RestartSec; 2 other");
  assert.equal(detail("mcp-connection"), "differing: url; 1 other");
  assert.equal(detail("project-registered"), "1 entries");
  assert.equal(detail("serving-profile"), "serving-profile-invalid");
});

Deno.test("doctor --report names another daemon's directory by no path", async () => {
  await using machine = await readyMachine({ health: { dataDir: "/home/grace/.theurian" } });
  const report = await runSharedDoctor(await machine.world({ withhold: true }), FACTS);
  assert.ok(!JSON.stringify(report).includes("grace"));
  const step = report.steps.find(({ id }) => id === "single-instance")!;
  assert.equal(step.detail, "<another data directory>");
});

Deno.test("doctor --report replaces the longest path first, in both spellings", async () => {
  await using machine = await readyMachine({ data: "elsewhere" });
  const link = join(machine.root, "linked-home");
  Deno.symlinkSync(machine.home, link);
  const world = await machine.world({ withhold: true, home: link });
  const { dataDirectory, home } = machine;
  const texts = {
    token: `${dataDirectory}/auth/mcp-token`,
    data: `${dataDirectory}/env`,
    home: `${link}/.claude.json and ${home}/x`,
    other: `${home}-of-another/x`,
  };
  assert.deepEqual(redactReport(texts, world, null), {
    token: "<token file>",
    data: "<data directory>/env",
    home: "~/.claude.json and ~/x",
    other: texts.other,
  });
});

Deno.test("redacting what was probed without withholding is refused as a defect", async () => {
  await using machine = newMachine();
  const world = await machine.world();
  assert.throws(() => redactReport({}, world, null), TypeError);
});
