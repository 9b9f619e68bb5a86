import type { BookExceptionOutput, OperatorInput, OperatorOutput } from '@svc/contract/operator';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { call, callPage } from './call.ts';

export type BooksDays = OperatorOutput<'GET', '/books/days'>;
export type BooksDay = OperatorOutput<'GET', '/books/days/{day}'>;
export type StatementLine = OperatorOutput<'GET', '/books/lines'>['items'][number];
export type BookException = BookExceptionOutput;
export type TrialBalance = OperatorOutput<'GET', '/books/trial-balance'>;
export type Posting = OperatorOutput<'GET', '/books/accounts/{account}/postings'>['items'][number];
export type Payout = OperatorOutput<'GET', '/payouts'>['items'][number];

const books = ['books'] as const;

/** The newest days of the books and the accounts that are compared. */
export const booksDaysQuery = queryOptions({
  queryKey: [...books, 'days'],
  queryFn: ({ signal }) => call('GET', '/books/days', { signal }),
});

export function booksDayQuery(day: string) {
  return queryOptions({
    queryKey: [...books, 'day', day],
    queryFn: ({ signal }) => call('GET', '/books/days/{day}', { params: { day }, signal }),
  });
}

/** Lines and entries until a day that are not matched. */
export function exceptionsQuery(until: string) {
  return queryOptions({
    queryKey: [...books, 'exceptions', until],
    queryFn: ({ signal }) => call('GET', '/books/exceptions', { query: { until }, signal }),
  });
}

/** The lines of one account's statement on a day, each with its match or what it may belong to. */
export function linesQuery(bank: string, day: string) {
  return queryOptions({
    queryKey: [...books, 'lines', bank, day],
    queryFn: async ({ signal }) =>
      (await call('GET', '/books/lines', { query: { bank, day }, signal })).items,
  });
}

/** @param asOf the balance is that at the end of this day; today if undefined */
export function trialBalanceQuery(asOf: string | undefined) {
  return queryOptions({
    queryKey: [...books, 'trial-balance', asOf ?? 'today'],
    queryFn: ({ signal }) =>
      call('GET', '/books/trial-balance', { query: { as_of: asOf }, signal }),
  });
}

export interface PostingFilter {
  readonly partner?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** The postings of an account, newest first. */
export function postingsList(account: string, { partner, from, to }: PostingFilter) {
  return infiniteQueryOptions({
    queryKey: [...books, 'postings', account, partner ?? '', from ?? '', to ?? ''],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) =>
      callPage('/books/accounts/{account}/postings', {
        params: { account },
        query: { partner, from, to, limit: 50, cursor: pageParam },
        signal,
      }),
    getNextPageParam: (page) => page.next_cursor,
  });
}

type PayoutQuery = NonNullable<OperatorInput<'GET', '/payouts'>['query']>;

export interface PayoutFilter {
  readonly partner?: string | undefined;
  readonly status?: string | undefined;
}

export function payoutsQuery(filter: PayoutFilter) {
  return queryOptions({
    queryKey: ['payouts', filter.partner ?? '', filter.status ?? ''],
    // The status is text from the page's address, and only the service checks it.
    queryFn: ({ signal }) => call('GET', '/payouts', { query: filter as PayoutQuery, signal }),
  });
}

export interface StatementUpload {
  readonly bank: string;
  readonly file: File;
  /** Replaces statements of these days instead of adding new ones. */
  readonly replace?: { readonly reason: string; readonly isPreview: boolean };
}

/** Uploads a file of statements as the bank sent it. The response says in words what was done. */
export function uploadStatement({ bank, file, replace }: StatementUpload) {
  const query = { bank, file: file.name };
  // Browsers report different types for the same kind of file. The service looks at the content instead.
  const bytes = file.slice(0, file.size, 'application/octet-stream');
  if (!replace) return call('POST', '/books/statements', { query, file: bytes });
  const { reason, isPreview } = replace;
  return call('POST', '/books/statements/replace', {
    query: { ...query, dry_run: isPreview ? 'true' : undefined },
    file: bytes,
    reason,
  });
}

export const delinquencyQuery = queryOptions({
  queryKey: ['reports', 'delinquency'],
  queryFn: async ({ signal }) => (await call('GET', '/reports/delinquency', { signal })).items,
});

export const lossesQuery = queryOptions({
  queryKey: ['reports', 'losses'],
  queryFn: ({ signal }) => call('GET', '/reports/losses', { signal }),
});

/** The portfolio by month, for the year that ends with this month. */
export const portfolioQuery = queryOptions({
  queryKey: ['reports', 'portfolio'],
  queryFn: async ({ signal }) => (await call('GET', '/reports/portfolio', { signal })).items,
});

export const feesQuery = queryOptions({
  queryKey: ['reports', 'fees'],
  queryFn: async ({ signal }) => (await call('GET', '/reports/fees', { signal })).items,
});
