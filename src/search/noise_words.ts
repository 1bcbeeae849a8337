/**
 * Words that carry a sentence and no subject. They are looked for only when nothing else of a query
 * is found.
 *
 * @module
 */

const WORDS = `
a about above actually after again against all also am an and any anybody anyone anything are as
ask asked at be because been before being below between both but by can cannot could did do does
doing don down during each else everybody everyone everything explain few for from further get
gets give given gives got had has have having he her here hers him his how however i if in into is
it its itself just know known knows let lot many may me mean means might mine more most much must
my need needs no nobody nor not nothing now of off ok okay on once only or other our ours out over own
per please really s said same say says shall she should show shows so some somebody someone
something still such t tell tells than that the their theirs them then there these they thing
things think this those though through to too under until up upon us use used uses using very via
want wanted wants was we were what whatever when whenever where wherever whether which while who
whoever whom whose why will with within without wonder wondering would yes yet you your yours
`;

const NOISE: ReadonlySet<string> = new Set(WORDS.split(/\s+/).filter((word) => word !== ""));

/** True for a folded word that says nothing by itself. */
export function isNoiseWord(word: string): boolean {
  return NOISE.has(word);
}
