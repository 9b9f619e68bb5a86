import type { RouteInput } from '@svc/contract';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { pickStrings } from '../filters/search-params.ts';
import type { ApiClient, ItemOf, ListPath, Page, RouteTable } from './client.ts';

/** The value of each filter that is set, as text. */
export type Filters<Name extends string> = { readonly [N in Name]?: string | undefined };

/** A list of the API that a page shows. */
export interface ApiList<Item, Name extends string> {
  /** The filters that the page offers. */
  readonly filterNames: readonly Name[];
  /** Picks this list's filters from the search parameters of an address. Others belong to other pages. */
  readFilters(search: object): Filters<Name>;
  /** Returns the query that loads the list in pages of 50 items. */
  query(filters: Filters<Name>): ReturnType<typeof listQuery<Item>>;
}

export type FiltersOf<List> = List extends ApiList<infer _Item, infer Name> ? Filters<Name> : never;

/** The names of a list's filters, from the query of its call in the contract. */
type FilterName<Routes extends RouteTable, Path extends ListPath<Routes>> =
  RouteInput<Routes['GET'][Path], Path> extends { query?: infer Query }
    ? Exclude<keyof Query & string, 'limit' | 'cursor'>
    : never;

interface ListCall<Path, Name> {
  /** The start of the cache key. */
  readonly key: readonly string[];
  readonly path: Path;
  readonly filterNames: readonly Name[];
}

/**
 * Returns the function that declares a list of one API. `filterNames` are its parameters in the page's
 * address and in the request; they must be in the contract.
 */
export function listsOf<Routes extends RouteTable>({ callPage }: ApiClient<Routes>) {
  return <Path extends ListPath<Routes>>({
    key,
    path,
    filterNames,
  }: ListCall<Path, FilterName<Routes, Path>>): ApiList<
    ItemOf<Routes, Path>,
    FilterName<Routes, Path>
  > => ({
    filterNames,
    readFilters: (search) => pickStrings(search as Record<string, unknown>, ...filterNames),
    query: (filters) =>
      listQuery([...key, filters], (cursor, signal) =>
        callPage(path, { query: { ...filters, limit: 50, cursor }, signal }),
      ),
  });
}

function listQuery<Item>(
  queryKey: readonly unknown[],
  load: (cursor: string | null, signal: AbortSignal) => Promise<Page<Item>>,
) {
  return infiniteQueryOptions({
    queryKey,
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) => load(pageParam, signal),
    getNextPageParam: (page) => page.next_cursor,
  });
}
