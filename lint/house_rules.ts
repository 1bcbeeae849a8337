/**
 * The rules of the house as a plugin of `deno lint`: what the language cannot hold (see
 * `docs/architecture.md`). Each has a test that shows it fire.
 *
 * @module
 */

import { edgesOnly } from "./edges_only.ts";
import { errorForm } from "./error_form.ts";
import { fileSize } from "./file_size.ts";
import { folderFace } from "./folder_face.ts";
import { oneDoor } from "./one_door.ts";
import { privateFiles } from "./private_files.ts";

const plugin: Deno.lint.Plugin = {
  name: "house",
  rules: {
    "edges-only": edgesOnly,
    "error-form": errorForm,
    "file-size": fileSize,
    "folder-face": folderFace,
    "one-door": oneDoor,
    "private-files": privateFiles,
  },
};

export default plugin;
