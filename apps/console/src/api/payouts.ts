import type { PayoutOutput } from '@svc/contract';
import { apiList } from './call.ts';

export type { PayoutOutput as Payout };

export const payoutList = apiList({
  key: ['payouts', 'list'],
  path: '/payouts',
  filterNames: ['status'],
});

/** The address of the statement of a payout. */
export function statementUrl(id: string, format: 'csv' | 'json'): string {
  return `/v1/payouts/${encodeURIComponent(id)}/statement${format === 'csv' ? '.csv' : ''}`;
}
