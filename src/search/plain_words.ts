const LOWER = 1;
const UPPER = 2;
const DIGIT = 3;

const KIND_OF = new Uint8Array(128);
for (let unit = 0x30; unit <= 0x39; unit++) KIND_OF[unit] = DIGIT;
for (let unit = 0x41; unit <= 0x5a; unit++) KIND_OF[unit] = UPPER;
for (let unit = 0x61; unit <= 0x7a; unit++) KIND_OF[unit] = LOWER;

/**
 * Calls `visit` with the number, start and end of each word of plain letters and of each number in a
 * text. A change of case begins a word, as in `retryBudget`; of `HTTPServer` the words are `HTTP` and
 * `Server`. Nothing is cut out, so that a text can be passed over quickly.
 */
export function forEachPlainWord(
  text: string,
  visit: (number: number, start: number, end: number) => void,
): void {
  let number = 0;
  for (let start = 0; start < text.length;) {
    const kind = kindAt(text, start);
    if (kind === 0) {
      start++;
      continue;
    }
    const end = endOfWord(text, start, kind);
    visit(number++, start, end);
    start = end;
  }
}

function endOfWord(text: string, start: number, kind: number): number {
  let end = start + 1;
  if (kind !== UPPER) return endOfRun(text, end, kind);
  if (kindAt(text, end) === LOWER) return endOfRun(text, end, LOWER);
  end = endOfRun(text, end, UPPER);
  // The last capital before a small letter begins the next word.
  return kindAt(text, end) === LOWER ? end - 1 : end;
}

function endOfRun(text: string, from: number, kind: number): number {
  let end = from;
  while (kindAt(text, end) === kind) end++;
  return end;
}

/** 0 for everything that is in no word, the end of the text too. */
function kindAt(text: string, index: number): number {
  const unit = text.charCodeAt(index);
  return unit < 128 ? KIND_OF[unit]! : 0;
}
