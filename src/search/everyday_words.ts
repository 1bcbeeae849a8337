/**
 * Words of everyday speech. One that no document holds is left out of a query and not taken for a
 * word that resembles it: who asks for `true` does not mean `tree`.
 *
 * @module
 */

import { stemWord } from "../lexicon/mod.ts";

const WORDS = `
able accord actually add affect ago allow almost alone along already alright although always among
amount annoying another anymore anyway anywhere apart appear around aside attempt available avoid
away awful back bad badly based basic basically become becomes before begin behave behind believe
belong best better beyond big bit bother brief bring broad busy call care careful carry case catch
cause certain chance clear clearly close come comes coming common complete completely concern
consider contain correct correctly couple course current currently deal decide depend describe
despite detail different difficult directly double early easily easy either else enough ensure
entire entirely especially even eventually ever every evil exact exactly example except expect
explain extra fact fair fairly fall familiar far favour feel few figure final finally find fine
first fit fix follow following forever forget form former forward four free frequently front full
fully funny further future general generally gladly go goes going gone good great grow guess half
hand handle hang happen happened happens happy hard hardly hate have hear heavy help hence
hi high hint hold hope huge hurt idea imagine important impossible indeed inside instead intend
interest interesting involve issue jump keep kind large last late lately later latest lead least
leave left less let like likely line little live long longer look lose lot loud love low lower main
mainly make makes making manner many match matter maybe mean meant meanwhile mention mere mess
middle mind minor miss mistake moment mostly move much multiple near nearby nearly neat necessary
never nevertheless new next nice nobody normal normally note nothing nowadays nowhere obvious
obviously occasion occur odd often old one ones onto opinion opposite otherwise ought outside
overall part particular particularly past people perfect perhaps person piece place plain play
please plenty point poor possible possibly practice precise prefer prepare present pretty prevent
previous previously prior probably problem proper properly purpose put question quick quickly quiet
quite rare rarely rather reach ready real really reason recent recently regard regarding regardless
related relevant rely remain remember respect rest result right rough roughly round sad scope
second secret see seem seen seldom sense separate serious seriously several shape short side sight
similar similarly simple simply since single sit situation small smart smooth somehow sometime
sometimes somewhat somewhere soon sorry sort speak special specific spend stand start stay step
stick still story straight strange strict strong stuff stupid subject such sudden suddenly suggest
suit suitable suppose supposed sure surely surprise take taken talk taste tend terrible thank thanks
third thorough thought three throughout thus together tomorrow tonight too top total totally touch
tough toward towards tried tries trouble true truly trust try trying turn turned twice two type
typical typically ugly ultimately understand unfortunately unless unlike unusual usual usually
various view wait walk watch way ways weird well went whatsoever whole wide willing wise wish
wondered wonderful word words work worked working works worried worry worse worst worth write wrong
yesterday young
`;

const EVERYDAY: ReadonlySet<string> = new Set(
  WORDS.split(/\s+/).filter((word) => word !== "").map(stemWord),
);

/** True for a folded word of everyday speech, in any inflection. */
export function isEverydayWord(word: string): boolean {
  return EVERYDAY.has(stemWord(word));
}
