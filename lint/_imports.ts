/** One import or export-from of a file, static or dynamic, as a linter node. */
export interface ImportSite {
  readonly specifier: string;
  readonly node: Deno.lint.Node;
}

/** A visitor that hands every import of a file with a constant specifier to `visit`. */
export function eachImport(visit: (site: ImportSite) => void): Deno.lint.LintVisitor {
  const report = (node: Deno.lint.Node, source: Deno.lint.Node | null | undefined) => {
    if (source?.type === "Literal" && typeof source.value === "string") {
      visit({ specifier: source.value, node });
    }
  };
  return {
    ImportDeclaration: (node) => report(node, node.source),
    ExportAllDeclaration: (node) => report(node, node.source),
    ExportNamedDeclaration: (node) => report(node, node.source),
    ImportExpression: (node) => report(node, node.source),
  };
}
