/**
 * The English stemmer of the Snowball project ("Porter 2"), so that `rotates`, `rotating` and
 * `rotation` are asked and found as one. Words of other languages pass through unharmed more often
 * than not; names and numbers are left alone by the caller.
 *
 * @module
 */

const VOWEL = /[aeiouy]/;
const DOUBLE = /(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/;
const SHORT_SYLLABLE = /(?:^[aeiouy][^aeiouy]|[^aeiouy][aeiouy][^aeiouywxY])$/;
const PLAIN_WORD = /^[a-z]{3,40}$/;

const EXCEPTIONS: ReadonlyMap<string, string> = new Map([
  ["skis", "ski"],
  ["skies", "sky"],
  ["dying", "die"],
  ["lying", "lie"],
  ["tying", "tie"],
  ["idly", "idl"],
  ["gently", "gentl"],
  ["ugly", "ugli"],
  ["early", "earli"],
  ["only", "onli"],
  ["singly", "singl"],
  ["sky", "sky"],
  ["news", "news"],
  ["howe", "howe"],
  ["atlas", "atlas"],
  ["cosmos", "cosmos"],
  ["bias", "bias"],
  ["andes", "andes"],
]);

const KEPT_AFTER_PLURAL: ReadonlySet<string> = new Set([
  "inning",
  "outing",
  "canning",
  "herring",
  "earring",
  "proceed",
  "exceed",
  "succeed",
]);

const STEP_2: readonly (readonly [string, string])[] = [
  ["ization", "ize"],
  ["ational", "ate"],
  ["fulness", "ful"],
  ["ousness", "ous"],
  ["iveness", "ive"],
  ["tional", "tion"],
  ["biliti", "ble"],
  ["lessli", "less"],
  ["entli", "ent"],
  ["ation", "ate"],
  ["alism", "al"],
  ["aliti", "al"],
  ["ousli", "ous"],
  ["iviti", "ive"],
  ["fulli", "ful"],
  ["enci", "ence"],
  ["anci", "ance"],
  ["abli", "able"],
  ["izer", "ize"],
  ["ator", "ate"],
  ["alli", "al"],
  ["bli", "ble"],
  ["ogi", "og"],
  ["li", ""],
];

const STEP_3: readonly (readonly [string, string])[] = [
  ["ational", "ate"],
  ["tional", "tion"],
  ["alize", "al"],
  ["icate", "ic"],
  ["iciti", "ic"],
  ["ative", ""],
  ["ical", "ic"],
  ["ness", ""],
  ["ful", ""],
];

const STEP_4: readonly string[] = [
  "ement",
  "ance",
  "ence",
  "able",
  "ible",
  "ment",
  "ant",
  "ent",
  "ism",
  "ate",
  "iti",
  "ous",
  "ive",
  "ize",
  "ion",
  "al",
  "er",
  "ic",
];

const IRREGULAR: ReadonlyMap<string, readonly string[]> = (() => {
  const words = new Map<string, string[]>();
  for (const [word, stem] of EXCEPTIONS) words.set(stem, [...words.get(stem) ?? [], word]);
  return words;
})();

/** Words whose stem does not begin as they do. */
export function irregularWordsOf(stem: string): readonly string[] {
  return IRREGULAR.get(stem) ?? [];
}

/** Stem of a folded word; anything but 3 to 40 plain letters comes back unchanged. */
export function stemWord(word: string): string {
  if (!PLAIN_WORD.test(word)) return word;
  const known = EXCEPTIONS.get(word);
  if (known !== undefined) return known;
  let w = word.replace(/^y/, "Y").replace(/([aeiouy])y/g, "$1Y");
  const r1 = firstRegion(w);
  const r2 = regionAfter(w, r1);
  w = cutPlural(w);
  if (KEPT_AFTER_PLURAL.has(w)) return w;
  w = cutVerbEnding(w, r1);
  w = w.replace(/(?<=.[^aeiouy])[yY]$/, "i");
  w = replaceEnding(w, r1);
  w = cutDerivation(w, r1, r2);
  w = cutResidue(w, r2);
  return cutFinal(w, r1, r2).toLowerCase();
}

function firstRegion(w: string): number {
  const special = /^(?:gener|commun|arsen)/.exec(w);
  return special === null ? regionAfter(w, 0) : special[0].length;
}

/** Start of the part after the first non-vowel that follows a vowel, from `from` on. */
function regionAfter(w: string, from: number): number {
  for (let i = from + 1; i < w.length; i++) {
    if (!VOWEL.test(w[i]!) && VOWEL.test(w[i - 1]!)) return i + 1;
  }
  return w.length;
}

function cutPlural(w: string): string {
  if (w.endsWith("sses")) return w.slice(0, -2);
  if (w.endsWith("ied") || w.endsWith("ies")) return w.slice(0, w.length > 4 ? -2 : -1);
  if (w.endsWith("us") || w.endsWith("ss") || !w.endsWith("s")) return w;
  return VOWEL.test(w.slice(0, -2)) ? w.slice(0, -1) : w;
}

function cutVerbEnding(w: string, r1: number): string {
  const eed = /eed(?:ly)?$/.exec(w);
  if (eed !== null) return eed.index >= r1 ? w.slice(0, eed.index) + "ee" : w;
  const ending = /(?:ing|ed)(?:ly)?$/.exec(w);
  if (ending === null || !VOWEL.test(w.slice(0, ending.index))) return w;
  const rest = w.slice(0, ending.index);
  if (/(?:at|bl|iz)$/.test(rest)) return rest + "e";
  if (DOUBLE.test(rest)) return rest.slice(0, -1);
  return rest.length <= r1 && SHORT_SYLLABLE.test(rest) ? rest + "e" : rest;
}

function replaceEnding(w: string, r1: number): string {
  for (const [ending, replacement] of STEP_2) {
    if (!w.endsWith(ending)) continue;
    const at = w.length - ending.length;
    if (at < r1) return w;
    if (ending === "ogi" && w[at - 1] !== "l") return w;
    if (ending === "li" && !/[cdeghkmnrt]/.test(w[at - 1] ?? "")) return w;
    return w.slice(0, at) + replacement;
  }
  return w;
}

function cutDerivation(w: string, r1: number, r2: number): string {
  for (const [ending, replacement] of STEP_3) {
    if (!w.endsWith(ending)) continue;
    const at = w.length - ending.length;
    if (at < r1 || (ending === "ative" && at < r2)) return w;
    return w.slice(0, at) + replacement;
  }
  return w;
}

function cutResidue(w: string, r2: number): string {
  for (const ending of STEP_4) {
    if (!w.endsWith(ending)) continue;
    const at = w.length - ending.length;
    if (at < r2 || (ending === "ion" && !/[st]/.test(w[at - 1] ?? ""))) return w;
    return w.slice(0, at);
  }
  return w;
}

function cutFinal(w: string, r1: number, r2: number): string {
  const at = w.length - 1;
  if (w.endsWith("e")) {
    return at >= r2 || (at >= r1 && !SHORT_SYLLABLE.test(w.slice(0, at))) ? w.slice(0, at) : w;
  }
  return w.endsWith("ll") && at >= r2 ? w.slice(0, at) : w;
}
