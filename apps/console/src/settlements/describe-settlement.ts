import type { Tone } from '@svc/ui/console/parts/state-mark.tsx';
import type { Settlement, SettlementInput } from '../api/settlements.ts';

export const settlementMarks: Record<Settlement['status'], { tone: Tone; word: string }> = {
  unsettled: { tone: 'info', word: 'Unsettled' },
  unverified: { tone: 'info', word: 'Unverified' },
  verified: { tone: 'good', word: 'Verified' },
  failed: { tone: 'bad', word: 'Failed' },
  returned: { tone: 'bad', word: 'Returned' },
};

interface Outcome {
  readonly status: SettlementInput['status'];
  readonly label: string;
}

const sent: Outcome = { status: 'unverified', label: 'Debit sent' };
const moneyArrived: Outcome = { status: 'verified', label: 'Money arrived' };
const failed: Outcome = { status: 'failed', label: 'Debit failed' };

/** The outcomes that can be reported next, the next step first. */
export const nextOutcomes: Record<Settlement['status'], readonly Outcome[]> = {
  unsettled: [sent, moneyArrived, failed],
  unverified: [moneyArrived, failed],
  verified: [],
  failed: [],
  returned: [],
};
