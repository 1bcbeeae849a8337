/**
 * Words that carry a sentence and no subject. They are looked for only when nothing else of a query
 * is found.
 *
 * @module
 */

const WORDS = `
a about above after again against all also am an and any are as at be because been before being
below between both but by can could did do does doing don down during each else few for from further
get gets got had has have having he her here hers him his how however i if in into is it its itself
just let many may me might mine more most much must my need needs no nor not of off on once only or
other our ours out over own per please s same shall she should so some still such t than that the
their theirs them then there these they this those through to too under until up upon us use used
uses using very via want was we were what when where whether which while who whom whose why will with
within without would yes yet you your yours
`;

const NOISE: ReadonlySet<string> = new Set(WORDS.split(/\s+/).filter((word) => word !== ""));

/** True for a folded word that says nothing by itself. */
export function isNoiseWord(word: string): boolean {
  return NOISE.has(word);
}
