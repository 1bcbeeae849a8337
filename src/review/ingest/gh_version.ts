import { GH_FLOOR, GradedRefusal } from "./grades.ts";

const VERSION = /(?<!\d)(\d{1,9})\.(\d{1,9})\.(\d{1,9})(?!\d)/;

/** Refuses a `gh` whose `--version` names none, or one below the floor. */
export function requireVersion(output: string): void {
  const found = VERSION.exec(output);
  if (found === null) {
    throw new GradedRefusal("tool-too-old", "Cannot use gh: it does not tell its version");
  }
  const floor = GH_FLOOR.split(".").map(Number);
  for (let i = 0; i < floor.length; i++) {
    const part = Number(found[i + 1]);
    if (part > floor[i]!) return;
    if (part < floor[i]!) {
      throw new GradedRefusal("tool-too-old", `Cannot use gh: it is older than ${GH_FLOOR}`);
    }
  }
}
