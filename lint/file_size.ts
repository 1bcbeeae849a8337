import { housePath, isShipped } from "./_places.ts";

const FILE_LINES = 400;
const FUNCTION_LINES = 60;

/** Data in the shape of code may be as long as it is. */
const TABLE = /_table\.ts$/;

/** A file has at most 400 lines, a function at most 60. */
export const fileSize: Deno.lint.Rule = {
  create(context) {
    const path = housePath(context.filename);
    if (!isShipped(path)) return {};
    const lines = (range: Deno.lint.Range) =>
      context.sourceCode.text.slice(...range).trimEnd().split("\n").length;
    const functionSize = (node: Deno.lint.Node) => {
      if (lines(node.range) <= FUNCTION_LINES) return;
      context.report({
        range: [node.range[0], node.range[0] + 1],
        message: `A function has at most ${FUNCTION_LINES} lines`,
        hint: "Name a step of it and move it out",
      });
    };
    return {
      Program(node) {
        if (TABLE.test(path) || lines([0, context.sourceCode.text.length]) <= FILE_LINES) return;
        context.report({
          range: [node.range[0], node.range[0] + 1],
          message: `A file has at most ${FILE_LINES} lines`,
          hint: "Split it by idea, each file named after its own",
        });
      },
      FunctionDeclaration: functionSize,
      FunctionExpression: functionSize,
      ArrowFunctionExpression: functionSize,
    };
  },
};
