/**
 * Text as a sequence of folded code points: full case folding, compatibility decomposition, no
 * combining marks, every white space a plain space (index-build.md section 6). Each step works on one
 * code point alone (marks are dropped, so their order does not matter), which makes the whole a table.
 *
 * @module
 */

import { isWhitespaceUnit } from "../platform/text.ts";

const SPACE = 0x20;
const UNKNOWN = 0;
const DROPPED = -1;
const SEVERAL = -2;

/**
 * Code points that a newer Unicode than 15.1 folds, decomposes or counts as marks. They stay as they
 * are, so that a model keeps its values when the runtime learns new characters.
 */
const NEWER_POINTS: readonly (readonly [number, number])[] = [
  [0x897, 0x897],
  [0x1c89, 0x1c89],
  [0xa7cb, 0xa7cc],
  [0xa7da, 0xa7da],
  [0xa7dc, 0xa7dc],
  [0x105c9, 0x105c9],
  [0x105e4, 0x105e4],
  [0x10d50, 0x10d65],
  [0x10d69, 0x10d6d],
  [0x11383, 0x11383],
  [0x11385, 0x11385],
  [0x1138e, 0x1138e],
  [0x11391, 0x11391],
  [0x113c5, 0x113c5],
  [0x113c7, 0x113c8],
  [0x113ce, 0x113d0],
  [0x16121, 0x16128],
  [0x1612f, 0x1612f],
  [0x16d68, 0x16d6a],
  [0x1ccd6, 0x1ccf9],
  [0x1e5ee, 0x1e5ef],
];

/** What each unit of the first plane folds to; filled as characters are met. */
const FOLDED_UNITS = new Int32Array(0x10000);
const FOLDED_TO_SEVERAL = new Map<number, readonly number[]>();

/** A growing buffer of code points, reused between texts. */
export class PointBuffer {
  points = new Uint32Array(4096);
  length = 0;

  /** Replaces the content by the folded code points of `text`. */
  fold(text: string): void {
    this.length = 0;
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      if (unit >= 0xd800 && unit <= 0xdbff) {
        const point = text.codePointAt(i)!;
        if (point > 0xffff) {
          i++;
          for (const folded of foldedPoints(point)) this.#push(folded);
          continue;
        }
      }
      let folded = FOLDED_UNITS[unit]!;
      if (folded === UNKNOWN) folded = learn(unit);
      if (folded > 0) this.#push(folded);
      else if (folded === SEVERAL) {
        for (const point of FOLDED_TO_SEVERAL.get(unit)!) this.#push(point);
      }
    }
  }

  #push(point: number): void {
    if (this.length === this.points.length) {
      const larger = new Uint32Array(this.length * 2);
      larger.set(this.points);
      this.points = larger;
    }
    this.points[this.length++] = point;
  }
}

/** Folds one code point; `[]` for a mark that is dropped. */
export function foldedPoints(point: number): readonly number[] {
  if (NEWER_POINTS.some(([first, last]) => point >= first && point <= last)) return [point];
  const folded: number[] = [];
  for (const character of caseFolded(point).normalize("NFKD")) {
    if (isCombining(character)) continue;
    const unit = character.codePointAt(0)!;
    folded.push(unit < 0x10000 && isWhitespaceUnit(unit) ? SPACE : unit);
  }
  return folded;
}

function learn(unit: number): number {
  const folded = foldedPoints(unit);
  const single = folded.length === 1 ? folded[0]! : 0;
  let answer = single;
  if (folded.length === 0) answer = DROPPED;
  else if (single === 0) {
    answer = SEVERAL;
    FOLDED_TO_SEVERAL.set(unit, folded);
  }
  FOLDED_UNITS[unit] = answer;
  return answer;
}

/**
 * Full case folding of one code point. The language has none: lower case of the upper case is it, but
 * for the dotless i, the capital sharp s and Cherokee, which folds to its capitals.
 */
function caseFolded(point: number): string {
  if (point === 0x131) return "\u0131";
  if (point === 0x1e9e) return "ss";
  if (point >= 0x13a0 && point <= 0x13f5) return String.fromCodePoint(point);
  if (point >= 0x13f8 && point <= 0x13fd) return String.fromCodePoint(point - 8);
  if (point >= 0xab70 && point <= 0xabbf) return String.fromCodePoint(point - 0x97d0);
  let folded = "";
  for (const upper of String.fromCodePoint(point).toUpperCase()) folded += upper.toLowerCase();
  return folded;
}

/** True when the combining class is not zero: such a mark is reordered before, or after, U+0345. */
function isCombining(character: string): boolean {
  const probe = "\u0345" + character;
  return character === "\u0345" || probe.normalize("NFD") !== probe;
}
