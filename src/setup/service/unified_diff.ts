/**
 * The lines by which two short texts differ, as a unified diff without file names. Quadratic: for
 * definitions of a few hundred lines.
 */
export function unifiedDiff(before: string, after: string, labels: readonly [string, string]) {
  const a = before.split("\n");
  const b = after.split("\n");
  const edits = editScript(a, b);
  if (!edits.some(({ sign }) => sign !== " ")) return "";
  const lines = hunks(edits).flatMap((hunk) => [hunkHead(hunk), ...hunk.map(lineOf)]);
  return [`--- ${labels[0]}`, `+++ ${labels[1]}`, ...lines].join("\n");
}

interface Edit {
  readonly sign: " " | "-" | "+";
  readonly line: string;
  /** One-based line numbers in both texts at this point. */
  readonly at: readonly [number, number];
}

const CONTEXT = 3;

function editScript(a: readonly string[], b: readonly string[]): Edit[] {
  const width = b.length + 1;
  const common = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      common[i * width + j] = a[i] === b[j]
        ? common[(i + 1) * width + j + 1]! + 1
        : Math.max(common[(i + 1) * width + j]!, common[i * width + j + 1]!);
    }
  }
  const edits: Edit[] = [];
  for (let i = 0, j = 0; i < a.length || j < b.length;) {
    const at = [i + 1, j + 1] as const;
    if (i < a.length && j < b.length && a[i] === b[j]) {
      edits.push({ sign: " ", line: a[i++]!, at });
      j++;
    } else if (
      j >= b.length ||
      (i < a.length && common[(i + 1) * width + j]! >= common[i * width + j + 1]!)
    ) edits.push({ sign: "-", line: a[i++]!, at });
    else edits.push({ sign: "+", line: b[j++]!, at });
  }
  return edits;
}

function hunks(edits: readonly Edit[]): Edit[][] {
  const kept = new Set<number>();
  for (const [index, { sign }] of edits.entries()) {
    if (sign === " ") continue;
    for (let near = index - CONTEXT; near <= index + CONTEXT; near++) kept.add(near);
  }
  const found: Edit[][] = [];
  for (const [index, edit] of edits.entries()) {
    if (!kept.has(index)) continue;
    if (kept.has(index - 1) && found.length > 0) found.at(-1)!.push(edit);
    else found.push([edit]);
  }
  return found;
}

function hunkHead(hunk: readonly Edit[]): string {
  const [first] = hunk;
  const count = (sign: "-" | "+") => hunk.filter((edit) => edit.sign !== sign).length;
  return `@@ -${first!.at[0]},${count("+")} +${first!.at[1]},${count("-")} @@`;
}

function lineOf({ sign, line }: Edit): string {
  return sign + line;
}
