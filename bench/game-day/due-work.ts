import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, isOutage, type Sql, sql } from '@svc/db';
import { oneRowOf } from '@svc/db/testing';

/** The rows of each kind of work that is due for these partners at this time, as `from … where …`. */
const kinds: Readonly<Record<string, (partners: readonly string[], at: Date) => Sql>> = {
  'actions of plans': (partners, at) => sql`
    from tenant_due where partner_id = any(${partners}) and due_at <= ${at}`,
  'changes of eligibility': (partners, at) => sql`
    from tenant where partner_id = any(${partners}) and turns_at <= ${at}`,
  'expired applications': (partners, at) => sql`
    from application a join tenant t on t.partner_id = a.partner_id and t.id = a.tenant_id
    where a.partner_id = any(${partners}) and t.partner_id = any(${partners}) and a.state in ('submitted', 'approved')
      and a.expires_at <= ${at}::timestamptz
        + coalesce(t.clock_offset_ms, 0) * interval '1 millisecond'
      and not exists (select from plan p
        where p.partner_id = a.partner_id and p.partner_id = any(${partners})
        and p.tenant_id = a.tenant_id and p.application_id = a.id and p.state = 'created')`,
  'payments without an outcome': (partners, at) => sql`
    from processor_call where partner_id = any(${partners}) and check_at <= ${at}`,
  'webhooks of the processor': (partners, at) => sql`
    from simulator_event e join tenant t on t.partner_id = e.partner_id and t.id = e.tenant_id
    where e.partner_id = any(${partners}) and t.partner_id = any(${partners})
      and e.sent_at is null and e.occurs_at <= ${at}::timestamptz
      + coalesce(t.clock_offset_ms, 0) * interval '1 millisecond'`,
  payouts: (partners, at) => sql`
    from payout_setting where partner_id = any(${partners}) and next_at <= ${at}`,
  mails: (partners, at) => sql`
    from mail where partner_id = any(${partners}) and due_at <= ${at}`,
};

export interface Due {
  readonly partners: readonly string[];
  readonly at: Date;
}

/** Counts the work of each kind that was due at this time and is not done yet. Leaves out kinds that are done. */
export async function countDue(
  db: Database,
  { partners, at }: Due,
): Promise<ReadonlyMap<string, number>> {
  const counts = Object.entries(kinds).map(async ([kind, from]) => {
    const { n } = await oneRowOf<{ n: number }>(
      db,
      sql`select count(*)::int8 as n ${from(partners, at)}`,
    );
    return [kind, n] as const;
  });
  return new Map((await Promise.all(counts)).filter(([, n]) => n > 0));
}

const pollMs = 500;

/** Resolves once nothing that was due at this time is left. @throws after `timeoutMs`, with what is left */
export async function untilDone(db: Database, due: Due, timeoutMs: number): Promise<void> {
  const began = performance.now();
  for (;;) {
    // A server that has just been started may still be recovering.
    const left = await countDue(db, due).catch((error: unknown) => {
      if (isOutage(error)) return new Map([['kinds of work on a server that does not answer', 1]]);
      throw error;
    });
    if (left.size === 0) return;
    if (performance.now() - began > timeoutMs) {
      const list = [...left].map(([kind, n]) => `${n} ${kind}`).join(', ');
      throw new Error(`After ${timeoutMs / 1_000} s the jobs have not done: ${list}.`);
    }
    await sleep(pollMs);
  }
}
