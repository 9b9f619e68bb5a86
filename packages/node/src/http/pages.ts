export interface Page<T> {
  items: T[];
  /** Pass it as `cursor` for the next page. Null on the last page. */
  next_cursor: string | null;
}

/** A list that loads its pages while it is read: `for await (const item of list)`. */
export interface List<T> extends AsyncIterable<T> {
  /** Loads one page: the first, or the page at `cursor`. */
  page(cursor?: string): Promise<Page<T>>;
  /** Loads all items, up to `limit`. Default: 10,000, as a safeguard. */
  toArray(options?: { limit?: number }): Promise<T[]>;
}

/** Returns a list of the pages that `load` loads; a cursor of `undefined` means the first page. */
export function listOf<T>(load: (cursor: string | undefined) => Promise<Page<T>>): List<T> {
  async function* iterate() {
    let cursor: string | undefined;
    do {
      const page = await load(cursor);
      yield* page.items;
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
  }
  return {
    [Symbol.asyncIterator]: iterate,
    page: (cursor) => load(cursor),
    async toArray({ limit = 10_000 } = {}) {
      const items: T[] = [];
      if (limit <= 0) return items;
      for await (const item of iterate()) {
        items.push(item);
        if (items.length >= limit) break;
      }
      return items;
    },
  };
}
