import type { DebitAccountOutput } from '@svc/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from './client.ts';

export type DebitAccount = DebitAccountOutput;

/** Forgotten as soon as it is no longer shown, and never read again by itself. */
export const debitAccountQuery = queryOptions({
  queryKey: ['debit-account'],
  queryFn: ({ signal }) => call<DebitAccount>('GET', '/partner/debit_account', { signal }),
  gcTime: 0,
  staleTime: 0,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
});
