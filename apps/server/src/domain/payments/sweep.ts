import { instant, row, sql } from '@svc/db';
import type { UnitOfWork } from '../../context.ts';

const dayMs = 86_400_000;
// The lease is longer than it takes to read the events of a day.
const leaseMs = 3_600_000;

const sweepRow = row('sweep of a processor', { since: instant });

/**
 * Claims the sweep that is due, once a day for all processes together. Returns the time from which the
 * events have to be read, or undefined if no sweep is due. The first sweep reads one day.
 */
export async function claimSweep(
  { tx, now }: Pick<UnitOfWork, 'tx' | 'now'>,
  processor: string,
): Promise<Date | undefined> {
  const leased = new Date(now.getTime() + leaseMs);
  await tx.run(sql`
    /* all partners */
    insert into processor_sweep (processor, swept_until, due_at)
    values (${processor}, ${new Date(now.getTime() - dayMs)}, ${now})
    on conflict (processor) do nothing`);
  const claimed = await tx.maybe(
    sweepRow,
    sql`
    /* all partners */
    update processor_sweep set due_at = ${leased}
    where processor = ${processor} and due_at <= ${now}
    returning swept_until as since`,
  );
  return claimed?.since;
}

/** Records that all events before `until` are stored. */
export async function recordSweep(
  { tx, now }: Pick<UnitOfWork, 'tx' | 'now'>,
  processor: string,
  until: Date,
): Promise<void> {
  await tx.run(sql`
    /* all partners */
    update processor_sweep set swept_until = ${until}, due_at = ${new Date(now.getTime() + dayMs)}
    where processor = ${processor}`);
}
