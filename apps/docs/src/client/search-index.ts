import MiniSearch from 'minisearch';

export interface Entry {
  readonly url: string;
  readonly page: string;
  readonly heading: string;
  readonly text: string;
}

/**
 * Creates the index of all pages. A word of the query matches the beginning of a word, so that "rate" does not
 * find "migrate". One mistyped letter is forgiven in words of six letters or more that nothing matches.
 */
export async function createIndex(entries: readonly Entry[]): Promise<MiniSearch> {
  const index = new MiniSearch({
    fields: ['heading', 'page', 'text'],
    storeFields: ['url', 'page', 'heading', 'text'],
    // Names such as settlement.created are found by their parts, too.
    tokenize: (text) => text.split(/[^\p{L}\p{N}]+/u).concat(text.match(/[\w.]+[._]\w+/g) ?? []),
    searchOptions: {
      boost: { heading: 4, page: 3 },
      prefix: (word) => word.length > 2,
      combineWith: 'AND',
      // The pages for operators come last for a partner's question.
      boostDocument: (_, __, stored) => (isForOperators(String(stored?.url)) ? 0.3 : 1),
    },
  });
  await index.addAllAsync(entries.map((entry, id) => ({ id, ...entry })));
  return index;
}

/** Returns the best twenty entries. */
export function find(index: MiniSearch, query: string): Entry[] {
  const exact = index.search(query);
  const found =
    exact.length > 0
      ? exact
      : index.search(query, { fuzzy: (word) => (word.length > 5 ? 1 : false) });
  return found.slice(0, 20) as unknown as Entry[];
}

function isForOperators(url: string): boolean {
  return url.startsWith('/docs/operate');
}
