import type { DebitAccountOutput } from '@svc/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from './call.ts';

export type DebitAccount = DebitAccountOutput;

/** The account that the partner debits. It is not cached once hidden, and never refetched in the background. */
export const debitAccountQuery = queryOptions({
  queryKey: ['debit-account'],
  queryFn: ({ signal }) => call('GET', '/partner/debit_account', { signal }),
  gcTime: 0,
  staleTime: 0,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
});
