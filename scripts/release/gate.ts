/**
 * What has to be true of a tag before anything is built from it (cli-and-plugins.md 7).
 *
 * @module
 */

/** Prefix of a Core release's tag; the plugin has tags of its own. */
export const TAG_PREFIX = "core-v";

/** `X.Y.Z`, or `X.Y.Z-rc.N` and its like. */
const VERSION = /^\d+\.\d+\.\d+(?:-(?:dev|alpha|beta|rc)\.\d+)?$/;

/** What the gate looks at. */
export interface GateFacts {
  readonly tag: string;
  /** `CORE_VERSION` of the sources. */
  readonly built: string;
  /** Version in `deno.json`. */
  readonly configured: string;
  /** Text of the changelog. */
  readonly changelog: string;
}

/** Everything that keeps a tag from being released, in words; empty when nothing does. */
export function gateFaults(facts: GateFacts): string[] {
  const { tag, built, configured, changelog } = facts;
  const faults: string[] = [];
  if (!VERSION.test(built)) faults.push(`The built version ${built} is no release version`);
  if (configured !== built) {
    faults.push(`deno.json says ${configured} and the sources say ${built}`);
  }
  if (tag !== `${TAG_PREFIX}${built}`) {
    faults.push(`The tag is not ${TAG_PREFIX}${built}, the version that would be built`);
  }
  const section = changelogSection(changelog, built);
  if (section === null) {
    faults.push(`CHANGELOG.md has no section "## ${built} - YYYY-MM-DD"`);
  } else if (section === "") faults.push(`CHANGELOG.md says nothing about ${built}`);
  return faults;
}

/** A version's text in the changelog; `null` where it has no dated heading of its own. */
export function changelogSection(changelog: string, version: string): string | null {
  const parts = changelog.split(/^## /m).slice(1);
  const dated = new RegExp(`^\\[?${version.replaceAll(".", "\\.")}\\]? - \\d{4}-\\d\\d-\\d\\d *$`);
  const part = parts.find((text) => dated.test(text.split("\n", 1)[0]!));
  return part === undefined ? null : part.slice(part.split("\n", 1)[0]!.length).trim();
}

/** Whether a version is a pre-release. */
export function isPreRelease(version: string): boolean {
  return version.includes("-");
}

/**
 * What is wrong with a tag's signature: it must be an annotated tag, signed by a key of `signers`
 * (an OpenSSH allowed-signers file), on the commit that is checked out. `null` when all is well.
 */
export async function signatureFault(
  root: string,
  tag: string,
  signers: string,
): Promise<string | null> {
  const ref = `refs/tags/${tag}`;
  if ((await git(root, ["cat-file", "-t", ref])).out !== "tag") return "It is no annotated tag";
  const commit = await git(root, ["rev-parse", "--verify", `${ref}^{commit}`]);
  const head = await git(root, ["rev-parse", "--verify", "HEAD"]);
  if (commit.code !== 0 || commit.out !== head.out) return "It is not on the checked out commit";
  const { out: object } = await git(root, ["cat-file", "tag", ref]);
  if (!object.includes("-----BEGIN SSH SIGNATURE-----")) return "It carries no SSH signature";
  if (!/^[^#\s]/m.test(Deno.readTextFileSync(signers))) return "The list of signers is empty";
  const { code } = await git(root, [
    "-c",
    `gpg.ssh.allowedSignersFile=${signers}`,
    "verify-tag",
    tag,
  ]);
  return code === 0 ? null : "Its signature is not by a listed signer";
}

async function git(cwd: string, args: readonly string[]): Promise<{ code: number; out: string }> {
  const { code, stdout } = await new Deno.Command("git", { args: [...args], cwd, stderr: "null" })
    .output();
  return { code, out: new TextDecoder().decode(stdout).trim() };
}
