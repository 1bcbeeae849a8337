/**
 * Runs under the shipped grant: starts, through a `git` alias, a program with children that outlive
 * it, lets the time limit end them, and tells who they were.
 */

import { isFault } from "../../src/platform/errors.ts";
import { runProcess } from "../../src/platform/process.ts";

function direct(): string {
  try {
    Deno.kill(-Deno.pid, "SIGCONT");
    return "granted";
  } catch (error) {
    return (error as Error).name;
  }
}

const marker = `platform-group-${crypto.randomUUID()}`;
const script = `!sh -c 'sleep 60; : ${marker}' & sh -c 'sleep 60; : ${marker}'`;
const git = (args: string[], timeoutMs: number) =>
  runProcess({ program: "git", args, cwd: "/", timeoutMs });

const started = git(["-c", `alias.probe=${script}`, "probe"], 800)
  .then(() => "none", (error) => isFault(error) ? error.fault : String(error));
await new Promise((resolve) => setTimeout(resolve, 300));
const list = await git([
  "-c",
  `alias.list=!ps -eo pid,args | grep ${marker} | grep -v grep`,
  "list",
], 5000);
const group = new TextDecoder().decode(list.stdout).trim().split("\n")
  .map((line) => line.trim().split(" ")[0]!);
const fault = await started;
console.log(JSON.stringify({ fault, group, direct: direct() }));
