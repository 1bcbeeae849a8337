import { eachImport } from "./_imports.ts";
import { housePath, isShipped } from "./_places.ts";

interface Door {
  readonly what: string;
  readonly use: string;
  readonly inside: RegExp;
  readonly modules?: RegExp;
  /** Members of `Deno`. */
  readonly members?: RegExp;
}

const DOORS: readonly Door[] = [
  {
    what: "The file system",
    use: "src/platform/files/mod.ts or src/platform/lock.ts",
    inside: /^src\/platform\/(?:files\/|lock\.ts$|resolve_program\.ts$)/,
    modules: /^(?:node:)?fs(?:\/promises)?$/,
    members:
      /^(?:open|create|read(?:File|TextFile|Dir|Link)|write(?:File|TextFile)|l?stat|realPath|mkdir|remove|rename|copyFile|link|symlink|truncate|chmod|chown|utime|makeTemp(?:Dir|File)|watchFs)(?:Sync)?$|^FsFile$/,
  },
  {
    what: "Starting and signalling programs",
    use: "src/platform/process.ts",
    inside: /^src\/platform\/(?:process|_end_process_group)\.ts$/,
    modules: /^(?:node:)?child_process$/,
    members: /^(?:Command|ChildProcess|kill|run)$/,
  },
  {
    what: "SQLite",
    use: "src/platform/sqlite/mod.ts",
    inside: /^src\/platform\/sqlite\//,
    modules: /^(?:node:)?sqlite$|sqlite/,
  },
  {
    what: "YAML",
    use: "src/platform/yaml/mod.ts",
    inside: /^src\/platform\/yaml\//,
    modules: /^(?:js-yaml|yaml|npm:.*yaml.*|jsr:.*yaml.*)$/,
  },
];

/** Files, programs, SQLite and YAML are each reached through one place. */
export const oneDoor: Deno.lint.Rule = {
  create(context) {
    const path = housePath(context.filename);
    if (!isShipped(path)) return {};
    const closed = DOORS.filter((door) => !door.inside.test(path));
    const report = (door: Door, node: Deno.lint.Node) =>
      context.report({ node, message: `${door.what} has one door`, hint: `Use ${door.use}` });
    return {
      ...eachImport(({ specifier, node }) => {
        if (specifier.startsWith(".")) return;
        const door = closed.find(({ modules }) => modules?.test(specifier));
        if (door !== undefined) report(door, node);
      }),
      MemberExpression(node) {
        if (node.object.type !== "Identifier" || node.object.name !== "Deno") return;
        const name = node.property.type === "Identifier" ? node.property.name : "";
        const door = closed.find(({ members }) => members?.test(name));
        if (door !== undefined) report(door, node);
      },
    };
  },
};
