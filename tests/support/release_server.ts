/**
 * A place that holds releases, on 127.0.0.1: archives with a program that a test chooses.
 *
 * @module
 */

import { tarGz, zip } from "../../scripts/release/archive.ts";
import { checksumLines } from "../../scripts/release/checksums.ts";
import { archiveName, type Target, TARGETS } from "../../scripts/release/targets.ts";

/** What a release holds for this machine. */
export interface FakeRelease {
  readonly version: string;
  /** Bytes of the executable. */
  readonly program: Uint8Array;
  /** Another line than the program's own in `theurian.sha256`. */
  readonly innerSum?: string;
  /** Changes an archive after its checksum was taken. */
  readonly spoil?: (archive: Uint8Array) => Uint8Array;
}

/** Releases that are being served. */
export interface ReleaseServer extends AsyncDisposable {
  /** Value of `--base-url`. */
  readonly url: string;
  /** Paths asked for so far. */
  readonly asked: readonly string[];
  /** Archives are sent in part and then never again, until this is let go. */
  stall: boolean;
}

/** The target whose archive an installer on this machine asks for. */
export const HERE: Target = TARGETS.find(({ triple }) => triple === Deno.build.target)!;

/** Serves releases; the first is the latest. */
export async function serveReleases(
  releases: readonly FakeRelease[],
  targets: readonly Target[] = [HERE],
): Promise<ReleaseServer> {
  const files = new Map<string, Uint8Array>();
  for (const [i, release] of releases.entries()) {
    for (const [name, bytes] of await filesOf(release, targets)) {
      files.set(`/download/core-v${release.version}/${name}`, bytes);
      if (i === 0) files.set(`/latest/download/${name}`, bytes);
    }
  }
  const asked: string[] = [];
  const state = { stall: false };
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, (request) => {
    const { pathname } = new URL(request.url);
    asked.push(pathname);
    const bytes = files.get(pathname);
    if (bytes === undefined) return new Response("Not found", { status: 404 });
    const isArchive = /\.(?:gz|zip)$/.test(pathname);
    return new Response(
      state.stall && isArchive ? stalled(bytes) : bytes as Uint8Array<ArrayBuffer>,
    );
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    asked,
    get stall() {
      return state.stall;
    },
    set stall(value) {
      state.stall = value;
    },
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

async function filesOf(
  release: FakeRelease,
  targets: readonly Target[],
): Promise<readonly (readonly [name: string, bytes: Uint8Array])[]> {
  const archives: { name: string; bytes: Uint8Array }[] = [];
  for (const target of targets) {
    const { executable } = target;
    const encoded = (text: string) => new TextEncoder().encode(text);
    const inner = release.innerSum ??
      await checksumLines([{ name: executable, bytes: release.program }]);
    const entries = [
      { name: executable, bytes: release.program, executable: true },
      { name: "theurian.sha256", bytes: encoded(inner), executable: false },
      { name: "LICENSE", bytes: encoded("license\n"), executable: false },
    ];
    const pack = target.archive === "zip" ? zip : tarGz;
    archives.push({ name: archiveName(release.version, target), bytes: await pack(entries, 0) });
  }
  const sums = new TextEncoder().encode(await checksumLines(archives));
  const spoil = release.spoil ?? ((bytes) => bytes);
  return [
    ["SHA256SUMS", sums] as const,
    ...archives.map(({ name, bytes }) => [name, spoil(bytes)] as const),
  ];
}

function stalled(bytes: Uint8Array): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(bytes.slice(0, bytes.length / 2) as Uint8Array<ArrayBuffer>);
    },
  });
}
