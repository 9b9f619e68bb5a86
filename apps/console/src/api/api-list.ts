import { infiniteQueryOptions } from '@tanstack/react-query';
import { pickStrings } from '../components/filters/search-params.ts';
import { call, type Page } from './client.ts';

/** The value of each filter that is set, as text. */
export type Filters<Name extends string> = { readonly [N in Name]?: string | undefined };

/** A list of the API that a page shows. */
export interface ApiList<Item, Name extends string> {
  /** The filters that the page offers. */
  readonly filterNames: readonly Name[];
  /** Takes the filters from the search of an address, whose other parameters are of other pages. */
  readFilters(search: object): Filters<Name>;
  /** Pages of 50 items. */
  query(filters: Filters<Name>): ReturnType<typeof listQuery<Item>>;
}

export type FiltersOf<List> = List extends ApiList<infer _Item, infer Name> ? Filters<Name> : never;

interface ListPage<Item> extends Page<Item> {
  /** Set if the page ended before it was full. Everything newer than this was searched. */
  searched_back_to?: string | null;
}

/** The names of a list's filters, from the query of its call in the contract. */
type FilterName<Query extends { readonly _input: unknown }> = Exclude<
  keyof Query['_input'] & string,
  'limit' | 'cursor'
>;

interface ListCall<Name extends string> {
  /** The beginning of the key in the cache. */
  readonly key: readonly string[];
  readonly path: string;
  readonly filterNames: readonly Name[];
}

/**
 * Declares a list. `filterNames` are its parameters in the page's address and in the request; they must be
 * in the contract.
 */
export function apiList<Query extends { readonly _input: unknown }, Item>({
  key,
  path,
  filterNames,
}: ListCall<FilterName<Query>>): ApiList<Item, FilterName<Query>> {
  return {
    filterNames,
    readFilters: (search) => pickStrings(search as Record<string, unknown>, ...filterNames),
    query: (filters) => listQuery<Item>(key, path, filters),
  };
}

function listQuery<Item>(key: readonly string[], path: string, filters: object) {
  return infiniteQueryOptions({
    queryKey: [...key, filters],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) =>
      call<ListPage<Item>>('GET', path, {
        query: { ...filters, limit: 50, cursor: pageParam },
        signal,
      }),
    getNextPageParam: (page) => page.next_cursor,
  });
}
