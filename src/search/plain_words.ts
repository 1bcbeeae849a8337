const LOWER = 1;
const UPPER = 2;
const DIGIT = 3;

const KIND_OF = new Uint8Array(128);
for (let unit = 0x30; unit <= 0x39; unit++) KIND_OF[unit] = DIGIT;
for (let unit = 0x41; unit <= 0x5a; unit++) KIND_OF[unit] = UPPER;
for (let unit = 0x61; unit <= 0x7a; unit++) KIND_OF[unit] = LOWER;

/** A text and where its plain words stand, which is found out when it is first asked for. */
export class WordedText {
  #bounds: Uint16Array | Uint32Array | null = null;

  constructor(readonly text: string) {}

  /**
   * Start and end of each word of plain letters and of each number, one after the other. A change of
   * case begins a word, as in `retryBudget`; of `HTTPServer` the words are `HTTP` and `Server`.
   */
  get bounds(): Uint16Array | Uint32Array {
    return this.#bounds ??= boundsOf(this.text);
  }
}

function boundsOf(text: string): Uint16Array | Uint32Array {
  // No word is shorter than a letter.
  const most = 2 * text.length;
  const bounds = text.length < 0x10000 ? new Uint16Array(most) : new Uint32Array(most);
  let count = 0;
  for (let start = 0; start < text.length;) {
    const kind = kindAt(text, start);
    if (kind === 0) {
      start++;
      continue;
    }
    const end = endOfWord(text, start, kind);
    bounds[count++] = start;
    bounds[count++] = end;
    start = end;
  }
  return bounds.slice(0, count);
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
