import type { PayoutOutput } from '@svc/contract';
import { fillPath } from '@svc/contract/fill-path';
import { apiList } from './call.ts';

export type { PayoutOutput as Payout };

export const payoutList = apiList({
  key: ['payouts', 'list'],
  path: '/payouts',
  filterNames: ['status'],
});

/** Returns the URL of a payout's statement. */
export function statementUrl(id: string, format: 'csv' | 'json'): string {
  return fillPath(`/v1/payouts/{id}/statement${format === 'csv' ? '.csv' : ''}`, { id });
}
