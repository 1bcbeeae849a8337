/** Replaces, creates or appends to a file and is killed before the nth step of writing. */

import { setWritePointHook } from "../../src/platform/files/_write_points.ts";
import { appendToFile, createFile, replaceFile } from "../../src/platform/files/mod.ts";

const [act, path, text, step] = Deno.args as [string, string, string, string];
let count = 0;
setWritePointHook(() => {
  if (++count === Number(step)) Deno.kill(Deno.pid, "SIGKILL");
});
const options = { mode: 0o644 };
if (act === "replace") replaceFile(path, text, options);
else if (act === "replace-fixed") replaceFile(path, text, { ...options, temporary: `${path}.tmp` });
else if (act === "create") createFile(path, text, options);
else appendToFile(path, text, options);
console.log(count);
