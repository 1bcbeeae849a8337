/**
 * The Claude Code plugin as an artefact: its files, its grants, its hook (cli-and-plugins.md section
 * 4).
 *
 * @module
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import compatibilitySchema from "../../schemas/protocol/compatibility.schema.json" with {
  type: "json",
};
import {
  CORE_MISSING,
  CORE_VERSION,
  declarationOf,
  judge,
  PROTOCOL_VERSION,
} from "../../src/compat/mod.ts";
import { grantFlags } from "../../src/platform/grants.ts";
import { parseYaml } from "../../src/platform/yaml/mod.ts";

const ROOT = new URL("../../", import.meta.url).pathname;
const PLUGIN = join(ROOT, "plugins/claude-code");
const read = (path: string) => Deno.readTextFileSync(join(PLUGIN, path));
const readJson = (path: string) => JSON.parse(read(path));

const GRANTS: Readonly<Record<string, readonly string[]>> = {
  "setup": ["Bash(theurian:*)", "Bash(command -v:*)", "Read"],
  "status": ["Bash(theurian:*)", "Bash(curl:*)"],
  "doctor": ["Bash(theurian:*)", "Bash(curl:*)", "Read"],
  "register-project": ["Bash(theurian:*)", "Bash(git:*)"],
  "unregister-project": ["Bash(theurian:*)"],
  "index": ["Bash(theurian:*)"],
  "reindex": ["Bash(theurian:*)"],
  "migrate": ["Bash(theurian:*)", "Read"],
  "ingest": ["Bash(theurian:*)"],
  "propose": ["Bash(theurian:*)", "Read", "Write(.theurian/proposals/**)"],
  "upgrade": ["Bash(theurian:*)", "Read"],
  "uninstall": ["Bash(theurian:*)"],
};

function tree(folder: string, prefix = ""): string[] {
  return [...Deno.readDirSync(folder)].flatMap((entry) =>
    entry.isDirectory
      ? tree(join(folder, entry.name), `${prefix}${entry.name}/`)
      : [`${prefix}${entry.name}`]
  ).sort();
}

Deno.test("the plugin holds exactly its files, and no program of its own", () => {
  assert.deepEqual(
    tree(PLUGIN),
    [
      ...[".claude-plugin/plugin.json", "CHANGELOG.md", "LICENSE", "README.md"],
      ...Object.keys(GRANTS).map((name) => `commands/${name}.md`),
      ...["compatibility.yaml", "hooks/hooks.json", "mcp/theurian.mcp.json"],
      ...["scripts/lib.sh", "scripts/session-start.sh"],
    ].sort(),
  );
});

Deno.test("the manifest lists no server, and one version stands everywhere", () => {
  const manifest = readJson(".claude-plugin/plugin.json");
  assert.deepEqual(Object.keys(manifest), [
    ...["$schema", "name", "displayName", "version", "description", "author", "homepage"],
    ...["repository", "license", "keywords", "hooks"],
  ]);
  assert.deepEqual([manifest.name, manifest.license, manifest.hooks], [
    "theurian",
    "Apache-2.0",
    "./hooks/hooks.json",
  ]);
  assert.deepEqual(Object.keys(manifest.author), ["name", "url"]);
  const market = JSON.parse(Deno.readTextFileSync(join(ROOT, ".claude-plugin/marketplace.json")));
  assert.equal(market.name, "theurian-plugins");
  assert.deepEqual([market.plugins[0].name, market.plugins[0].source], [
    "theurian",
    "./plugins/claude-code",
  ]);
  const versions = [
    manifest.version,
    market.plugins[0].version,
    declaration().pluginVersion,
    /^## (\S+)/m.exec(read("CHANGELOG.md"))?.[1],
  ];
  assert.equal(new Set(versions).size, 1, versions.join());
});

Deno.test("the server template holds no command, no other host and no token", () => {
  assert.deepEqual(readJson("mcp/theurian.mcp.json"), {
    mcpServers: {
      theurian: {
        type: "http",
        url: "http://127.0.0.1:7419/mcp",
        headers: { Authorization: "Bearer ${THEURIAN_MCP_TOKEN}" },
      },
    },
  });
});

Deno.test("the one hook runs at the start of a session, for five seconds at most", () => {
  assert.deepEqual(readJson("hooks/hooks.json"), {
    hooks: {
      SessionStart: [{
        hooks: [{
          type: "command",
          command: '"${CLAUDE_PLUGIN_ROOT}"/scripts/session-start.sh',
          timeout: 5,
        }],
      }],
    },
  });
});

Deno.test("each command has a description and exactly its grants", () => {
  for (const [name, grants] of Object.entries(GRANTS)) {
    const [, front] = read(`commands/${name}.md`).split("---\n");
    const lines = Object.fromEntries(
      front!.trim().split("\n").map((line) => line.split(/: (.*)/).slice(0, 2)),
    );
    assert.deepEqual(Object.keys(lines), ["description", "allowed-tools"], name);
    assert(lines["description"]!.length > 10);
    assert.equal(lines["allowed-tools"], grants.join(", "), name);
  }
});

Deno.test("each command's document states its rules", () => {
  const rules: Readonly<Record<string, readonly RegExp[]>> = {
    setup: [
      /does not install Core/,
      /never edits a configuration file itself/,
      /show the plan/,
      /everything is in place and stop/,
      /conflicting.*ask/,
      /never overwritten/,
      /clear yes/,
      /degraded.*done too.*warnings/,
      /`plan-built`, `awaiting-consent`, `halted`, `aborted`: the `status` values are the plan/,
      /`halted`.*`changedPaths`.*keep it.*`theurian auth rotate`.*delete it/,
    ],
    status: [/changes nothing/, /checksum mismatch.*comes first/],
    doctor: [/Never repair/, /This output is private/, /--report/, /read it once more/],
    "register-project": [/git rev-parse --show-toplevel/, /theurian init --json/],
    "unregister-project": [/never deleted/, /clear answer/],
    index: [
      /1 or 4: nothing was published/,
      /6: published/,
      /relay the `remedy`/i,
      /only when the user says yes/i,
    ],
    reindex: [
      /On exit 1 or 4 nothing was published: relay the `remedy` and stop here/,
      /Only after a build that published/,
      /--dry-run/,
      /on a yes/,
    ],
    migrate: [
      /status.*validate.*apply/,
      /Never "fix" a recorded checksum/,
      /never merge two sides of a revision conflict/,
      /cycle list the migrations/,
      /only on a yes/,
    ],
    ingest: [/approves nothing/],
    propose: [
      /cannot approve/,
      /evidence is required/,
      /`--author` is the person you work for, never you/,
      /4 means that the project's knowledge state refuses, which is neither "already done" nor a reason to draft again/,
      /Never run `theurian migrate apply`/,
    ],
    upgrade: [
      /print `message` and `remedy` word for word/,
      /Never run the upgrade/,
      /never download/,
      /never downgrade/,
    ],
    uninstall: [
      /never deleted/,
      /no option that deletes them/,
      /on its own/,
      /--dry-run.*On a yes/,
    ],
  };
  for (const [name, patterns] of Object.entries(rules)) {
    const text = read(`commands/${name}.md`).replace(/\s+/g, " ");
    for (const pattern of patterns) assert.match(text, pattern, name);
  }
});

Deno.test("the upgrade document asks with the values that the plugin declares", () => {
  const { pluginVersion, coreMinimum, coreMaximumExclusive, protocolVersion } = declaration();
  assert(
    read("commands/upgrade.md").includes(
      `theurian compat check --plugin-version ${pluginVersion} --core-minimum ${coreMinimum} ` +
        `--core-maximum-exclusive ${coreMaximumExclusive} --protocol-version ${protocolVersion} --json`,
    ),
  );
});

Deno.test("every place that says how to get Core says it alike, before setup", () => {
  const places: Readonly<Record<string, string>> = {
    "the hook": read("scripts/session-start.sh"),
    "the setup document": read("commands/setup.md"),
    "the plugin's page": read("README.md"),
    "the verdict without Core": CORE_MISSING.remedy,
    "the verdict of an old Core": remedyFor("0.1.0"),
  };
  for (const [place, text] of Object.entries(places)) {
    const words = text.replaceAll("`", "").replace(/\s+/g, " ");
    const at = words.search(
      /download the archive for (?:your|their) platform and SHA256SUMS from the Theurian release page, verify the checksum and put theurian on PATH, or (?:to )?run the release's install\.sh/,
    );
    assert(at >= 0, place);
    const setup = words.indexOf("/theurian:setup", 200);
    assert(setup === -1 || at < setup, place);
  }
});

function remedyFor(core: string): string {
  const verdict = judge(declaration(), { version: core, protocol: PROTOCOL_VERSION });
  assert("remedy" in verdict);
  return verdict.remedy;
}

Deno.test("the scripts ask the program alone, and change nothing of the machine", () => {
  for (const name of ["lib.sh", "session-start.sh"]) {
    const script = read(`scripts/${name}`).replace(/^\s*#.*$/gm, "").replace(/"[^"]*"/g, '""');
    const forbidden =
      /\b(?:curl|wget|jq|python3?|node|deno|nc|perl|awk|sudo|rm|mv|cp|mkdir|touch|tee|install|uv|pipx|eval|theurian (?:setup|init|index|migrate|project|upgrade|daemon))\b|>>|>\s*[^&\s/]/;
    assert(!forbidden.test(script), forbidden.exec(script)?.[0]);
  }
});

function declaration() {
  const value = parseYaml(new TextEncoder().encode(read("compatibility.yaml")), "it").value;
  const declared = declarationOf(value);
  assert(!("fault" in declared), JSON.stringify(declared));
  return declared;
}

Deno.test("the declaration fits its schema and this Core", () => {
  const value = parseYaml(new TextEncoder().encode(read("compatibility.yaml")), "it").value;
  assert(new Ajv2020().compile(compatibilitySchema)(JSON.parse(JSON.stringify(value))));
  const verdict = judge(declaration(), { version: CORE_VERSION, protocol: PROTOCOL_VERSION });
  assert.equal(verdict.outcome, "compatible");
  const floor = judge(declaration(), { version: "0.6.0.dev0", protocol: PROTOCOL_VERSION });
  assert.equal(floor.outcome, "compatible");
});

async function shell(script: string, env: Record<string, string>, stdin = "") {
  const child = new Deno.Command("sh", {
    args: ["-c", script],
    env: { HOME: "/nonexistent", ...env },
    clearEnv: true,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(stdin)).catch(() => {});
  await writer.close().catch(() => {});
  const { code, stdout, stderr } = await child.output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, stdout: text(stdout), stderr: text(stderr) };
}

Deno.test("the hook's line reader reads what a YAML parser reads", async () => {
  const script =
    `. "${PLUGIN}/scripts/lib.sh"; for key in pluginVersion minimum maximumExclusive ` +
    `protocolVersion; do declared "$key" "${PLUGIN}/compatibility.yaml"; done`;
  const { stdout } = await shell(script, { PATH: "/usr/bin:/bin" });
  const { pluginVersion, coreMinimum, coreMaximumExclusive, protocolVersion } = declaration();
  assert.deepEqual(stdout.trim().split("\n"), [
    pluginVersion,
    coreMinimum,
    coreMaximumExclusive,
    protocolVersion,
  ]);
});

/** Runs the hook with a folder on `PATH` that holds the system's tools and, if given, a `theurian`. */
async function hook(theurian: string | null, env: Record<string, string> = {}) {
  const folder = Deno.makeTempDirSync({ prefix: "theurian-hook-" });
  try {
    if (theurian !== null) {
      Deno.writeTextFileSync(join(folder, "theurian"), `#!/bin/sh\n${theurian}\n`, { mode: 0o755 });
    }
    const start = performance.now();
    const outcome = await shell(
      `cd "${folder}" && exec "${PLUGIN}/scripts/session-start.sh"`,
      { PATH: `${folder}:/usr/bin:/bin`, HOME: folder, CLAUDE_PLUGIN_ROOT: PLUGIN, ...env },
      '{"session_id": "secret-session", "cwd": "/x"}',
    );
    assert.equal(outcome.code, 0);
    assert(!(outcome.stdout + outcome.stderr).includes("secret-session"));
    const message = outcome.stdout === "" ? "" : JSON.parse(outcome.stdout).systemMessage as string;
    if (message !== "") assert.match(message, /^Theurian: /);
    assert.match(outcome.stderr, /^(Theurian: [^\n]*\n)?$/);
    return { message, took: performance.now() - start };
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

Deno.test("the hook without Core names the installer before setup", async () => {
  const { message } = await hook(null);
  assert(message.indexOf("SHA256SUMS") > 0);
  assert(message.indexOf("SHA256SUMS") < message.indexOf("/theurian:setup"));
  const alone = await hook(null, { CLAUDE_PLUGIN_ROOT: "" });
  assert.equal(alone.message, message);
});

Deno.test("the hook passes on what Core answers, and is silent when all is well", async () => {
  assert.equal((await hook("echo '{}'")).message, "");
  assert.equal(
    (await hook(`echo '{"systemMessage": "Theurian: x"}'; echo noise >&2`)).message,
    "Theurian: x",
  );
});

Deno.test("the hook explains a Core that does not know the session check", async () => {
  const core = (code: number, text: string) =>
    `case $1 in hook) echo usage >&2; exit 2;; compat) echo "${text}"; exit ${code};; esac`;
  const old = await hook(
    core(3, 'outcome: core-too-old\nmessage: Too \\"old\\".\nremedy: Upgrade.'),
  );
  assert.equal(old.message, 'Theurian: Too "old". Upgrade. ');
  assert.match((await hook(core(3, ""))).message, /do not match/);
  assert.match((await hook(core(2, ""))).message, /compatibility\.yaml/);
  assert.match((await hook(core(0, ""))).message, /could not be checked.*\/theurian:doctor/);
  assert.match((await hook("exit 127")).message, /could not be checked/);
});

Deno.test("the hook takes a port from the environment only when it is a number", async () => {
  const echo = `echo "{\\"systemMessage\\": \\"Theurian: $*\\"}"`;
  assert.match((await hook(echo, { THEURIAN_PORT: "17419" })).message, /--port 17419 /);
  assert.match((await hook(echo, { THEURIAN_PORT: "1; rm -rf /" })).message, /--port 7419 /);
});

Deno.test("the hook with the real program and a port that hangs ends within five seconds", async () => {
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    () => new Promise((done) => setTimeout(() => done(new Response()), 4_500)),
  );
  const named = Deno.env.get("THEURIAN_BINARY");
  const binary = named === "source" ? undefined : named;
  const cache = Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`;
  const program = binary === undefined
    ? `DENO_DIR="${cache}" exec "${Deno.execPath()}" run --quiet --no-check ` +
      `${grantFlags().join(" ")} "${ROOT}main.ts" "$@"`
    : `exec "${binary}" "$@"`;
  const { message, took } = await hook(program, { THEURIAN_PORT: `${server.addr.port}` });
  assert.match(message, /\/theurian:doctor/);
  assert(took < 5_000, `${took} ms`);
  await server.shutdown();
});

Deno.test("the scripts are POSIX shell, executable, and clean for the linter that is here", async () => {
  assert.equal(Deno.statSync(join(PLUGIN, "scripts/session-start.sh")).mode! & 0o111, 0o111);
  for (const name of ["lib.sh", "session-start.sh"]) {
    const path = join(PLUGIN, "scripts", name);
    assert.equal((await shell(`sh -n "${path}"`, { PATH: "/usr/bin:/bin" })).code, 0);
    const lint = await shell(
      `command -v shellcheck >/dev/null || exit 0; shellcheck -x -P "${PLUGIN}/scripts" "${path}"`,
      { PATH: Deno.env.get("PATH") ?? "" },
    );
    assert.equal(lint.code, 0, lint.stdout);
  }
});
