import { type SvcEnvironment, testRoutingNumber } from '@svc/contract';
import { bigint, type Database, oneOf, type Queryable, row, sql } from '@svc/db';
import type { Clock } from '@svc/runtime';
import {
  type BankAccount,
  type ChargeRequest,
  type Outcome,
  type Processor,
  type RefundRequest,
  type Registered,
  type SetupStep,
  WebhookNotAuthentic,
} from '../../domain/payments/processor.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { AchSettings } from './ach-settings.ts';
import { writeAt } from './banking-windows.ts';
import { entriesSince, eventsOf, findEntry, outcomeOf } from './entries.ts';

interface Deps {
  readonly db: Database;
  readonly clock: Pick<Clock, 'now'>;
  readonly environment: SvcEnvironment;
}

/**
 * Debits and credits bank accounts through ACH files. A charge or refund is a row of ours, `ach_entry`,
 * which a lane writes to a file at the next cut-off (`jobs/exchange-ach-files.ts`). What becomes of it
 * follows from the bank's files and from time, so there are no webhooks, and each answer is in our
 * database.
 */
export function createAchProcessor(settings: AchSettings, deps: Deps): Processor {
  const { db, clock, environment } = deps;

  /** Stores the debit once for each key: as failed, with the prenote's return code, if the prenote came back. */
  async function charge(request: ChargeRequest): Promise<Outcome> {
    const { key, payer, amountInCents, methodId, instrument, occasion } = request;
    const { partnerId, tenantId } = payer;
    if (instrument.type !== 'bank_account') return notOurs(instrument.type);
    const now = clock.now();
    const prenote = `prenote_${methodId}`;
    if (settings.prenote) await insertPrenote(db, { ...payer, methodId, key: prenote, now });
    await db.run(sql`
      insert into ach_entry (partner_id, key, tenant_id, kind, payment_method_id, amount_in_cents,
        occasion, state, return_code, returned_at, write_at, created_at)
      select ${partnerId}, ${key}, ${tenantId}, 'debit', ${methodId}, ${amountInCents},
        ${occasions[occasion]}, case when p.return_code is null then 'waiting' else 'failed' end,
        p.return_code, case when p.return_code is not null then ${now}::timestamptz end,
        ${writeAt(now, amountInCents, settings)}, ${now}
      from (select) one left join ach_entry p
        on p.partner_id = ${partnerId} and p.key = ${prenote} and p.state = 'failed'
      on conflict (partner_id, key) do nothing`);
    return outcomeByKey(db, partnerId, key);
  }

  async function insertPrenote(q: Queryable, it: NewPrenote): Promise<void> {
    // An account that was debited before needs none.
    await q.run(sql`
      insert into ach_entry (partner_id, key, tenant_id, kind, payment_method_id, amount_in_cents,
        occasion, state, write_at, created_at)
      select ${it.partnerId}, ${it.key}, ${it.tenantId}, 'prenote', ${it.methodId}, 0, 'recurring',
        'waiting', ${writeAt(it.now, 0, settings)}, ${it.now}
      where not exists (select from ach_entry where partner_id = ${it.partnerId}
        and payment_method_id = ${it.methodId} and kind = 'debit')
      on conflict (partner_id, key) do nothing`);
  }

  /** A credit up to what is left of a debit that has settled. */
  async function refund(request: RefundRequest): Promise<Outcome> {
    const { key, payer, amountInCents, of } = request;
    const { partnerId, tenantId } = payer;
    return db.transaction(async (tx) => {
      const known = await findEntry(tx, partnerId, { key, ref: null });
      if (known) return outcomeOf(known);
      const debit = await findEntry(tx, partnerId, of);
      if (!debit) return { state: 'failed', ref: null, returnCode: 'charge_not_found' };
      const { state, left } = await lockDebit(tx, partnerId, debit.key);
      if (state !== 'settled')
        return { state: 'failed', ref: null, returnCode: 'charge_not_settled' };
      const isTooMuch = left < amountInCents;
      const now = clock.now();
      await tx.run(sql`
        insert into ach_entry (partner_id, key, tenant_id, kind, payment_method_id, of_key,
          amount_in_cents, occasion, state, return_code, returned_at, write_at, created_at)
        select ${partnerId}, ${key}, ${tenantId}, 'credit', d.payment_method_id, d.key,
          ${amountInCents}, 'single', ${isTooMuch ? 'failed' : 'waiting'},
          ${isTooMuch ? 'refund_too_big' : null}::text, ${isTooMuch ? now : null}::timestamptz,
          ${writeAt(now, amountInCents, settings)}, ${now}
        from ach_entry d where d.partner_id = ${partnerId} and d.key = ${debit.key}
        on conflict (partner_id, key) do nothing`);
      return outcomeByKey(tx, partnerId, key);
    });
  }

  return {
    name: 'ach',
    accountEntry: 'fields',
    takesCards: false,
    deposits: 'daily',
    depositAccount: 'ach_clearing',

    async setup({ type, typed }): Promise<SetupStep> {
      if (type === 'card')
        throw refuse('type', 'not_accepted', 'must be a bank account: cards are not accepted');
      if (typed?.type !== 'bank_account') return { kind: 'fields' };
      if (environment === 'sandbox' && typed.routing_number !== testRoutingNumber) {
        const message = `must be ${testRoutingNumber}: the sandbox takes its test bank only, never a real account`;
        throw refuse('routing_number', 'invalid_value', message);
      }
      return { kind: 'ready', method: registerAccount(typed), ref: null };
    },

    async findSetup(ref) {
      throw new Error(`no setup of an account by its numbers is pending, so there is no ${ref}`);
    },

    charge,
    refund,

    async cancel(name, { partnerId }) {
      const known = await findEntry(db, partnerId, name);
      if (!known) return { state: 'unknown', reason: 'no such charge' };
      // Once it is in a file, only the bank can stop it. The lane locks the row when it takes it.
      await db.run(sql`
        update ach_entry set state = 'failed', return_code = 'canceled', returned_at = ${clock.now()}
        where partner_id = ${partnerId} and key = ${known.key} and state = 'waiting'`);
      return outcomeByKey(db, partnerId, known.key);
    },

    async find(call, { partnerId }) {
      const known = await findEntry(db, partnerId, call);
      return known ? outcomeOf(known) : null;
    },

    parseWebhook() {
      throw new WebhookNotAuthentic(
        'ACH files come through a folder, and no webhook belongs to them.',
      );
    },

    async *list(since) {
      const events = (await entriesSince(db, since)).flatMap(eventsOf);
      const recent = events.filter(({ occurredAt }) => occurredAt >= since);
      yield* recent.sort((a, b) => a.occurredAt.getTime() - b.occurredAt.getTime());
    },
  };
}

interface NewPrenote {
  readonly partnerId: string;
  readonly tenantId: string;
  readonly methodId: string;
  readonly key: string;
  readonly now: Date;
}

/** A debit that the bank returned must be marked as a retry when it is made again. */
const occasions = {
  first: 'recurring',
  scheduled: 'recurring',
  tenant: 'single',
  retry: 'retry',
} as const satisfies Record<ChargeRequest['occasion'], string>;

const debitRow = row('debit to give back', {
  state: oneOf('waiting', 'sent', 'settled', 'failed', 'returned'),
  left: bigint,
});

/** Locks the debit first: a second refund waits, and then sees the first one. */
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

async function outcomeByKey(q: Queryable, partnerId: string, key: string): Promise<Outcome> {
  const entry = await findEntry(q, partnerId, { key, ref: null });
  return entry ? outcomeOf(entry) : { state: 'unknown', reason: 'the entry was not stored' };
}

/** The numbers are stored sealed, as those of every payment method. */
function registerAccount(typed: BankAccount): Registered {
  const last4 = typed.account_number.slice(-4);
  return { type: 'bank_account', brand: null, last4, expires: null, instrument: typed };
}

/** A card, or an account that another processor knows. It never gets into a file, so it has failed. */
function notOurs(type: string): Outcome {
  return { state: 'failed', ref: null, returnCode: `${type}_of_another_processor` };
}

function refuse(param: string, code: 'not_accepted' | 'invalid_value', message: string): Refusal {
  return new Refusal('validation_failed', { errors: [{ param, code, message }] });
}
