/** The text below one heading of the docs, as the site's search index has it. */
export interface DocsEntry {
  /** `/docs/webhooks#when-it-fails` */
  readonly url: string;
  readonly page: string;
  readonly heading: string;
  readonly text: string;
}

const mostResults = 8;
/**
 * The weights of a word in the heading, in the title of the page, and at most in the text, where each occurrence
 * counts as 1.
 */
const inHeading = 4;
const inTitle = 3;
const mostInText = 3;

/**
 * Returns the sections that fit a query best. Agents write questions rather than names, so a section need not have
 * every word: rare words count more, as in other full-text searches. Reads all of the text, about 1 MB, which takes
 * 10 ms and needs no index in memory.
 */
export function findEntries(entries: readonly DocsEntry[], query: string): DocsEntry[] {
  const words = wordsOf(query).slice(0, 20);
  const folded = entries.map(({ page, heading, text }) => ({
    heading: heading.toLowerCase(),
    title: page.toLowerCase(),
    text: text.toLowerCase(),
  }));
  const scores = new Float64Array(entries.length);
  for (const word of new Set(words)) {
    const weights = folded.map(
      ({ heading, title, text }) =>
        (countWordStarts(heading, word, 1) > 0 ? inHeading : 0) +
        (countWordStarts(title, word, 1) > 0 ? inTitle : 0) +
        countWordStarts(text, word, mostInText),
    );
    const matching = weights.filter((weight) => weight > 0).length;
    const rarity = Math.log(1 + entries.length / (matching + 1));
    for (const [at, weight] of weights.entries()) {
      scores[at] = (scores[at] ?? 0) + (weight > 0 ? rarity * (1 + Math.log(weight)) : 0);
    }
  }
  return entries
    .map((entry, at) => ({
      entry,
      score: (scores[at] ?? 0) * (isForOperators(entry.url) ? 0.3 : 1),
    }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, mostResults)
    .map(({ entry }) => entry);
}

function wordsOf(query: string): string[] {
  const words = query.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
  const long = words.filter((word) => word.length > 2);
  return long.length > 0 ? long : words;
}

/** Counts the words of the text that begin with `word`, up to `most`. */
function countWordStarts(text: string, word: string, most: number): number {
  let count = 0;
  for (let at = text.indexOf(word); at !== -1 && count < most; at = text.indexOf(word, at + 1)) {
    if (!/[\p{L}\p{N}]/u.test(text[at - 1] ?? ' ')) count += 1;
  }
  return count;
}

/** Returns whether a section is about running the service, which a partner's question rarely is. */
function isForOperators(url: string): boolean {
  return url.startsWith('/docs/operate');
}
