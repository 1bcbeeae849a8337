import { join } from "node:path";
import { readActivePointer, validateMigrations } from "../knowledge/mod.ts";
import { isFault } from "../platform/errors.ts";
import { describePath } from "../platform/files/mod.ts";
import {
  inspectGitignore,
  KNOWLEDGE_DIRECTORY,
  projectIdOf,
  projectPaths,
  readRegistry,
} from "../projects/mod.ts";
import { conflicting, exceptionDetail, missing, notApplicable, satisfied } from "./report.ts";
import type { SetupStep } from "./setup_step.ts";

const OUTSIDE = notApplicable("The current directory is in no Git repository");

export const projectRegisteredStep: SetupStep = {
  id: "project-registered",
  probe({ dataDirectory, withhold }, { repository }) {
    if (repository === null) return OUTSIDE;
    const { entries, unreadable } = readRegistry(dataDirectory);
    if (entries.values().some((entry) => entry.root === repository)) {
      return satisfied("This repository is registered");
    }
    if (unreadable.length > 0) {
      return conflicting(
        "The registry holds entries without a usable root",
        withhold ? `${unreadable.length} entries` : unreadable.join(", "),
        "See `theurian project list`, and remove them with `theurian project unregister`",
      );
    }
    return missing("This repository is not registered", "Run: theurian project register");
  },
};

export const projectLayoutStep: SetupStep = {
  id: "project-layout",
  probe(_world, { repository }) {
    if (repository === null) return OUTSIDE;
    const absent = ["migrations", "knowledge", "state"].filter((name) =>
      describePath(join(repository, KNOWLEDGE_DIRECTORY, name))?.kind !== "directory"
    );
    return absent.length === 0 ? satisfied("The knowledge layout is there") : missing(
      `The knowledge layout lacks ${absent.join(", ")}`,
      "Run: theurian init",
    );
  },
};

export const gitignoreStep: SetupStep = {
  id: "gitignore",
  probe(_world, { repository }) {
    if (repository === null) return OUTSIDE;
    const state = inspectGitignore(repository);
    return state === "current" ? satisfied("Derived files are ignored by Git") : missing(
      `The block in .gitignore is ${state === "link" ? "behind a symbolic link" : state}`,
      "Run: theurian init",
    );
  },
};

export const migrationsValidStep: SetupStep = {
  id: "migrations-valid",
  probe({ dataDirectory, withhold }, { repository }) {
    if (repository === null) return OUTSIDE;
    const paths = projectPaths(repository);
    if (describePath(paths.migrations)?.kind !== "directory") {
      return notApplicable("There are no migrations yet");
    }
    try {
      const projectId = projectIdOf(repository, readRegistry(dataDirectory));
      const project = { projectId, root: repository, paths };
      const { document } = validateMigrations(project, dataDirectory);
      return satisfied(`${document.migrationCount} migrations are valid`);
    } catch (error) {
      if (isFault(error, "path-escape")) throw error;
      const summary = isFault(error, "schema-set-invalid")
        ? "The published schemas of this installation are unusable: the installation is at fault"
        : "The migrations are not valid";
      return {
        ...missing(summary, "Run: theurian migrate validate"),
        detail: exceptionDetail(error, withhold),
      };
    }
  },
};

export const initialIndexStep: SetupStep = {
  id: "initial-index",
  probe(_world, { repository }) {
    if (repository === null) return OUTSIDE;
    const pointer = readActivePointer(projectPaths(repository));
    return notApplicable(
      pointer === null
        ? "Canonical state is not built: run `theurian migrate apply`"
        : "Canonical state is built; `theurian index build` makes it searchable by rank",
    );
  },
};
