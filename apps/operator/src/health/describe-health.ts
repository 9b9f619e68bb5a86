import type { Tone } from '@svc/ui/console/parts/state-mark.tsx';
import type { HealthItem } from '../api/health.ts';

/** The parts of the service, as people call them. */
export const partNames: Record<HealthItem['name'], string> = {
  lanes: 'Background work',
  processor: 'Processor',
  payments: 'Payments',
  mail: 'Mail',
  notices: 'Notices on paper',
  webhooks: 'Webhooks',
  outbox: 'Other systems',
  settlements: 'Settlements',
  payouts: 'Payouts',
  books: 'Books',
  ledger: 'Ledger',
  audit: 'Audit log',
  backup: 'Backup',
  money: 'Money',
  database: 'Database',
};

export const stateMarks: Record<HealthItem['state'], { tone: Tone; word: string }> = {
  ok: { tone: 'good', word: 'Fine' },
  warning: { tone: 'warn', word: 'Look at it' },
  failed: { tone: 'bad', word: 'Act now' },
};

const order: readonly HealthItem['state'][] = ['failed', 'warning', 'ok'];

/** Parts that need a person come first. Within a state, the service's order stays. */
export function worstFirst(items: readonly HealthItem[]): readonly HealthItem[] {
  return items.toSorted((one, other) => order.indexOf(one.state) - order.indexOf(other.state));
}

/** Summarizes the state of all parts in one sentence: "2 of 15 parts need you now, 1 to look at." */
export function summarizeHealth(items: readonly HealthItem[]): string {
  const count = (state: HealthItem['state']) => items.filter((it) => it.state === state).length;
  const [failed, warning] = [count('failed'), count('warning')];
  if (failed + warning === 0) return `All ${items.length} parts of the service run.`;
  const urgent = `${failed} of ${items.length} parts ${failed === 1 ? 'needs' : 'need'} you now`;
  if (warning === 0) return `${urgent}.`;
  const calm = `${warning} of ${items.length} parts to look at`;
  return failed === 0 ? `${calm}.` : `${urgent}, ${warning} to look at.`;
}
