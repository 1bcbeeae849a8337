/**
 * A project of any size from a seed: the same seed and size give the same bytes.
 *
 * Words follow the frequencies of natural text (the nth most frequent one is n times rarer than the
 * first), so that queries can be asked for of every frequency.
 *
 * @module
 */

import { createHash } from "node:crypto";

/** Size and shape of a corpus. */
export interface CorpusPlan {
  readonly seed: number;
  readonly items: number;
  /** Items that one migration file creates. */
  readonly itemsPerMigration: number;
}

/** A question, and what it is an example of. */
export interface BenchQuery {
  readonly kind: string;
  readonly text: string;
}

const KINDS = [
  "architecture",
  "decision",
  "domain",
  "operations",
  "security",
  "testing",
  "api",
  "incident",
  "convention",
] as const;
const SECTIONS = ["Context", "Decision", "Consequences", "How to verify"] as const;
const SECTION_LETTERS = 800;
const VOCABULARY = 30_000;
const CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** A source of numbers from 0 to 1, the same for the same seed. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A project's text and its growth. */
export class BenchCorpus {
  readonly plan: CorpusPlan;
  readonly #words: readonly string[];

  constructor(plan: CorpusPlan) {
    this.plan = plan;
    this.#words = vocabulary(seededRandom(plan.seed));
  }

  /** Writes every migration and body below `root`. */
  async write(root: string): Promise<void> {
    const { items, itemsPerMigration } = this.plan;
    for (const kind of KINDS) {
      await Deno.mkdir(`${root}/.theurian/knowledge/${kind}`, { recursive: true });
    }
    await Deno.mkdir(`${root}/.theurian/migrations`, { recursive: true });
    for (let first = 0, number = 0; first < items; first += itemsPerMigration, number++) {
      const count = Math.min(itemsPerMigration, items - first);
      this.#writeMigration(
        root,
        number,
        Array.from({ length: count }, (_, i) => this.#creation(first + i)),
      );
    }
  }

  /** Adds a migration with new items behind all others; `round` tells the additions apart. */
  addItems(root: string, round: number, count: number): void {
    const first = this.plan.items + 10_000 * (round + 1);
    const creations = Array.from({ length: count }, (_, i) => this.#creation(first + i));
    this.#writeMigration(root, 100_000 + round, creations);
  }

  /** Adds a migration that revises one item and gives it a word that nothing else holds. */
  changeItem(root: string, round: number): { readonly word: string; readonly itemId: string } {
    const item = Math.floor(this.plan.items / 2) + round;
    const word = `zyxchange${round}q`;
    this.#writeMigration(root, 200_000 + round, [{
      item,
      revision: 900_000_000 + item,
      word,
      isNew: false,
    }]);
    return { word, itemId: itemIdOf(item) };
  }

  /** Questions of every frequency, `each` of a kind, the same for the same corpus. */
  queries(each: number): readonly BenchQuery[] {
    const random = seededRandom(this.plan.seed + 7);
    const between = (low: number, high: number) =>
      this.#words[low + Math.floor(random() * (high - low))]!;
    const common = () => between(0, 30);
    const usual = () => between(200, 1000);
    const rare = () => between(8000, 20_000);
    const item = () => Math.floor(random() * this.plan.items);
    const kinds: Readonly<Record<string, () => string>> = {
      "one common word": common,
      "three common words": () => `${common()} ${common()} ${common()}`,
      "one usual word": usual,
      "three usual words": () => `${usual()} ${usual()} ${usual()}`,
      "one rare word": rare,
      "rare and common words": () => `${common()} ${rare()} ${common()} ${usual()}`,
      "an identifier": () => identifierOf(item()),
      "part of an identifier": () => identifierOf(item()).slice(0, -2),
      "a title": () => this.#title(item()),
      "a misspelt word": () => usual().replace(/.(.)$/, "$1"),
      "a long question": () =>
        `how does ${usual()} ${common()} when ${usual()} ${rare()} ` +
        `${common()} ${usual()} ${common()} because ${usual()}`,
      "a word that is not there": () => `q${rare()}x${rare()}`,
    };
    return Object.entries(kinds).flatMap(([kind, text]) =>
      Array.from({ length: each }, () => ({ kind, text: text() }))
    );
  }

  /** Ids of `count` items, spread over the corpus. */
  itemIds(count: number): readonly string[] {
    const step = Math.max(1, Math.floor(this.plan.items / count));
    return Array.from({ length: count }, (_, i) => itemIdOf((i * step) % this.plan.items));
  }

  #creation(item: number): Writing {
    return { item, revision: item, word: identifierOf(item), isNew: true };
  }

  #writeMigration(root: string, number: number, writings: readonly Writing[]): void {
    const id = ulid("01K1", number);
    const operations = writings.map((writing) => this.#operations(root, writing)).join("");
    Deno.writeTextFileSync(
      `${root}/.theurian/migrations/${id}-bench.yaml`,
      `apiVersion: theurian.dev/v1\nid: ${id}\ncreatedAt: "2026-01-05T09:00:00+00:00"\n` +
        `author: bench@example.org\noperations:\n${operations}`,
    );
  }

  #operations(root: string, { item, revision, word, isNew }: Writing): string {
    const kind = kindOf(item);
    const revisionId = ulid("01K2", revision);
    const file = `${kind}/record-${item}.${revisionId}.md`;
    const title = this.#title(item);
    const body = this.#body(item, title, word);
    Deno.writeTextFileSync(`${root}/.theurian/knowledge/${file}`, body);
    const labels = `kind: ${kind}\n    namespace: ${kind}\n    owner: bench-team\n`;
    const creation = isNew
      ? `  - op: createItem\n    itemId: ${itemIdOf(item)}\n    ${labels}`
      : "";
    const expected = isNew ? "" : `    expectedRevision: ${ulid("01K2", item)}\n`;
    return `${creation}  - op: upsertRevision\n    itemId: ${itemIdOf(item)}\n` +
      `    revisionId: ${revisionId}\n${expected}    contentFile: ../knowledge/${file}\n` +
      `    contentSha256: ${createHash("sha256").update(body).digest("hex")}\n` +
      `    metadata:\n      title: ${JSON.stringify(title)}\n      contentType: text/markdown\n` +
      `      ${labels.replaceAll("\n    ", "\n      ")}      status: approved\n` +
      "      trustLevel: reviewed\n      sensitivity: internal\n" +
      `      labels: [${kind}, bench]\n      sourceAnchors:\n        - provider: git\n` +
      `          sourceUri: git://bench/docs/${kind}/${item}.md\n          repository: bench\n` +
      `          filePath: docs/${kind}/${item}.md\n`;
  }

  #title(item: number): string {
    const random = seededRandom(this.plan.seed + 31 * item + 3);
    return capital(Array.from({ length: 5 }, () => this.#word(random)).join(" "));
  }

  #body(item: number, title: string, word: string): string {
    const random = seededRandom(this.plan.seed + 31 * item + 11);
    const sections = SECTIONS.map((heading, at) => {
      const named = at === 0 ? `The entry point is \`${word}()\`. ` : "";
      return `## ${heading}\n\n${named}${this.#prose(random)}`;
    });
    return `# ${title}\n\n${sections.join("\n\n")}\n`;
  }

  /** A section's sentences, in two paragraphs. */
  #prose(random: () => number): string {
    let text = "", paragraph = 0;
    while (text.length < SECTION_LETTERS) {
      const words = Array.from({ length: 6 + Math.floor(random() * 12) }, () => this.#word(random));
      const isBreak = paragraph === 0 && text.length > SECTION_LETTERS / 2;
      if (isBreak) paragraph++;
      text += `${text === "" ? "" : isBreak ? "\n\n" : " "}${capital(words.join(" "))}.`;
    }
    return text;
  }

  #word(random: () => number): string {
    return this.#words[Math.floor(VOCABULARY ** random()) - 1] ?? this.#words[0]!;
  }
}

interface Writing {
  readonly item: number;
  readonly revision: number;
  readonly word: string;
  readonly isNew: boolean;
}

function vocabulary(random: () => number): string[] {
  const heads = ["b", "c", "d", "f", "g", "l", "m", "n", "p", "r", "s", "t", "v", "br", "st", "tr"];
  const hearts = ["a", "e", "i", "o", "u", "ea", "io", "ou"];
  const tails = ["", "", "n", "r", "s", "l", "nt", "ck", "rd"];
  const pick = (from: readonly string[]) => from[Math.floor(random() * from.length)]!;
  const words = new Set<string>();
  while (words.size < VOCABULARY) {
    const syllables = words.size < 200
      ? 1 + Math.floor(random() * 2)
      : 2 + Math.floor(random() * 3);
    let word = "";
    for (let i = 0; i < syllables; i++) word += pick(heads) + pick(hearts) + pick(tails);
    words.add(word);
  }
  return [...words];
}

function kindOf(item: number): string {
  return KINDS[item % KINDS.length]!;
}

function itemIdOf(item: number): string {
  return `${kindOf(item)}.record-${item}`;
}

function identifierOf(item: number): string {
  return `handle_case_${(item * 7919 + 104_729).toString(36)}`;
}

/** The nth id with a given beginning, in rising order. */
function ulid(beginning: string, n: number): string {
  let text = "";
  for (let rest = n, i = 0; i < 8; i++, rest = Math.floor(rest / 32)) {
    text = CROCKFORD[rest % 32] + text;
  }
  return beginning + text.padStart(26 - beginning.length, "0");
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
