import assert from "node:assert/strict";
import { join } from "node:path";
import { isFault } from "../platform/errors.ts";
import { checkCaps, type ProposalEntry } from "./mod.ts";

/** Entries whose directories hold one file of the given size each. */
function withEntries(
  sizes: readonly { readonly bytes: number; readonly pending: boolean }[],
  work: (entries: readonly ProposalEntry[]) => void,
): void {
  const folder = Deno.makeTempDirSync({ prefix: "proposals-caps-" });
  try {
    work(sizes.map(({ bytes, pending }, index) => {
      const path = join(folder, String(index));
      Deno.mkdirSync(join(path, "knowledge"), { recursive: true });
      Deno.writeFileSync(join(path, "knowledge", "body"), new Uint8Array(bytes));
      return {
        proposalId: String(index),
        local: false,
        path,
        directory: "",
        migrationFiles: pending ? ["x.yaml"] : [],
      };
    }));
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

const CAPS = { maxPendingProposals: 2, maxPendingProposalBytes: 100 };
const one = (bytes: number) => ({ proposals: 1, bytes });
const isFull = (key: string) => (error: unknown) =>
  isFault(error, "proposals-full") && error.exit === 1 && error.remedy.includes(key);

Deno.test("checkCaps() counts what waits, up to both bounds and not past one", () => {
  const sizes = [{ bytes: 40, pending: true }];
  withEntries(sizes, (entries) => {
    checkCaps(entries, one(60), CAPS);
    assert.throws(() => checkCaps(entries, one(61), CAPS), isFull("proposals.maxPendingBytes"));
    assert.throws(
      () => checkCaps(entries, { proposals: 2, bytes: 0 }, CAPS),
      isFull("proposals.maxPending"),
    );
  });
  withEntries([...sizes, ...sizes], (entries) => {
    assert.throws(() => checkCaps(entries, one(0), CAPS), isFull("proposals.maxPending"));
  });
});

Deno.test("checkCaps() counts nothing of what was accepted or interrupted", () => {
  withEntries(Array(5).fill({ bytes: 1_000, pending: false }), (entries) => {
    checkCaps(entries, one(100), CAPS);
  });
});
