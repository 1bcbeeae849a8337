/**
 * Refuses a tag that must not be released; prints the changelog's section of one that may.
 *
 * Options: `--tag=TAG`, `--signers=FILE` (an OpenSSH allowed-signers file that does not come from
 * the tagged commit itself).
 *
 * @module
 */

import { CORE_VERSION } from "../src/compat/versions.ts";
import { filePath } from "./bundle.ts";
import { optionOf } from "./compile.ts";
import { changelogSection, gateFaults, signatureFault } from "./release/gate.ts";

async function main(args: readonly string[]): Promise<number> {
  const tag = optionOf(args, "--tag");
  const signers = optionOf(args, "--signers");
  if (tag === undefined || signers === undefined) {
    console.error("Usage: release_gate.ts --tag=TAG --signers=FILE");
    return 2;
  }
  const root = new URL("..", import.meta.url);
  const text = (name: string) => Deno.readTextFileSync(new URL(name, root));
  const changelog = text("CHANGELOG.md");
  const faults = gateFaults({
    tag,
    built: CORE_VERSION,
    configured: (JSON.parse(text("deno.json")) as { version: string }).version,
    changelog,
  });
  const signature = await signatureFault(filePath(root), tag, signers);
  if (signature !== null) faults.push(`The tag cannot be trusted: ${signature}`);
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) return 1;
  console.log(changelogSection(changelog, CORE_VERSION));
  return 0;
}

if (import.meta.main) Deno.exit(await main(Deno.args));
