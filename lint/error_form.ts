import { housePath, isShipped } from "./_places.ts";

/**
 * `new TheurianError(fault, message, { remedy })`: the message begins with a capital letter and ends
 * without a full stop, and the remedy says something.
 */
export const errorForm: Deno.lint.Rule = {
  create(context) {
    if (!isShipped(housePath(context.filename))) return {};
    return {
      NewExpression(node) {
        if (node.callee.type !== "Identifier" || node.callee.name !== "TheurianError") return;
        const [, message, options] = node.arguments;
        const fault = messageFault(message);
        if (fault !== null) context.report({ node: message ?? node, message: fault });
        if (options === undefined || saysNothing(options)) {
          context.report({ node, message: "The remedy must say what to type" });
        }
      },
    };
  },
};

function messageFault(node: Deno.lint.Node | undefined): string | null {
  if (node === undefined) return "The message is missing";
  const [first, last] = edgesOf(node);
  if (first !== null && !/^[A-Z]/.test(first)) {
    return "The message must begin with a capital letter";
  }
  if (last !== null && /[.!\s]$/.test(last)) return "The message must end without a full stop";
  return null;
}

/** The constant text that a message begins and ends with; `null` where it is computed. */
function edgesOf(node: Deno.lint.Node): [first: string | null, last: string | null] {
  if (node.type === "Literal" && typeof node.value === "string") return [node.value, node.value];
  if (node.type === "TemplateLiteral") {
    const first = node.quasis.at(0)?.cooked ?? "";
    const last = node.quasis.at(-1)?.cooked ?? "";
    return [first === "" ? null : first, last === "" ? null : last];
  }
  if (node.type === "BinaryExpression" && node.operator === "+") {
    return [edgesOf(node.left)[0], edgesOf(node.right)[1]];
  }
  return [null, null];
}

function saysNothing(options: Deno.lint.Node): boolean {
  if (options.type !== "ObjectExpression") return false;
  for (const property of options.properties) {
    if (property.type === "SpreadElement") return false;
    if (property.key.type === "Identifier" && property.key.name === "remedy") {
      const { value } = property;
      return value.type === "Literal" && typeof value.value === "string" &&
        value.value.trim() === "";
    }
  }
  return true;
}
