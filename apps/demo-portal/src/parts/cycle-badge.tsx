import type { Cycle } from '../../backend/answers.ts';

/** Whether a month is paid, and by whom. */
export function CycleBadge({ cycle }: { cycle: Cycle }) {
  if (cycle.balance_in_cents > 0) return <span className="svc-badge svc-tone-warn">Due</span>;
  const bySvc = cycle.entries.some(({ settlement_id }) => settlement_id !== null);
  return <span className="svc-badge svc-tone-good">{bySvc ? 'Paid by Svc' : 'Paid'}</span>;
}
