// deno-lint-ignore no-control-regex
const NOT_ASCII = /[^\x00-\x7f]/;

/**
 * How many tokens a model is likely to count in a text (index-build.md 4.1, retrieval.md 5.7): one and
 * a half for each character of a dense script or emoji, a quarter for any other; at least 1. `more`
 * characters of plain text are counted with it.
 */
export function estimateTokens(text: string, more = 0): number {
  if (!NOT_ASCII.test(text)) return Math.max(1, Math.ceil((text.length + more) / 4));
  let dense = 0;
  let points = text.length + more;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x3000) continue;
    if (unit >= 0xd800 && unit <= 0xdbff) {
      const point = text.codePointAt(i)!;
      if (point > 0xffff) {
        points--;
        i++;
        if (point >= 0x1f300 && point <= 0x1faff) dense++;
      }
    } else if (isDense(unit)) dense++;
  }
  return Math.max(1, Math.ceil(dense * 1.5) + Math.ceil((points - dense) / 4));
}

function isDense(unit: number): boolean {
  return unit <= 0x30ff || (unit >= 0x3400 && unit <= 0x4dbf) ||
    (unit >= 0x4e00 && unit <= 0x9fff) || (unit >= 0xac00 && unit <= 0xd7af) ||
    (unit >= 0xf900 && unit <= 0xfaff) || unit >= 0xff00 && unit <= 0xffef;
}
