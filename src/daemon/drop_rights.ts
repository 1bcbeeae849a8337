/**
 * Gives up, for the rest of the process, what serving needs none of: programs, environment, system
 * facts, foreign code. Nothing a request reaches can start a program (daemon-and-setup.md 11.3).
 */
export function dropRights(): void {
  for (const name of ["env", "sys", "ffi", "run", "import"] as const) {
    Deno.permissions.revokeSync({ name });
  }
}
