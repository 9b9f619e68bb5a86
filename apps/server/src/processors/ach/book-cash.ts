import { bigint, date, oneOf, type RowOf, recordset, row, sql, text } from '@svc/db';
import { type Poster, post, type Transfer } from '../../domain/ledger/post.ts';
import { addDays, hourOf, localDate } from '../../domain/tenants/calendar.ts';
import { achTimeZone, settlementHour } from './banking-windows.ts';
import { type Entry, traceOf } from './entries.ts';

// What ACH files do to our account at the bank. The bank credits the debits of a file on their settlement
// day and takes back what is returned. A debit becomes a payment only when its days have passed, so until
// then `ach_clearing` has the other side. It is zero once every entry has its outcome.

type Uow = Poster;

const fileRow = row('file to book', { id: text, name: text });
const sumRow = row('entries of a settlement day', {
  partnerId: text,
  kind: oneOf('debit', 'credit'),
  effectiveOn: date,
  amountInCents: bigint,
});
type Sum = RowOf<typeof sumRow>;

/**
 * Books the entries of one file whose settlement day has come, debits and credits separately, as the bank
 * does. Includes entries that have already come back. Returns how many files were booked, at most one.
 */
export async function bookSettledFile(uow: Uow): Promise<number> {
  const { tx, now } = uow;
  const today = localDate(now, achTimeZone);
  const day = now < hourOf(today, settlementHour, achTimeZone) ? addDays(today, -1) : today;
  // `resendFile` takes the same lock, so a file that the bank has refused is not booked.
  const file = await tx.maybe(
    fileRow,
    sql`
    /* many rows: all entries of a day */
    /* all partners: we have one account at the bank for all of them */
    select f.id, f.name from ach_file f
    where f.state in ('sent', 'acknowledged') and f.id in (
      select e.file_id from ach_entry e
      where e.booked_at is null and e.file_id is not null and e.kind <> 'prenote'
        and e.effective_on <= ${day}::date)
    order by f.id limit 1 for update skip locked`,
  );
  if (!file) return 0;
  const sums = await tx.many(
    sumRow,
    sql`
    /* all partners: we have one account at the bank for all of them */
    with booked as (
      update ach_entry set booked_at = ${now}
      where file_id = ${file.id} and booked_at is null and kind <> 'prenote'
        and effective_on <= ${day}::date
      returning partner_id, kind, effective_on, amount_in_cents
    )
    select partner_id, kind, effective_on,
      sum(amount_in_cents)::int8 as amount_in_cents
    from booked group by 1, 2, 3 order by 1, 2, 3`,
  );
  await post(
    uow,
    sums.map((it) => settlementTransfer(file.id, it)),
  );
  return 1;
}

/** Reverses the booking of a file that the bank has refused. The caller has locked the file. */
export async function unbookFile(uow: Uow, fileId: string): Promise<void> {
  const { tx, now } = uow;
  const sums = await tx.many(
    sumRow,
    sql`
    /* all partners: a file has entries of all of them */
    select partner_id, kind, effective_on,
      sum(amount_in_cents)::int8 as amount_in_cents
    from ach_entry where file_id = ${fileId} and booked_at is not null
    group by 1, 2, 3 order by 1, 2, 3`,
  );
  if (sums.length === 0) return;
  await post(
    uow,
    sums.map((it): Transfer => {
      const { partnerId, entries } = settlementTransfer(fileId, it);
      const sourceId = `${fileId}/${it.effectiveOn}/${it.kind}`;
      const opposite = entries.map(({ kind, amountInCents }) => ({
        kind,
        amountInCents: -amountInCents,
      }));
      const about = { partnerId, tenantId: null, sourceId, occurredAt: now };
      return { ...about, kind: 'ach_refused', entries: opposite };
    }),
  );
}

function settlementTransfer(fileId: string, it: Sum): Transfer {
  const { partnerId, kind, effectiveOn, amountInCents } = it;
  const cash = kind === 'debit' ? amountInCents : -amountInCents;
  return {
    partnerId,
    tenantId: null,
    kind: kind === 'debit' ? 'ach_debits' : 'ach_credits',
    sourceId: `${fileId}/${effectiveOn}`,
    occurredAt: hourOf(effectiveOn, settlementHour, achTimeZone),
    entries: [
      { kind: 'cash', amountInCents: cash },
      { kind: 'ach_clearing', amountInCents: -cash },
    ],
  };
}

const keyRow = row('entry that came back', { partnerId: text, key: text });
const returnedRow = row('entry that came back', {
  partnerId: text,
  number: bigint,
  fileId: text,
  kind: oneOf('debit', 'credit'),
  amountInCents: bigint,
});

/** Books returns: the bank took back the money of returned debits, and gave back that of returned credits. */
export async function bookReturns(
  uow: Uow,
  entries: readonly Entry[],
  bankRoutingNumber: string,
): Promise<void> {
  const keys = entries.map(({ partnerId, key }) => ({ partnerId, key }));
  if (keys.length === 0) return;
  const returned = await uow.tx.many(
    returnedRow,
    sql`
    select e.partner_id, e.number, e.file_id, e.kind,
      e.amount_in_cents
    from ach_entry e join ${recordset(keyRow, keys, 'k')}
      on e.partner_id = k.partner_id and e.key = k.key
    -- A debit whose prenote came back was in no file.
    where e.kind <> 'prenote' and e.file_id is not null order by e.number`,
  );
  if (returned.length === 0) return;
  await post(
    uow,
    returned.map((it): Transfer => {
      const cash = it.kind === 'debit' ? -it.amountInCents : it.amountInCents;
      return {
        partnerId: it.partnerId,
        tenantId: null,
        kind: 'ach_returned',
        // The statement names the trace number, which is unique only for ten million entries.
        sourceId: `${it.fileId}/${traceOf(it, bankRoutingNumber)}`,
        occurredAt: uow.now,
        entries: [
          { kind: 'cash', amountInCents: cash },
          { kind: 'ach_clearing', amountInCents: -cash },
        ],
      };
    }),
  );
}
