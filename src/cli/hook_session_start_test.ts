import assert from "node:assert/strict";
import { join } from "node:path";
import { IMPLEMENTATION } from "../daemon/mod.ts";
import { temporaryRepository } from "../../tests/support/temporary_repository.ts";
import { writeMigration } from "../../tests/support/corpus.ts";
import { runForTest } from "./test_world.ts";

type Repository = ReturnType<typeof temporaryRepository>;

const DECLARATION = "pluginVersion: 0.1.0\ncoreCompatibility:\n  minimum: 0.6.0-dev.0\n" +
  "  maximumExclusive: 0.7.0\nprotocolVersion: theurian/v1\n";

async function hook(repository: Repository, port: number, declaration = DECLARATION, more = "") {
  const file = join(repository.folder, "compatibility.yaml");
  Deno.writeTextFileSync(file, declaration);
  // A machine with Git and without a service manager.
  const bin = join(repository.folder, "bin");
  if (!Array.from(Deno.readDirSync(repository.folder)).some(({ name }) => name === "bin")) {
    Deno.mkdirSync(bin);
    Deno.symlinkSync(gitProgram(), join(bin, "git"));
  }
  const { exit, stdout, stderr } = await runForTest(
    [
      ...["hook", "session-start", "--declaration", file, "--port", `${port}`, "--json"],
      ...(more === "" ? [] : [more]),
    ],
    { cwd: repository.root, environment: { ...repository.environment, PATH: bin } },
  );
  assert.deepEqual([exit, stderr], [0, ""]);
  const document = JSON.parse(stdout);
  const message = document.systemMessage as string | undefined;
  if (message !== undefined) {
    assert.match(message, /^Theurian: /);
    assert.equal(document.hookSpecificOutput.hookEventName, "SessionStart");
    assert(document.hookSpecificOutput.additionalContext.startsWith(message));
  } else assert.deepEqual(document, {});
  return message ?? "";
}

function gitProgram(): string {
  const found = (Deno.env.get("PATH") ?? "").split(":").map((folder) => join(folder, "git"))
    .find((path) => {
      try {
        return Deno.statSync(path).isFile;
      } catch {
        return false;
      }
    });
  return found ?? assert.fail("Git is not installed");
}

function serving(answer: (request: Request) => Response | Promise<Response>) {
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, answer);
  return {
    port: server.addr.port,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

const healthy = (implementation: string = IMPLEMENTATION) =>
  serving(() =>
    Response.json({
      status: "ok",
      version: "0.6.0",
      protocolVersion: "theurian/v1",
      dataDir: "/x",
      startedAt: "2026-08-01T00:00:00.000000+00:00",
      implementation,
    })
  );

function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}

async function run(repository: Repository, ...args: string[]) {
  const { cwd, environment } = { cwd: repository.root, environment: repository.environment };
  const outcome = await runForTest(args, { cwd, environment });
  assert.equal(outcome.exit, 0, outcome.stderr);
}

Deno.test("the hook stops at versions that do not match, with the verdict's own words", async () => {
  using repository = temporaryRepository();
  const port = freePort();
  const old = await hook(repository, port, DECLARATION.replace("0.6.0-dev.0", "0.6.5"));
  assert.match(old, /older than 0\.6\.5.*new session/);
  const wire = await hook(repository, port, DECLARATION.replace("theurian/v1", "theurian/v2"));
  assert.match(wire, /theurian\/v2/);
});

Deno.test("the hook warns of a declaration that cannot be used", async () => {
  using repository = temporaryRepository();
  const port = freePort();
  assert.match(await hook(repository, port, "x: ["), /compatibility\.yaml cannot be used/);
  assert.match(
    await hook(repository, port, DECLARATION.replace("0.7.0", "0.5.0")),
    /cannot be used/,
  );
});

Deno.test("the hook names setup when nothing serves and no service can be resumed", async () => {
  using repository = temporaryRepository();
  assert.match(await hook(repository, freePort()), /the daemon is not running.*\/theurian:setup/);
});

Deno.test("the hook names the doctor for a foreign program and for another implementation", async () => {
  using repository = temporaryRepository();
  await using web = serving(() => new Response("{}"));
  assert.match(
    await hook(repository, web.port),
    /does not answer as a Theurian.*\/theurian:doctor/,
  );
  await using other = healthy("another");
  assert.match(await hook(repository, other.port), /another implementation.*\/theurian:doctor/);
});

Deno.test("the hook with a port that hangs is over well within the host's five seconds", async () => {
  using repository = temporaryRepository();
  await using silent = serving(() =>
    new Promise((done) => setTimeout(() => done(new Response()), 4_000))
  );
  const start = performance.now();
  assert.match(await hook(repository, silent.port), /doctor/);
  assert(performance.now() - start < 3_500);
});

Deno.test("the hook suggests one next step at a time, and is silent when all is well", async () => {
  using repository = temporaryRepository();
  await using daemon = healthy();
  const next = () => hook(repository, daemon.port);
  assert.match(await next(), /not registered.*\/theurian:register-project/);
  await run(repository, "project", "register");
  writeMigration(repository, 1, [{ itemId: "a" }]);
  repository.commit();
  assert.match(await next(), /not applied.*\/theurian:migrate/);
  await run(repository, "migrate", "apply");
  assert.match(await next(), /out of date.*\/theurian:index/);
  await run(repository, "index", "build");
  assert.equal(await next(), "");
  repository.write(".theurian/migrations/bad.yaml", "x: [");
  assert.match(await next(), /bad\.yaml/);
});

Deno.test("the hook makes no claim outside a repository or over a registry it cannot read", async () => {
  using repository = temporaryRepository();
  await using daemon = healthy();
  const outside = { ...repository, root: repository.folder, [Symbol.dispose]: () => {} };
  assert.equal(await hook(outside, daemon.port), "");
  Deno.mkdirSync(repository.dataDirectory);
  Deno.writeTextFileSync(
    join(repository.dataDirectory, "projects.json"),
    '{"x": {"rootPath": "."}}',
  );
  assert.equal(await hook(repository, daemon.port), "");
});

Deno.test("the hook shows an escaping project as its one warning", async () => {
  using repository = temporaryRepository();
  await using daemon = healthy();
  Deno.symlinkSync(repository.folder, join(repository.root, ".theurian"));
  assert.match(await hook(repository, daemon.port), /\.theurian/);
});
