import type { DebitAccountOutput } from '@svc/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from './call.ts';

export type DebitAccount = DebitAccountOutput;

/** Dropped from the cache when it is no longer shown, and never refetched in the background. */
export const debitAccountQuery = queryOptions({
  queryKey: ['debit-account'],
  queryFn: ({ signal }) => call('GET', '/partner/debit_account', { signal }),
  gcTime: 0,
  staleTime: 0,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
});
