import { dataPaths } from "../daemon/mod.ts";
import { TheurianError } from "../platform/errors.ts";
import { readRegularFileIfPresent, replaceFile } from "../platform/files/mod.ts";
import {
  type BlockState,
  blockState,
  envBlock,
  fromBytes,
  isShadowed,
  placeBlock,
  toBytes,
} from "./env_block.ts";

/** Largest env file that is read, in bytes. */
const ENV_BYTES = 1 << 20;

/** The env file as it stands. */
export interface EnvFile {
  readonly state: BlockState;
  /** A line behind the block assigns the variable again. */
  readonly shadowed: boolean;
}

/** Looks at the env file. Throws when it is no regular file or cannot be read. */
export function readEnvFile(dataDirectory: string): EnvFile {
  const { env, token } = dataPaths(dataDirectory);
  const bytes = readRegularFileIfPresent(env, { maxBytes: ENV_BYTES });
  if (bytes === null) return { state: "missing", shadowed: false };
  const text = fromBytes(bytes);
  return { state: blockState(text, envBlock(token)), shadowed: isShadowed(text) };
}

/**
 * Puts the block into the env file, 0600, everything else unchanged; false when it was current.
 * Throws when the file is no regular file, its block is malformed, or the path is unsafe in a shell.
 */
export function writeEnvFile(dataDirectory: string): boolean {
  const { env, token } = dataPaths(dataDirectory);
  const block = envBlock(token);
  const before = fromBytes(
    readRegularFileIfPresent(env, { maxBytes: ENV_BYTES }) ?? new Uint8Array(),
  );
  if (blockState(before, block) === "current") return false;
  const after = placeBlock(before, block);
  if (after === null) throw malformed(env);
  replaceFile(env, toBytes(after), { mode: 0o600, exactMode: true });
  return true;
}

function malformed(path: string): TheurianError {
  return new TheurianError(
    "configuration-invalid",
    "Cannot rewrite the shell block of env: its markers do not pair",
    { remedy: `Remove the lines between and around the theurian markers in ${path}, then retry` },
  );
}
