import {
  bigint,
  boolean,
  date,
  instant,
  integer,
  nullable,
  oneOf,
  type Queryable,
  type RowOf,
  row,
  sql,
  text,
} from '@svc/db';
import type { Poster } from '../../domain/ledger/post.ts';
import { type Listed, listNewest, mostListed } from '../../domain/listed.ts';
import { Refusal } from '../../domain/refusal.ts';
import { unbookFile } from './book-cash.ts';

// Operators list ACH files here, and deal with refused ones. Each function runs in one transaction.

const fileRow = row('listed ACH file', {
  id: text,
  direction: oneOf('out', 'in'),
  name: text,
  state: oneOf(
    'assembled',
    'staged',
    'sent',
    'acknowledged',
    'refused',
    'read',
    'rejected',
    'dismissed',
  ),
  entries: integer,
  /** The sums of one of our files; 0 for a file from the bank. */
  debits_in_cents: bigint,
  credits_in_cents: bigint,
  /** Entries of one of our files that have come back. */
  returned: integer,
  reason: nullable(text),
  /** Entries of a file of the bank that no operator has dealt with. */
  exceptions: integer,
  created_at: instant,
});
export type ListedFile = Omit<RowOf<typeof fileRow>, 'created_at'> & {
  /** An instant in UTC. */
  readonly created_at: string;
};

export interface AchFiles extends Listed<ListedFile> {
  /** Entries that wait for their cut-off. */
  readonly waiting: number;
  /** When the first of them is written. */
  readonly next_at: string | null;
}

const waitingRow = row('waiting entries', { waiting: integer, next: nullable(instant) });

/** Lists the files of the last 30 days and those that need attention, newest first. */
export async function listFiles(q: Queryable, now: Date): Promise<AchFiles> {
  const since = new Date(now.getTime() - 30 * 86_400_000);
  const rows = await q.many(
    fileRow,
    sql`
    /* many rows: a list for the operator */
    /* all partners: for the operator */
    select f.id, f.direction, f.name, f.state, f.entries, f.reason, f.created_at,
      coalesce(sum(e.amount_in_cents) filter (where e.kind = 'debit'), 0)::int8 as debits_in_cents,
      coalesce(sum(e.amount_in_cents) filter (where e.kind = 'credit'), 0)::int8 as credits_in_cents,
      count(e.key) filter (where e.returned_at is not null)::int4 as returned,
      (select count(*)::int4 from ach_exception x
        where x.file_id = f.id and x.resolved_at is null) as exceptions
    from ach_file f left join ach_entry e on e.file_id = f.id
    where f.created_at >= ${since} or f.state in ('assembled', 'staged', 'rejected')
      or exists (select from ach_exception x where x.file_id = f.id and x.resolved_at is null)
    group by f.id order by f.id desc limit ${mostListed + 1}`,
  );
  const { waiting, next } = await q.one(
    waitingRow,
    sql`
    /* all partners: for the operator */
    select count(*)::int4 as waiting, min(write_at) as next from ach_entry where state = 'waiting'`,
  );
  const files = rows.map((it) => ({ ...it, created_at: it.created_at.toISOString() }));
  return { ...listNewest(files), waiting, next_at: next?.toISOString() ?? null };
}

const entryRow = row('listed ACH entry', {
  /** The last 7 digits of its trace number. */
  trace: text,
  kind: oneOf('debit', 'credit', 'prenote'),
  amount_in_cents: bigint,
  effective_on: nullable(date),
  state: oneOf('waiting', 'sent', 'settled', 'failed', 'returned'),
  return_code: nullable(text),
  /** The payment's id, or our key of a refund or prenote. */
  key: text,
  pms: text,
});
type ListedEntry = RowOf<typeof entryRow>;

const exceptionRow = row('listed exception', {
  line: integer,
  reason: text,
  resolved: boolean,
});

export interface ShownFile extends Listed<ListedEntry> {
  /** The entries of a file of the bank that were not applied. */
  readonly exceptions: readonly RowOf<typeof exceptionRow>[];
}

/** Lists the entries of one of our files by trace number, or the exceptions of a file from the bank. */
export async function showFile(q: Queryable, fileId: string): Promise<ShownFile> {
  await lockFile(q, fileId);
  const rows = await q.many(
    entryRow,
    sql`
    /* many rows: a list for the operator */
    /* all partners: for the operator */
    select lpad((e.number % 10000000)::text, 7, '0') as trace, e.kind, e.amount_in_cents,
      e.effective_on, e.state, e.return_code, e.key, p.pms
    from ach_entry e join partner p on p.id = e.partner_id
    where e.file_id = ${fileId} order by e.number limit ${mostListed + 1}`,
  );
  const exceptions = await q.many(
    exceptionRow,
    sql`
    select line, reason, resolved_at is not null as resolved from ach_exception
    where file_id = ${fileId} order by line limit ${mostListed}`,
  );
  return { ...listNewest(rows), exceptions };
}

export interface Resent {
  readonly name: string;
  readonly entries: number;
}

/**
 * Puts the entries of a file into a new one, because the bank refused the whole file and made none of them.
 * @throws Refusal if something shows that the bank took it
 */
export async function resendFile(uow: Poster, id: string): Promise<Resent> {
  const { tx, now } = uow;
  const { name, direction, state } = await lockFile(tx, id);
  if (direction !== 'out')
    throw refused(`${name} came from the bank. Only our own files are sent.`);
  if (state !== 'sent' && state !== 'acknowledged') {
    throw refused(`${name} is ${state}. Only a file that was sent can be refused by the bank.`);
  }
  const { settled } = await tx.one(
    settledRow,
    sql`
    /* all partners: a file has entries of all of them */
    select exists (select from ach_entry where file_id = ${id} and state <> 'sent') as settled`,
  );
  if (settled) {
    throw refused(
      `Entries of ${name} have settled or come back, so the bank took the file. Sending it again would debit tenants twice.`,
    );
  }
  await unbookFile(uow, id);
  const entries = await tx.run(sql`
    /* all partners: a file has entries of all of them */
    update ach_entry set state = 'waiting', file_id = null, effective_on = null, settles_at = null,
      booked_at = null, write_at = ${now}
    where file_id = ${id}`);
  await tx.run(sql`update ach_file set state = 'refused', changed_at = ${now} where id = ${id}`);
  return { name, entries };
}

/**
 * Records that an operator has dealt with a rejected file of the bank, or with the exceptions of one that was
 * read. The debits that waited for that may succeed.
 */
export async function dismissFile(tx: Queryable, id: string, now: Date): Promise<{ name: string }> {
  const { name, state } = await lockFile(tx, id);
  if (state === 'rejected') {
    await tx.run(
      sql`update ach_file set state = 'dismissed', changed_at = ${now} where id = ${id}`,
    );
    return { name };
  }
  const resolved = await tx.run(
    sql`update ach_exception set resolved_at = ${now} where file_id = ${id} and resolved_at is null`,
  );
  if (resolved > 0) return { name };
  throw refused(
    `${name} is ${state}, and has no open exceptions. Only a rejected file or one with exceptions is dismissed.`,
  );
}

const lockedRow = row('ACH file', { name: text, direction: text, state: text });
const settledRow = row('entries with an outcome', { settled: boolean });

async function lockFile(tx: Queryable, id: string): Promise<RowOf<typeof lockedRow>> {
  const found = await tx.maybe(
    lockedRow,
    sql`select name, direction, state from ach_file where id = ${id} for update`,
  );
  if (!found) throw refused(`There is no ACH file ${id}. "svc-admin ach list" shows them.`);
  return found;
}

function refused(message: string): Refusal {
  return new Refusal('validation_failed', { message });
}
