import { housePath, isShipped } from "./_places.ts";
import { eachImport } from "./_imports.ts";

const EDGES = /^(?:main\.ts|src\/cli\/output[a-z_]*\.ts)$/;

const MEMBERS: Readonly<Record<string, RegExp>> = {
  Deno: /^(?:exit|exitCode|env|stdin|stdout|stderr|args)$/,
  process: /^(?:exit|exitCode|env|stdin|stdout|stderr|argv)$/,
};

/** One place exits, prints and reads the environment: main and the command line's output. */
export const edgesOnly: Deno.lint.Rule = {
  create(context) {
    const path = housePath(context.filename);
    if (!isShipped(path) || EDGES.test(path)) return {};
    const report = (node: Deno.lint.Node, what: string) =>
      context.report({
        node,
        message: `${what} belongs to main.ts and src/cli/output*.ts`,
        hint: "Return a result, throw a TheurianError, or take what is needed as a parameter",
      });
    return {
      ...eachImport(({ specifier, node }) => {
        if (/^(?:node:)?process$/.test(specifier)) report(node, "The process module");
      }),
      MemberExpression(node) {
        if (node.object.type !== "Identifier") return;
        if (node.object.name === "console") return report(node, "console");
        const members = MEMBERS[node.object.name];
        if (node.property.type === "Identifier" && members?.test(node.property.name)) {
          report(node, `${node.object.name}.${node.property.name}`);
        }
      },
      CallExpression(node) {
        if (node.callee.type !== "Identifier") return;
        if (["alert", "confirm", "prompt"].includes(node.callee.name)) {
          report(node, `${node.callee.name}()`);
        }
      },
    };
  },
};
