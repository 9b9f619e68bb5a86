import { bigint, oneOf, type Queryable, row, sql, type Tx } from '@svc/db';
import type { Clock } from '@svc/runtime';
import type { ChargeRequest, Outcome, RefundRequest } from '../../domain/payments/processor.ts';
import type { AchSettings } from './ach-settings.ts';
import { nextWriteTime } from './banking-windows.ts';
import { findEntry, outcomeOf } from './entries.ts';

interface EntryDeps {
  readonly clock: Pick<Clock, 'now'>;
  readonly settings: AchSettings;
}

/** A debit that the bank returned must be marked as a retry when it is made again. */
const occasions = {
  first: 'recurring',
  scheduled: 'recurring',
  tenant: 'single',
  retry: 'retry',
} as const satisfies Record<ChargeRequest['occasion'], string>;

/** Stores the debit once for each key: as failed, with the prenote's return code, if the prenote came back. */
export async function storeDebit(
  q: Queryable,
  { clock, settings }: EntryDeps,
  request: ChargeRequest,
): Promise<Outcome> {
  const { key, payer, amountInCents, methodId, instrument, occasion } = request;
  const { partnerId, tenantId } = payer;
  if (instrument.type !== 'bank_account') return notOurs(instrument.type);
  const now = clock.now();
  const prenote = `prenote_${methodId}`;
  if (settings.prenote) {
    await insertPrenote(q, settings, { ...payer, methodId, key: prenote, now });
  }
  await q.run(sql`
    insert into ach_entry (partner_id, key, tenant_id, kind, payment_method_id, amount_in_cents,
      occasion, state, return_code, returned_at, write_at, created_at)
    select ${partnerId}, ${key}, ${tenantId}, 'debit', ${methodId}, ${amountInCents},
      ${occasions[occasion]}, case when p.return_code is null then 'waiting' else 'failed' end,
      p.return_code, case when p.return_code is not null then ${now}::timestamptz end,
      ${nextWriteTime(now, amountInCents, settings)}, ${now}
    from (select) one left join ach_entry p
      on p.partner_id = ${partnerId} and p.key = ${prenote} and p.state = 'failed'
    on conflict (partner_id, key) do nothing`);
  return outcomeByKey(q, partnerId, key);
}

async function insertPrenote(q: Queryable, settings: AchSettings, it: NewPrenote): Promise<void> {
  // An account that was debited before needs no prenote.
  await q.run(sql`
    insert into ach_entry (partner_id, key, tenant_id, kind, payment_method_id, amount_in_cents,
      occasion, state, write_at, created_at)
    select ${it.partnerId}, ${it.key}, ${it.tenantId}, 'prenote', ${it.methodId}, 0, 'recurring',
      'waiting', ${nextWriteTime(it.now, 0, settings)}, ${it.now}
    where not exists (select from ach_entry where partner_id = ${it.partnerId}
      and payment_method_id = ${it.methodId} and kind = 'debit')
    on conflict (partner_id, key) do nothing`);
}

/**
 * Stores a refund once for each key: a credit up to what is left of a debit that has settled, or a failed
 * one.
 */
export async function storeCredit(
  tx: Tx,
  { clock, settings }: EntryDeps,
  request: RefundRequest,
): Promise<Outcome> {
  const { key, payer, amountInCents, of } = request;
  const { partnerId, tenantId } = payer;
  const known = await findEntry(tx, partnerId, { key, ref: null });
  if (known) return outcomeOf(known);
  const debit = await findEntry(tx, partnerId, of);
  if (!debit) return { state: 'failed', ref: null, returnCode: 'charge_not_found' };
  const { state, left } = await lockDebit(tx, partnerId, debit.key);
  if (state !== 'settled') return { state: 'failed', ref: null, returnCode: 'charge_not_settled' };
  const isTooMuch = left < amountInCents;
  const now = clock.now();
  await tx.run(sql`
    insert into ach_entry (partner_id, key, tenant_id, kind, payment_method_id, of_key,
      amount_in_cents, occasion, state, return_code, returned_at, write_at, created_at)
    select ${partnerId}, ${key}, ${tenantId}, 'credit', d.payment_method_id, d.key,
      ${amountInCents}, 'single', ${isTooMuch ? 'failed' : 'waiting'},
      ${isTooMuch ? 'refund_too_big' : null}::text, ${isTooMuch ? now : null}::timestamptz,
      ${nextWriteTime(now, amountInCents, settings)}, ${now}
    from ach_entry d where d.partner_id = ${partnerId} and d.key = ${debit.key}
    on conflict (partner_id, key) do nothing`);
  return outcomeByKey(tx, partnerId, key);
}

interface NewPrenote {
  readonly partnerId: string;
  readonly tenantId: string;
  readonly methodId: string;
  readonly key: string;
  readonly now: Date;
}

const debitRow = row('debit to give back', {
  state: oneOf('waiting', 'sent', 'settled', 'failed', 'returned'),
  left: bigint,
});

/** Locks the debit before reading what is left of it: a second refund waits, and then sees the first one. */
async function lockDebit(tx: Queryable, partnerId: string, key: string) {
  await tx.run(
    sql`select from ach_entry where partner_id = ${partnerId} and key = ${key} for update`,
  );
  return tx.one(
    debitRow,
    sql`
    select d.state, d.amount_in_cents - coalesce((select sum(c.amount_in_cents) from ach_entry c
        where c.partner_id = d.partner_id and c.of_key = d.key and c.state <> 'failed'), 0)::int8
      as left
    from ach_entry d where d.partner_id = ${partnerId} and d.key = ${key}`,
  );
}

export async function outcomeByKey(q: Queryable, partnerId: string, key: string): Promise<Outcome> {
  const entry = await findEntry(q, partnerId, { key, ref: null });
  return entry ? outcomeOf(entry) : { state: 'unknown', reason: 'the entry was not stored' };
}

/** The outcome for a card or another processor's account. It never gets into a file, so it has failed. */
function notOurs(type: string): Outcome {
  return { state: 'failed', ref: null, returnCode: `${type}_of_another_processor` };
}
