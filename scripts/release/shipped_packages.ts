/**
 * The libraries whose code an executable holds: named by the bundle, described by the lock file and
 * by each package itself.
 *
 * @module
 */

/** A library that ships. */
export interface ShippedPackage {
  readonly name: string;
  readonly version: string;
  /** SPDX expression, as the package states it. */
  readonly license: string;
  /** SHA-512 of the package's archive, in hex. */
  readonly sha512: string;
  /** Shipped packages it is built on, as `name@version`. */
  readonly dependencies: readonly string[];
  /** Text of its license file. */
  readonly licenseText: string;
}

interface LockedPackage {
  readonly integrity: string;
  readonly dependencies?: readonly string[];
}

/** The part of `deno.lock` that is read. */
export interface Lock {
  readonly npm: Readonly<Record<string, LockedPackage>>;
}

/** Reads a file of a package, such as `package.json`; `null` when there is none. */
export type ReadPackageFile = (id: string, file: string) => string | null;

/**
 * Describes the packages that a bundle names. Throws `TypeError` for one that is not locked, states
 * no license or carries no license text: it could not be shipped.
 */
export function shippedPackages(
  ids: readonly string[],
  lock: Lock,
  readFile: ReadPackageFile,
): ShippedPackage[] {
  const shipped = new Set(ids);
  return ids.map((id) => {
    const locked = lock.npm[id];
    if (locked === undefined) throw new TypeError(`${id} ships and is not locked`);
    const { license } = JSON.parse(readFile(id, "package.json") ?? "{}") as { license?: unknown };
    if (typeof license !== "string") throw new TypeError(`${id} states no license`);
    const licenseText = readFile(id, "LICENSE") ?? readFile(id, "LICENSE.md");
    if (licenseText === null) throw new TypeError(`${id} carries no license text`);
    const [name, version] = splitId(id);
    const dependencies = (locked.dependencies ?? [])
      .map((dependency) => lockedId(dependency, lock))
      .filter((dependency) => shipped.has(dependency));
    return { name, version, license, sha512: hexOf(locked.integrity), dependencies, licenseText };
  });
}

/** Name and version of `name@version`. */
export function splitId(id: string): readonly [name: string, version: string] {
  const at = id.lastIndexOf("@");
  return [id.slice(0, at), id.slice(at + 1)];
}

/** A dependency's id: the lock leaves the version out where there is only one. */
function lockedId(dependency: string, lock: Lock): string {
  if (dependency in lock.npm) return dependency;
  return Object.keys(lock.npm).find((id) => splitId(id)[0] === dependency) ?? dependency;
}

function hexOf(integrity: string): string {
  const digest = /^sha512-(.+)$/.exec(integrity)?.[1];
  if (digest === undefined) throw new TypeError("The lock holds another digest than SHA-512");
  return Uint8Array.fromBase64(digest).toHex();
}
