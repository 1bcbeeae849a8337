import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { type FaultCode, isFault } from "../platform/errors.ts";
import { openForReading } from "../platform/sqlite/mod.ts";
import { decodeBase64Text, goldenLines } from "../../tests/support/golden_lines.ts";
import { inScratchProject, type ScratchProject } from "../../tests/support/scratch_project.ts";
import { readBuildFacts } from "./build_facts.ts";
import type { BuildOptions } from "./build_index.ts";

interface GoldenBuild {
  name: string;
  flags: string[];
  filesB64: Record<string, string>;
  expect: { exit: number; stateHash: string; chunks: number; secretFindings: string[] };
}

const LONG = "Some words that fill a passage. ".repeat(10);
const token = (n = 1) => "sk-" + "a1".repeat(11 + n);

async function refuses(
  scratch: ScratchProject,
  fault: FaultCode,
  exit: number,
  options: Partial<BuildOptions> = {},
): Promise<string> {
  let said = "";
  await assert.rejects(scratch.build(options), (error) => {
    assert.ok(isFault(error, fault), String(error));
    assert.equal(error.exit, exit);
    said = `${error.message}\n${error.remedy}`;
    return true;
  });
  return said;
}

Deno.test("a build reports the golden findings of every channel, in order, twenty at most", async () => {
  const builds = goldenLines<GoldenBuild>("golden-index/secret-builds");
  assert.equal(builds.length, 3);
  for (const golden of builds) {
    await inScratchProject(async (scratch) => {
      for (const [path, base64] of Object.entries(golden.filesB64)) {
        Deno.mkdirSync(dirname(scratch.at(path)), { recursive: true });
        Deno.writeTextFileSync(scratch.at(path), decodeBase64Text(base64));
      }
      await scratch.apply();
      const includeUnapproved = golden.flags.includes("--include-unapproved");
      const { report, exit } = await scratch.build({ includeUnapproved });
      assert.deepEqual(
        {
          exit,
          stateHash: report.stateHash,
          chunks: report.chunks,
          secretFindings: report.secretFindings,
        },
        golden.expect,
        golden.name,
      );
      assert.equal(report.published, true);
      assert.ok(report.remedy);
    });
  }
});

Deno.test("a build writes one file, the pointer and the record, and answers twelve keys", async () => {
  await inScratchProject(async (scratch) => {
    scratch.add({ "a.one": { title: "One", body: `# One\n\n${LONG}` } });
    await scratch.apply();
    const { report, exit } = await scratch.build();
    assert.equal(exit, 0);
    assert.deepEqual(Object.keys(report), [
      "indexBuildId",
      "stateHash",
      "indexPath",
      "chunks",
      "embeddings",
      "embeddingModel",
      "indexesUnapproved",
      "raptor",
      "nodes",
      "secretScanPolicy",
      "secretFindings",
      "published",
    ]);
    assert.equal(report.indexPath, scratch.state(`theurian-index-${report.indexBuildId}.sqlite`));
    assert.deepEqual(scratch.stateFiles().filter((name) => name.includes("index")), [
      "active-index.json",
      "index-secret-scan.json",
      `theurian-index-${report.indexBuildId}.sqlite`,
    ]);
    const pointer = Deno.readTextFileSync(scratch.state("active-index.json"));
    assert.equal(
      pointer,
      JSON.stringify(
        {
          indexBuildId: report.indexBuildId,
          stateHash: report.stateHash,
          projectId: "demo",
          indexesUnapproved: false,
          indexedSensitivities: ["public", "internal"],
          purgeFailed: false,
          stamp: "theurian-deno",
        },
        null,
        2,
      ),
    );
    assert.equal(
      Deno.readTextFileSync(scratch.state("index-secret-scan.json")),
      JSON.stringify({ indexBuildId: report.indexBuildId, policy: "block", findings: 0 }, null, 2),
    );
    using file = openForReading(report.indexPath);
    const facts = readBuildFacts(file)!;
    assert.equal(facts.builtAt, "2026-03-10T09:30:00.000000+00:00");
    assert.equal(facts.chunkCount, report.chunks);
    assert.equal(report.embeddings, report.chunks);
  });
});

Deno.test("a build without an applied state is refused, and so is one over a foreign state", async () => {
  await inScratchProject(async (scratch) => {
    scratch.add({ "a.one": { body: LONG } });
    assert.match(await refuses(scratch, "state-unbuilt", 1), /theurian migrate apply/);
    await scratch.apply();
    Deno.removeSync(join(scratch.dataDirectory, "built-here.json"));
    await refuses(scratch, "state-untrusted", 1);
    assert.ok(!scratch.stateFiles().some((name) => name.includes("index")));
  });
});

Deno.test("a build over a state database that is damaged, missing or elsewhere ends with 1", async () => {
  await inScratchProject(async (scratch) => {
    scratch.add({ "a.one": { body: LONG } });
    await scratch.apply();
    const active = scratch.state("active.json");
    const pointer = JSON.parse(Deno.readTextFileSync(active));
    const database = scratch.state(pointer.databaseFilename);
    const bytes = Deno.readFileSync(database);
    Deno.writeTextFileSync(database, "garbage ".repeat(2000));
    await assert.rejects(scratch.build(), (error) => isFault(error) && error.exit === 1);
    Deno.removeSync(database);
    await refuses(scratch, "state-unbuilt", 1);
    const outside = `${scratch.dataDirectory}/outside.sqlite`;
    Deno.writeFileSync(outside, bytes);
    Deno.writeTextFileSync(
      active,
      JSON.stringify({ ...pointer, databaseFilename: "../../../data/outside.sqlite" }),
    );
    await refuses(scratch, "path-escape", 1);
    assert.ok(!scratch.stateFiles().some((name) => name.includes("index")));
  });
});

Deno.test("nothing to index publishes an empty index: no knowledge, all retired, all above the ceiling", async () => {
  await inScratchProject(async (scratch) => {
    await scratch.apply();
    assert.equal((await scratch.build()).report.chunks, 0);
    scratch.add({ "a.one": { body: LONG, sensitivity: "confidential" } });
    scratch.migrate(
      ...scratch.revise("a.two", { body: LONG }),
      { op: "deprecateItem", itemId: "a.two", reason: "gone" },
    );
    await scratch.apply();
    const { report, exit } = await scratch.build({ raptor: true });
    assert.equal(exit, 0);
    assert.equal(report.chunks, 0);
    assert.equal(report.published, true);
  });
});

Deno.test("a build under another id than the state's is refused, naming both ids and the count", async () => {
  await inScratchProject(async (scratch) => {
    scratch.add({ "a.one": { body: LONG }, "a.two": { body: LONG } });
    await scratch.apply();
    await scratch.build();
    const pointer = Deno.readTextFileSync(scratch.state("active-index.json"));
    scratch.project = { ...scratch.project, projectId: "renamed" };
    const said = await refuses(scratch, "build-failed", 1);
    assert.match(said, /demo/);
    assert.match(said, /renamed/);
    assert.match(said, /\b2\b/);
    assert.equal(Deno.readTextFileSync(scratch.state("active-index.json")), pointer);
    assert.ok(!scratch.stateFiles().some((name) => name.endsWith(".building")));
  });
});

Deno.test("a finding ends a published build with 6 under block, with 0 under warn and off", async () => {
  await inScratchProject(async (scratch) => {
    scratch.add({ "a.one": { body: `key ${token()}\n\n${LONG}` } });
    await scratch.apply();
    const configure = (text: string) => Deno.writeTextFileSync(scratch.project.paths.config, text);
    const blocked = await scratch.build();
    assert.equal(blocked.exit, 6);
    assert.equal(blocked.report.secretScanPolicy, "block");
    assert.deepEqual(blocked.report.secretFindings, ["a.one:3:5: openai-api-key (sk-a...)"]);
    configure('security:\n  secretScan: "warn"\n');
    const warned = await scratch.build();
    assert.equal(warned.exit, 0);
    assert.deepEqual(warned.report.secretFindings, blocked.report.secretFindings);
    assert.equal(warned.report.remedy, blocked.report.remedy);
    configure('security:\n  secretScan: "off"\n');
    const off = await scratch.build();
    assert.equal(off.exit, 0);
    assert.deepEqual(off.report.secretFindings, []);
    assert.equal("remedy" in off.report, false);
    configure("security:\n  secretScan: off\n");
    const pointer = Deno.readTextFileSync(scratch.state("active-index.json"));
    await refuses(scratch, "configuration-invalid", 1);
    for (const bad of ["  secretScan:", "  secretScan: Block", "  secretScan: [a]"]) {
      configure(`security:\n${bad}\n`);
      await refuses(scratch, "configuration-invalid", 1);
    }
    assert.equal(Deno.readTextFileSync(scratch.state("active-index.json")), pointer);
    configure("security:\n");
    assert.equal((await scratch.build()).exit, 6);
  });
});

Deno.test("a build reports twenty findings, and the rest once those are gone", async () => {
  await inScratchProject(async (scratch) => {
    scratch.add({
      "a.one": { body: `${token()} ${LONG}\n`.repeat(40) },
      "a.two": { body: `x ${token()} ${LONG}` },
    });
    await scratch.apply();
    const first = (await scratch.build()).report.secretFindings;
    assert.equal(first.length, 20);
    assert.ok(first.every((line) => line.startsWith("a.one:")));
    scratch.add({ "a.one": { body: LONG } });
    await scratch.apply();
    const rest = await scratch.build();
    assert.deepEqual(rest.report.secretFindings, ["a.two:3:3: openai-api-key (sk-a...)"]);
  });
});

Deno.test("drafts are in a build only when asked for, and gone from the next plain one", async () => {
  await inScratchProject(async (scratch) => {
    scratch.add({
      "a.one": { body: LONG },
      "a.two": { body: `quagga ${LONG}`, status: "draft" },
      "a.tri": { body: `numbat ${LONG}`, status: "proposed" },
    });
    await scratch.apply();
    const wide = await scratch.build({ includeUnapproved: true });
    assert.equal(wide.report.indexesUnapproved, true);
    assert.equal(wide.report.chunks, 3);
    const plain = await scratch.build();
    assert.equal(plain.report.chunks, 1);
    const bytes = new TextDecoder("latin1").decode(Deno.readFileSync(plain.report.indexPath));
    assert.ok(!bytes.includes("quagga") && !bytes.includes("numbat"));
  });
});

Deno.test("the ceiling decides what is in the file, and a bad profile stops the build", async () => {
  await inScratchProject(async (scratch) => {
    scratch.add({
      "a.one": { body: LONG, sensitivity: "public" },
      "a.two": { body: LONG, sensitivity: "confidential" },
    });
    await scratch.apply();
    assert.equal((await scratch.build()).report.chunks, 1);
    scratch.serve(" Confidential\n");
    assert.equal((await scratch.build()).report.chunks, 2);
    scratch.serve("secret");
    await refuses(scratch, "serving-profile-invalid", 1);
    scratch.serve("public");
    Deno.chmodSync(join(scratch.dataDirectory, "auth/serving-profile"), 0o644);
    assert.match(await refuses(scratch, "serving-profile-invalid", 1), /chmod/);
  });
});

Deno.test("a text with a NUL is indexed whole", async () => {
  await inScratchProject(async (scratch) => {
    scratch.add({ "a.one": { title: "T", body: "abc\0zebra" } });
    await scratch.apply();
    const { report } = await scratch.build();
    using file = openForReading(report.indexPath);
    const row = file.get<{ text: Uint8Array; tokens: number }>(
      "SELECT CAST(text AS BLOB) AS text, tokens FROM chunks",
    )!;
    assert.equal(new TextDecoder().decode(row.text), "T\n\nabc\0zebra");
    assert.equal(row.tokens, 3);
  });
});

Deno.test("a forest without vectors names no model, and a plain build has no node", async () => {
  await inScratchProject(async (scratch) => {
    const section = (n: number) => `## Part ${n}\n\n${LONG}\n\n`;
    scratch.add({ "a.one": { body: [1, 2, 3].map(section).join("") } });
    await scratch.apply();
    assert.equal((await scratch.build()).report.nodes, 0);
    const { report } = await scratch.build({ raptor: true, embeddings: false });
    assert.equal(report.nodes, 1);
    assert.equal(report.embeddings, 0);
    assert.equal(report.embeddingModel, "");
    using file = openForReading(report.indexPath);
    const row = file.get<{ model: string; dimension: number }>(
      "SELECT embedding_model AS model, embedding_dimension AS dimension FROM build",
    )!;
    assert.deepEqual({ ...row }, { model: "", dimension: 0 });
    assert.equal(file.all("SELECT 1 FROM vectors").length, 0);
  });
});

Deno.test("one over-long document does not fail a build with a forest", async () => {
  await inScratchProject(async (scratch) => {
    const section = (n: number) => `## Part ${n}\n\n${LONG}\n\n`;
    scratch.add({
      "a.long": { body: "Sentence. ".repeat(110_000) },
      "a.one": { body: [1, 2, 3].map(section).join("") },
    });
    await scratch.apply();
    const { report } = await scratch.build({ raptor: true });
    assert.equal(report.nodes, 1);
    assert.ok(report.chunks > 1000);
  });
});

Deno.test("an item that points at another item's revision fails the build", async () => {
  await inScratchProject(async (scratch) => {
    scratch.add({ "a.one": { body: LONG }, "a.two": { body: LONG } });
    await scratch.apply();
    const [name] = scratch.stateFiles().filter((name) => name.startsWith("theurian-state-"));
    const { DatabaseSync } = await import("node:sqlite");
    const database = new DatabaseSync(scratch.state(name!));
    database.exec(
      "UPDATE items SET revision_id = (SELECT revision_id FROM items WHERE item_id = 'a.two') " +
        "WHERE item_id = 'a.one'",
    );
    database.close();
    await refuses(scratch, "build-failed", 1);
    assert.ok(!scratch.stateFiles().some((file) => file.includes("index")));
  });
});

Deno.test("a build of an older applied state succeeds while newer migrations wait", async () => {
  await inScratchProject(async (scratch) => {
    scratch.add({ "a.one": { body: LONG } });
    await scratch.apply();
    scratch.add({ "a.two": { body: LONG } });
    const { report, exit } = await scratch.build();
    assert.equal(exit, 0);
    assert.equal(report.chunks, 1);
    assert.match(report.warning!, /theurian migrate apply/);
  });
});

Deno.test("a directory with marks in its name is read and written as it is", async () => {
  await inScratchProject(
    async (scratch) => {
      scratch.add({ "a.one": { body: LONG } });
      await scratch.apply();
      await scratch.build();
      const { report } = await scratch.build();
      using file = openForReading(report.indexPath);
      assert.equal(readBuildFacts(file)!.chunkCount, 1);
      const beside = [...Deno.readDirSync(dirname(scratch.root))].map((entry) => entry.name).sort();
      assert.deepEqual(beside, ["data", "odd?mode=memory#%41"]);
    },
    "demo",
    "odd?mode=memory#%41",
  );
});

Deno.test("the database in which an edited migration was applied is never indexed", async () => {
  await inScratchProject(async (scratch) => {
    scratch.add({ "a.one": { body: LONG } });
    await scratch.apply();
    const directory = scratch.at(".theurian/migrations");
    const [{ name }] = [...Deno.readDirSync(directory)] as [Deno.DirEntry];
    const text = Deno.readTextFileSync(join(directory, name));
    Deno.writeTextFileSync(join(directory, name), text.replace("ada@example.org", "b@example.org"));
    await refuses(scratch, "checksum-mismatch", 4);
    assert.ok(!scratch.stateFiles().some((file) => file.startsWith("theurian-index-")));
  });
});
