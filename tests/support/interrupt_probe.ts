/** Runs a long program through `git` until it is interrupted, and tells who ran and what came of it. */

import { isFault } from "../../src/platform/errors.ts";
import { runProcess } from "../../src/platform/process.ts";

const marker = `platform-interrupt-${crypto.randomUUID()}`;
const git = (alias: string) =>
  runProcess({
    program: "git",
    args: ["-c", `alias.probe=!${alias}`, "probe"],
    cwd: "/",
    timeoutMs: 20_000,
  });

const ended = git(`sh -c 'sleep 60; : ${marker}'`)
  .then(() => "none", (error) => isFault(error) ? error.fault : String(error));
await new Promise((resolve) => setTimeout(resolve, 200));
const list = await git(`ps -eo pid,args | grep ${marker} | grep -v grep`);
const group = new TextDecoder().decode(list.stdout).trim().split("\n")
  .map((line) => line.trim().split(" ")[0]!);
const fault = await ended;
console.log(JSON.stringify({ fault, group }));
Deno.exit(fault === "interrupted" ? 130 : 1);
