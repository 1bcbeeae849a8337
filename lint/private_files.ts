import { basename } from "node:path";
import { eachImport } from "./_imports.ts";
import { housePath, importedPath, isTest } from "./_places.ts";

/** A file or folder whose name begins with `_` is imported only in its folder and below. */
export const privateFiles: Deno.lint.Rule = {
  create(context) {
    const path = housePath(context.filename);
    if (!path.startsWith("src/") || isTest(path)) return {};
    return eachImport(({ specifier, node }) => {
      const target = importedPath(path, specifier);
      if (target === null || !target.startsWith("src/")) return;
      const owner = privateOwner(target);
      if (owner === null || path.startsWith(`${owner}/`)) return;
      context.report({
        node,
        message: `${basename(target)} is private to ${owner}`,
        hint: `Import what you need from ${owner}/mod.ts`,
      });
    });
  },
};

/** Folder that a private file, or a file in a private folder, belongs to. */
function privateOwner(target: string): string | null {
  const parts = target.split("/");
  const at = parts.findIndex((part) => part.startsWith("_"));
  return at === -1 ? null : parts.slice(0, at).join("/");
}
