import { inheritedVariables, resolveProgram } from "./resolve_program.ts";

/** How long an ended program, or the one that ends it, may take to be gone, in milliseconds. */
const GRACE_MS = 1000;

/**
 * Ends a program that leads a process group, with all of its group. `Deno.kill` needs an unscoped
 * run grant, which the product never holds, and a child's own `kill` reaches the child alone; so
 * `git`, which is granted, passes the signal on through an alias. The leader goes last: while it
 * lives, its group's number is not given away. On Windows the leader alone is ended.
 */
export async function endProcessGroup(leader: Deno.ChildProcess): Promise<void> {
  if (Deno.build.os !== "windows" && !killGroupDirectly(leader.pid)) {
    await killGroupThroughGit(leader.pid);
  }
  endAlone(leader);
  await endedInTime(leader);
}

function endAlone(child: Deno.ChildProcess): void {
  try {
    child.kill("SIGKILL");
  } catch {
    // It has ended by now.
  }
}

async function endedInTime(child: Deno.ChildProcess): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const grace = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, GRACE_MS);
  });
  await Promise.race([child.status, grace]);
  clearTimeout(timer);
}

function killGroupDirectly(pid: number): boolean {
  try {
    Deno.kill(-pid, "SIGKILL");
    return true;
  } catch {
    return false;
  }
}

async function killGroupThroughGit(pid: number): Promise<void> {
  const git = resolveProgram("git");
  if (git === null) return;
  try {
    const command = new Deno.Command(git, {
      args: ["-c", `alias.end=!kill -KILL -${pid}`, "end"],
      cwd: "/",
      env: inheritedVariables(),
      clearEnv: true,
      stdin: "null",
      stdout: "null",
      stderr: "null",
    });
    // The program that hangs may be this very one.
    const child = command.spawn();
    await endedInTime(child);
    endAlone(child);
  } catch {
    // Without git the leader alone is ended.
  }
}
