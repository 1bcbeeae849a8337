/** SHA-256 in hex. */
export async function sha256(bytes: Uint8Array): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", bytes as Uint8Array<ArrayBuffer>);
  return new Uint8Array(digest).toHex();
}

/** Lines as `sha256sum` writes them: digest, two spaces, name; sorted by name. */
export async function checksumLines(
  files: readonly { readonly name: string; readonly bytes: Uint8Array }[],
): Promise<string> {
  const lines = await Promise.all(
    files.map(async ({ name, bytes }) => [name, `${await sha256(bytes)}  ${name}\n`] as const),
  );
  return lines.sort(([a], [b]) => a < b ? -1 : 1).map(([, line]) => line).join("");
}
