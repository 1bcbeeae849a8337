import { join } from "node:path";
import { type ReadPackageFile, splitId } from "./shipped_packages.ts";

/** Reads files of packages out of the runtime's cache, where the build has put them. */
export async function packageReader(): Promise<ReadPackageFile> {
  const { stdout } = await new Deno.Command(Deno.execPath(), { args: ["info", "--json"] }).output();
  const { npmCache } = JSON.parse(new TextDecoder().decode(stdout)) as { npmCache: string };
  const registries = [...Deno.readDirSync(npmCache)].filter(({ isDirectory }) => isDirectory);
  return (id, file) => {
    for (const registry of registries) {
      try {
        return Deno.readTextFileSync(join(npmCache, registry.name, ...splitId(id), file));
      } catch (error) {
        if (!(error instanceof Deno.errors.NotFound)) throw error;
      }
    }
    return null;
  };
}
