export interface Page<T> {
  items: T[];
  /** Pass as `cursor` for the next page; null on the last. */
  next_cursor: string | null;
}

/** A list that asks for its pages as it is read: `for await (const item of list)`. */
export interface List<T> extends AsyncIterable<T> {
  /** One page: the first, or the one that `cursor` points at. */
  page(cursor?: string): Promise<Page<T>>;
  /** Everything, up to `limit` items (default 10,000, so that a mistake ends). */
  toArray(options?: { limit?: number }): Promise<T[]>;
}

/** @param load one page; `undefined` asks for the first. */
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
