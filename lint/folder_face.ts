import { basename } from "node:path";
import { eachImport } from "./_imports.ts";
import { areaOf, housePath, importedPath, isTest, SHARED_FILES } from "./_places.ts";

/**
 * Another area is imported through a `mod.ts`, through a file that the whole house shares, or, for
 * `src/platform`, through one of its single files.
 */
export const folderFace: Deno.lint.Rule = {
  create(context) {
    const path = housePath(context.filename);
    const area = areaOf(path);
    if (area === null || isTest(path)) return {};
    return eachImport(({ specifier, node }) => {
      const target = importedPath(path, specifier);
      if (target === null || !target.startsWith("src/")) return;
      const other = areaOf(target);
      if (other === null || other === area || basename(target) === "mod.ts") return;
      if (SHARED_FILES.includes(target) || /^src\/platform\/[a-z][a-z0-9_]*\.ts$/.test(target)) {
        return;
      }
      context.report({
        node,
        message: `${target} is inside of another area`,
        hint: `Import from src/${other}/mod.ts`,
      });
    });
  },
};
