import assert from "node:assert/strict";
import { isFault } from "../errors.ts";
import { parseYaml } from "./parse_yaml.ts";

type File = string | {
  b64?: string;
  parts?: (string | [string, number])[];
  link?: string;
  hardlink?: string;
  dir?: boolean;
  fifo?: boolean;
};

interface GoldenSet {
  readonly name: string;
  readonly files: Record<string, File>;
  readonly expect: { readonly validate: number; readonly why?: string };
}

/** Rules of a refusal that are this folder's; every other one is met after the parse. */
const OURS = new Set([
  "control",
  "directive",
  "documents",
  "flow-qmark",
  "huge-int",
  "key-type",
  "lone-cr",
  "nesting",
  "root",
  "surrogate-escape",
  "tab",
  "tag",
  "utf8",
  "yaml",
  "yaml11-scalar",
]);

async function goldenSets(): Promise<GoldenSet[]> {
  const path = new URL("../../../tests/fixtures/golden-corpus/sets.jsonl.gz", import.meta.url);
  const stream = (await Deno.open(path)).readable.pipeThrough(new DecompressionStream("gzip"));
  const lines = (await new Response(stream).text()).trimEnd().split("\n");
  return lines.slice(1).map((line) => JSON.parse(line));
}

function bytesOf(file: File): Uint8Array | null {
  if (typeof file === "string") return new TextEncoder().encode(file);
  if (file.b64 !== undefined) return Uint8Array.from(atob(file.b64), (c) => c.charCodeAt(0));
  if (file.parts === undefined) return null;
  const text = file.parts.map((part) => typeof part === "string" ? part : part[0].repeat(part[1]));
  return new TextEncoder().encode(text.join(""));
}

function refusals(set: GoldenSet): string[] {
  const found: string[] = [];
  for (const [path, file] of Object.entries(set.files)) {
    if (!/\/migrations\/[^/]*\.yaml$/.test(path)) continue;
    const bytes = bytesOf(file);
    if (bytes === null) continue;
    try {
      parseYaml(bytes, path);
    } catch (error) {
      assert.ok(isFault(error, "yaml-invalid", "yaml-too-large"), `${set.name}: ${error}`);
      assert.notEqual(error.remedy, "");
      found.push(`${error.message} (${error.details?.rule})`);
    }
  }
  return found;
}

Deno.test("parseYaml() refuses what the golden sets refuse as YAML and takes the rest", async () => {
  const wrong: string[] = [];
  let refused = 0;
  let taken = 0;
  for (const set of await goldenSets()) {
    const found = refusals(set);
    const ours = set.expect.why !== undefined && OURS.has(set.expect.why);
    if (ours) refused++;
    else taken++;
    if (ours && found.length === 0) wrong.push(`${set.name} (${set.expect.why}) was taken`);
    if (set.expect.validate === 0 && found.length > 0) wrong.push(`${set.name}: ${found[0]}`);
  }
  assert.deepEqual(wrong, []);
  assert.ok(refused >= 60 && taken >= 250, `${refused} refused, ${taken} taken`);
});
