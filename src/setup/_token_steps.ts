import { dataPaths, isPrivate, isSharedForWriting, octal, readOrMintToken } from "../daemon/mod.ts";
import { readServingProfile } from "../knowledge/mod.ts";
import {
  decodeUtf8,
  describePath,
  ensureDirectory,
  readRegularFile,
  realPath,
  setMode,
} from "../platform/files/mod.ts";
import { codePointLength, strip } from "../platform/text.ts";
import { conflicting, type Finding, missing, notApplicable, satisfied } from "./report.ts";
import type { SetupStep } from "./setup_step.ts";

const ROTATE = "Make a new token with: theurian auth rotate";

export const dataDirectoryStep: SetupStep = {
  id: "data-directory",
  critical: true,
  probe({ dataDirectory }) {
    const facts = describePath(dataDirectory);
    if (facts === null) {
      return missing("There is no data directory yet", "Create it with mode 0700", [dataDirectory]);
    }
    const real = realPath(dataDirectory);
    if (real === null) {
      return conflicting("The data directory is a link to nowhere", "its target does not exist");
    }
    const target = describePath(real);
    if (target?.kind !== "directory") {
      return conflicting("The data directory is no directory", `a ${target?.kind} stands there`);
    }
    return isPrivate(target) ? satisfied("The data directory is private") : missing(
      `The data directory is open to others (${octal(target.mode)})`,
      "Tighten it to mode 0700",
      [dataDirectory],
    );
  },
  apply({ dataDirectory }) {
    if (!ensureDirectory(dataDirectory, { mode: 0o700 })) {
      setMode(realPath(dataDirectory) ?? dataDirectory, 0o700);
    }
  },
};

/** Finding for a token path that is no regular file, else `null`. */
function shapeConflict(path: string): Finding | null {
  const facts = describePath(path);
  if (facts === null || facts.kind === "file") return null;
  const shape = facts.kind === "link" ? "a symbolic link" : `a ${facts.kind}`;
  return conflicting("The token's file is no regular file", `it is ${shape}`, ROTATE);
}

export const tokenStep: SetupStep = {
  id: "token",
  critical: true,
  probe({ dataDirectory }) {
    const { token } = dataPaths(dataDirectory);
    const mint = missing("There is no bearer token yet", "Mint one", [token]);
    if (describePath(token) === null) return mint;
    const conflict = shapeConflict(token);
    if (conflict !== null) return conflict;
    const text = strip(decodeUtf8(readRegularFile(token, { maxBytes: 4096 })) ?? "\ufffd");
    if (text === "") return mint;
    if (codePointLength(text) < 32) {
      return conflicting("The bearer token is too short", "it has less than 32 characters", ROTATE);
    }
    return /^[A-Za-z0-9_-]+$/.test(text) ? satisfied("There is a bearer token") : conflicting(
      "The bearer token is malformed",
      "it holds other characters than base64url",
      ROTATE,
    );
  },
  apply({ dataDirectory }) {
    readOrMintToken(dataDirectory);
  },
};

export const tokenStorageStep: SetupStep = {
  id: "token-storage",
  critical: true,
  probe({ dataDirectory }) {
    const { token, auth } = dataPaths(dataDirectory);
    const facts = describePath(token);
    if (facts === null) {
      return missing("The token is not stored yet", "Store it with mode 0600", [auth]);
    }
    const conflict = shapeConflict(token);
    if (conflict !== null) return conflict;
    if (!isPrivate(facts)) {
      const detail = `mode ${octal(facts.mode)}`;
      return conflicting("The token's file is open to others", detail, ROTATE);
    }
    const directory = describePath(auth)!;
    const detail = `mode ${octal(directory.mode)}`;
    if (isSharedForWriting(directory)) {
      const action = `Run chmod 700 on the auth directory, then: theurian auth rotate`;
      return conflicting("Others may write to the token's directory", detail, action);
    }
    return isPrivate(directory) ? satisfied("The token is stored privately") : conflicting(
      "The token's directory is open to others",
      detail,
      "Run chmod 700 on the auth directory",
    );
  },
  apply({ dataDirectory }) {
    readOrMintToken(dataDirectory);
  },
};

export const servingProfileStep: SetupStep = {
  id: "serving-profile",
  probe({ dataDirectory }) {
    const { ceiling } = readServingProfile(dataDirectory);
    return describePath(dataPaths(dataDirectory).servingProfile) === null
      ? notApplicable(`No serving profile: knowledge up to "${ceiling}" is served`)
      : satisfied(`Knowledge up to "${ceiling}" is served`);
  },
};
