import {
  bigint,
  instant,
  nullable,
  oneOf,
  type Queryable,
  type RowOf,
  recordset,
  row,
  sql,
  text,
} from '@svc/db';
import type { CallName, Outcome, ProcessorEvent } from '../../domain/payments/processor.ts';

// The table ach_entry: our requests to the bank, and their outcomes.

const entryRow = row('ach entry', {
  partnerId: text,
  key: text,
  number: bigint,
  kind: oneOf('debit', 'credit', 'prenote'),
  state: oneOf('waiting', 'sent', 'settled', 'failed', 'returned'),
  settledAt: nullable(instant),
  returnedAt: nullable(instant),
  returnCode: nullable(text),
});
export type Entry = RowOf<typeof entryRow>;

/** The columns of `Entry`, of `ach_entry e`. */
const entryColumns = sql`
  e.partner_id as partner_id, e.key, e.number, e.kind, e.state, e.settled_at,
  e.returned_at, e.return_code`;

const refPrefix = 'ach_';

/** Our id of an entry, which stays unique when trace numbers begin again. */
function refOf({ number }: Pick<Entry, 'number'>): string {
  return `${refPrefix}${number}`;
}

/** The number of different trace numbers: 7 digits follow the bank's 8. */
const traceNumbers = 10_000_000;

/** The trace number of an entry: the first 8 digits of our bank, and 7 digits. */
export function traceOf({ number }: Pick<Entry, 'number'>, bankRoutingNumber: string): string {
  return `${bankRoutingNumber.slice(0, 8)}${String(number % traceNumbers).padStart(7, '0')}`;
}

export async function findEntry(
  q: Queryable,
  partnerId: string,
  { key, ref }: CallName,
): Promise<Entry | undefined> {
  const named =
    key === null ? sql`e.number = ${Number(ref?.slice(refPrefix.length))}` : sql`e.key = ${key}`;
  return q.maybe(
    entryRow,
    sql`select ${entryColumns} from ach_entry e where e.partner_id = ${partnerId} and ${named}`,
  );
}

/** The state of a call. A debit that the bank took back stays one that succeeded; an event reports the rest. */
export function outcomeOf(entry: Entry): Outcome {
  const ref = refOf(entry);
  switch (entry.state) {
    case 'waiting':
    case 'sent':
      return { state: 'processing', ref };
    case 'settled':
    case 'returned':
      return { state: 'succeeded', ref };
    case 'failed':
      return { state: 'failed', ref, returnCode: entry.returnCode ?? '' };
  }
}

/** The events of an entry, with the same ids each time. A prenote has none, because no call is waiting for it. */
export function eventsOf(entry: Entry): ProcessorEvent[] {
  const { key, kind, settledAt, returnedAt, returnCode } = entry;
  if (kind === 'prenote') return [];
  const ref = refOf(entry);
  const name = { key, ref };
  const call = { ...name, kind: kind === 'debit' ? 'charge' : 'refund' } as const;
  const events: ProcessorEvent[] = [];
  if (settledAt) {
    const outcome = { state: 'succeeded', ref } as const;
    events.push({ id: `${ref}.settled`, occurredAt: settledAt, kind: 'outcome', call, outcome });
  }
  if (returnedAt === null || returnCode === null) return events;
  if (entry.state === 'returned') {
    const returned = { kind: 'returned', charge: name, returnCode } as const;
    events.push({ id: `${ref}.returned`, occurredAt: returnedAt, ...returned });
  } else {
    const outcome = { state: 'failed', ref, returnCode } as const;
    events.push({ id: `${ref}.failed`, occurredAt: returnedAt, kind: 'outcome', call, outcome });
  }
  return events;
}

/** Reads the entries with an event since then. */
export async function entriesSince(q: Queryable, since: Date): Promise<Entry[]> {
  return q.many(
    entryRow,
    sql`
    /* all partners: we have one account at the bank for all of them */
    select ${entryColumns} from ach_entry e
    where e.settled_at >= ${since} or e.returned_at >= ${since} order by e.number`,
  );
}

/** An entry in one of our files, which a file of the bank names by the end of its trace number. */
const namedRow = row('ach entry that a file names', {
  partnerId: text,
  key: text,
  number: bigint,
  kind: oneOf('debit', 'credit', 'prenote'),
  state: oneOf('waiting', 'sent', 'settled', 'failed', 'returned'),
  settledAt: nullable(instant),
  returnedAt: nullable(instant),
  returnCode: nullable(text),
  tenantId: text,
  methodId: text,
  amountInCents: bigint,
});
export type NamedEntry = RowOf<typeof namedRow>;

/** Locks the entries that a file of the bank names, by the last 7 digits of their trace numbers. */
export async function lockEntries(
  q: Queryable,
  numbers: readonly number[],
): Promise<Map<number, NamedEntry>> {
  const found = await q.many(
    namedRow,
    sql`
    /* all partners: a trace number is unique at our bank */
    select ${entryColumns}, e.tenant_id, e.payment_method_id as method_id,
      e.amount_in_cents
    from ach_entry e
    -- As in the index.
    where (e.number % 10000000) = any(${[...numbers]}::bigint[]) and e.file_id is not null
    order by e.number for update`,
  );
  // After ten million entries, the newest one has the trace number.
  return new Map(found.map((it) => [it.number % traceNumbers, it]));
}

const returnRow = row('return', { partnerId: text, key: text, returnCode: text });
export type Return = RowOf<typeof returnRow>;

/** Records returns of entries that are locked. A debit that had settled is returned, others have failed. */
export async function recordReturns(
  q: Queryable,
  returns: readonly Return[],
  now: Date,
): Promise<Entry[]> {
  return q.many(
    entryRow,
    sql`
    update ach_entry e set return_code = r.return_code, returned_at = ${now},
      state = case when e.state = 'settled' and e.kind = 'debit' then 'returned' else 'failed' end
    from ${recordset(returnRow, returns, 'r')}
    where e.partner_id = r.partner_id and e.key = r.key and e.state in ('sent', 'settled')
    returning ${entryColumns}`,
  );
}

const methodRow = row('method of a prenote', { partnerId: text, methodId: text });

/** Fails the debits that wait for a prenote that came back, because the bank would return them, too. */
export async function failAfterPrenotes(
  q: Queryable,
  prenotes: readonly RowOf<typeof methodRow>[],
  now: Date,
): Promise<Entry[]> {
  return q.many(
    entryRow,
    sql`
    update ach_entry e set state = 'failed', return_code = p.return_code, returned_at = ${now}
    from ach_entry p
    where p.kind = 'prenote' and p.state = 'failed'
      and (p.partner_id, p.payment_method_id) in (
        select m.partner_id, m.method_id from ${recordset(methodRow, prenotes, 'm')})
      and e.partner_id = p.partner_id and e.payment_method_id = p.payment_method_id
      and e.kind = 'debit' and e.state = 'waiting'
    returning ${entryColumns}`,
  );
}

/**
 * Settles entries whose banking days have passed without a return. An entry that an open exception of a file
 * names may have come back, so it waits.
 */
export async function settleEntries(
  q: Queryable,
  { now, limit }: { readonly now: Date; readonly limit: number },
): Promise<Entry[]> {
  return q.many(
    entryRow,
    sql`
    /* all partners: we have one account at the bank for all of them */
    with due as (
      select d.partner_id, d.key from ach_entry d where d.state = 'sent' and d.settles_at <= ${now}
        and not exists (select from ach_exception x
          where x.trace_number = d.number % 10000000 and x.resolved_at is null)
      order by d.settles_at limit ${limit} for update skip locked
    )
    update ach_entry e set state = 'settled', settled_at = ${now}
    from due where e.partner_id = due.partner_id and e.key = due.key
    returning ${entryColumns}`,
  );
}
