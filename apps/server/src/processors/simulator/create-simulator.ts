import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { testBanks } from '@svc/contract';
import {
  bigint,
  type Database,
  instant,
  nullable,
  oneOf,
  type Queryable,
  type RowOf,
  row,
  sql,
  text,
} from '@svc/db';
import { claimable } from '../../cluster.ts';
import {
  type DisputeReport,
  type ProcessorEvent,
  processorId,
  type RefundRequest,
  WebhookNotAuthentic,
} from '../../domain/payments/processor.ts';
import type { SimulatedWebhook, Simulator } from '../../domain/payments/simulator.ts';
import type { TenantKey } from '../../domain/tenant-key.ts';
import { localDate } from '../../domain/tenants/calendar.ts';
import type { TenantTime } from '../../domain/tenants/time.ts';
import { beginVisit, endVisit, findVisit, stepOfVisit } from './bank-visits.ts';
import { findCall, keyOf, outcomeOf } from './calls.ts';
import { chargeInBatches } from './charge-in-batches.ts';
import { failureFor } from './failure-codes.ts';
import { isDepositedShort, registerBankAccount, registerCard } from './test-instruments.ts';

interface Options {
  readonly db: Database;
  /**
   * Disturbs the webhooks: some come twice, and those due together come in any order. Returns 0 to 1,
   * like `Math.random`.
   */
  readonly random?: () => number;
}

const toleranceMs = 300_000;

/**
 * Simulates the bank and the card network. The contract's list of test accounts decides each outcome.
 * The books are in tables that only the simulator reads, so that it knows each key after a restart.
 */
export function createSimulator({ db, random }: Options): Simulator {
  // Each process sends its webhooks to itself.
  const secret = randomBytes(32);
  const sign = (raw: Buffer, time: string) =>
    createHmac('sha256', secret).update(`${time}.`).update(raw).digest();

  return {
    name: 'simulator',

    accountEntry: 'banks',
    takesCards: true,
    deposits: 'daily',
    depositAccount: 'cash',

    async setup(request) {
      const { typed, type, bank, payer, now } = request;
      const { at, timeZone } = payer;
      if (typed === null) {
        if (type === 'card') return { kind: 'fields' };
        return bank === null
          ? { kind: 'banks', banks: testBanks }
          : beginVisit(db, { ...request, bank }, now);
      }
      const method =
        typed.type === 'card'
          ? registerCard(typed, localDate(at, timeZone))
          : registerBankAccount(typed);
      return { kind: 'ready', method, ref: null };
    },

    findSetup(ref, now) {
      return stepOfVisit(db, ref, now);
    },

    findVisit(ref, now) {
      return findVisit(db, ref, now);
    },

    endVisit(ref, accountNumber, now) {
      return endVisit(db, { ref, accountNumber, now });
    },

    charge: chargeInBatches(db),

    async refund(request) {
      return db.transaction(async (tx) => {
        const { payer, key } = request;
        const known = await findCall(tx, payer.partnerId, key);
        if (known) return outcomeOf(known);
        const entry = await refundEntry(tx, request);
        await tx.run(sql`
          insert into simulator_call (partner_id, key, tenant_id, kind, of_key, amount_in_cents,
            state, return_code, created_at)
          values (${payer.partnerId}, ${key}, ${payer.tenantId}, 'refund', ${keyOf(request.of)},
            ${request.amountInCents}, ${entry.state}, ${entry.returnCode}, ${payer.at})`);
        return outcomeOf({ key, ...entry });
      });
    },

    async cancel(charge, { partnerId }) {
      const key = keyOf(charge);
      await db.run(sql`
        with canceled as (
          update simulator_call set state = 'failed', return_code = 'canceled'
          where partner_id = ${partnerId} and key = ${key} and state = 'processing'
          returning partner_id, key
        )
        delete from simulator_event e using canceled c
        where e.partner_id = c.partner_id and e.key = c.key and e.sent_at is null`);
      const known = await findCall(db, partnerId, key);
      return known ? outcomeOf(known) : { state: 'unknown', reason: 'no such charge' };
    },

    async find(call, { partnerId }) {
      const known = await findCall(db, partnerId, keyOf(call));
      return known ? outcomeOf(known) : null;
    },

    parseWebhook(raw, headers, now) {
      const time = String(headers['x-simulator-time'] ?? '');
      const signature = Buffer.from(String(headers['x-simulator-signature'] ?? ''), 'hex');
      const expected = sign(raw, time);
      const isSigned = signature.length === expected.length && timingSafeEqual(signature, expected);
      // Two-sided: a time in the future would stay valid for longer than a captured webhook should.
      if (!isSigned || !(Math.abs(now.getTime() - Number(time)) <= toleranceMs)) {
        throw new WebhookNotAuthentic('The signature of the simulator’s webhook is not right.');
      }
      const event = JSON.parse(raw.toString('utf8')) as ProcessorEvent;
      return [{ ...event, occurredAt: new Date(event.occurredAt) }];
    },

    async *list(since) {
      const sent = await db.many(
        sentRow,
        sql`
        /* all partners: the simulator has one account for all of them */
        ${sentEvents} where e.sent_at >= ${since} order by e.sent_at, e.id`,
      );
      for (const it of sent) yield eventFrom(it);
    },

    async upcoming(q, { partnerId, tenantId }) {
      const rows = await q.many(
        upcomingRow,
        sql`
        select occurs_at as at from simulator_event
        where partner_id = ${partnerId} and tenant_id = ${tenantId} and sent_at is null`,
      );
      return rows.map(({ at }) => at as TenantTime);
    },

    async takeWebhooks(q, { now, limit, tenant }) {
      const events = await takeEvents(q, { now, limit, ...(tenant && { tenant }) });
      const webhooks = events.map((event): SimulatedWebhook => {
        const raw = Buffer.from(JSON.stringify(event));
        const time = String(now.getTime());
        const signature = sign(raw, time).toString('hex');
        return {
          raw,
          headers: { 'x-simulator-time': time, 'x-simulator-signature': signature },
        };
      });
      return random ? disturb(webhooks, random) : webhooks;
    },

    deposit(instrument, amountInCents) {
      const isShort = amountInCents > 0 && isDepositedShort(instrument);
      return isShort ? amountInCents - 1_00 : amountInCents;
    },

    async planReturn(q, { tenant, key, returnCode, at }) {
      const { partnerId, tenantId } = tenant;
      const planned = await q.one(
        upcomingRow,
        sql`
        insert into simulator_event as e (partner_id, id, tenant_id, key, kind, return_code,
          occurs_at)
        values (${partnerId}, ${`${key}.returned`}, ${tenantId}, ${key}, 'returned', ${returnCode},
          ${at})
        on conflict (partner_id, id) do update set occurs_at = e.occurs_at
        returning occurs_at as at`,
      );
      return planned.at as TenantTime;
    },

    async reset(q, { partnerId, tenantId }) {
      await q.run(sql`
        delete from simulator_event
        where partner_id = ${partnerId} and tenant_id = ${tenantId} and sent_at is null`);
    },
  };
}

const leftRow = row('charge to refund', { left: bigint });

/** A refund succeeds up to what is left of its charge. */
async function refundEntry(q: Queryable, { payer, of, amountInCents }: RefundRequest) {
  const { partnerId } = payer;
  const key = keyOf(of);
  const charge = await q.maybe(
    leftRow,
    sql`
    select c.amount_in_cents - coalesce((select sum(r.amount_in_cents) from simulator_call r
        where r.partner_id = ${partnerId} and r.of_key = c.key and r.state = 'succeeded'), 0)::int8
      as left
    from simulator_call c
    where c.partner_id = ${partnerId} and c.key = ${key} and c.state = 'succeeded' for update of c`,
  );
  // A charge of an earlier version of the sandbox is not in the books.
  const returnCode = charge && charge.left < amountInCents ? 'refund_too_big' : null;
  return { state: returnCode === null ? 'succeeded' : 'failed', returnCode } as const;
}

const upcomingRow = row('upcoming simulated event', { at: instant });
const sentRow = row('sent simulated event', {
  partnerId: text,
  id: text,
  key: text,
  kind: oneOf('outcome', 'returned', 'dispute_won'),
  occursAt: instant,
  /** Of the event, or of the charge if the event reports an outcome. */
  returnCode: nullable(text),
  /** The amounts that a dispute moved; null if the event is not about one. */
  amountInCents: nullable(bigint),
  chargeInCents: nullable(bigint),
});

const sentEvents = sql`
  select e.partner_id, e.id, e.key, e.kind, e.occurs_at,
    case when e.kind = 'outcome' then c.return_code else e.return_code end as return_code,
    e.amount_in_cents, c.amount_in_cents as charge_in_cents
  from simulator_event e
    left join simulator_call c on c.partner_id = e.partner_id and c.key = e.key`;

function eventFrom(sent: RowOf<typeof sentRow>): ProcessorEvent {
  const { id, key, kind, occursAt, returnCode, amountInCents } = sent;
  const event = { id, occurredAt: occursAt };
  const call = { key, ref: processorId(key) };
  if (amountInCents !== null) {
    const dispute = disputeOf({ ...sent, amountInCents });
    return { ...event, kind: 'disputed', charge: call, dispute };
  }
  switch (kind) {
    case 'outcome': {
      const outcome =
        returnCode === null
          ? ({ state: 'succeeded', ref: call.ref } as const)
          : ({ state: 'failed', ref: call.ref, returnCode } as const);
      return { ...event, kind, call: { ...call, kind: 'charge' }, outcome };
    }
    case 'returned':
      return { ...event, kind, charge: call, returnCode: returnCode ?? '' };
    case 'dispute_won':
      return { ...event, kind, charge: call };
  }
}

/** A dispute that takes the whole charge and gives a part of it back. As at Stripe, it is lost then. */
function disputeOf({
  key,
  kind,
  chargeInCents,
  amountInCents,
}: RowOf<typeof sentRow> & { readonly amountInCents: number }): DisputeReport {
  const isOver = kind === 'dispute_won';
  const disputed = chargeInCents ?? amountInCents;
  return {
    ref: processorId(`${key}.dispute`),
    status: isOver ? 'lost' : 'under_review',
    returnCode: 'charged_back',
    amountInCents: disputed,
    answerBy: null,
    withdrawnInCents: disputed,
    reinstatedInCents: isOver ? amountInCents : null,
  };
}

interface Taken {
  readonly now: Date;
  readonly limit: number;
  readonly tenant?: TenantKey;
}

/** Marks events as sent. A slow charge gets its outcome now, which may be a prepared failure. */
async function takeEvents(q: Queryable, { now, limit, tenant }: Taken): Promise<ProcessorEvent[]> {
  const isDue = sql`
    /* all partners */
    from simulator_event e join tenant t on t.partner_id = e.partner_id and t.id = e.tenant_id
    where e.sent_at is null and e.occurs_at <= ${now}::timestamptz
      + coalesce(t.clock_offset_ms, 0) * interval '1 millisecond'`;
  const among = tenant
    ? sql`e.partner_id = ${tenant.partnerId} and e.tenant_id = ${tenant.tenantId}`
    : await claimable(q, { of: 'e', due: isDue });
  if (!among) return [];
  const due = await q.many(
    dueRow,
    sql`
    /* all partners, unless one tenant is named */
    with due as (
      select e.partner_id, e.id ${isDue} and ${among}
      order by e.occurs_at, e.id limit ${limit} for update of e skip locked
    )
    update simulator_event e set sent_at = ${now} from due
    where e.partner_id = due.partner_id and e.id = due.id
    returning e.partner_id, e.id, e.key, e.kind, e.tenant_id`,
  );
  for (const { partnerId, tenantId, key, kind } of due) {
    if (kind === 'outcome') await settle(q, { partnerId, tenantId }, key);
  }
  const sent = await q.many(
    sentRow,
    sql`
    /* all partners: each event names its own */
    ${sentEvents}
    where (e.partner_id, e.id) in (
      select * from unnest(${due.map((it) => it.partnerId)}::text[], ${due.map((it) => it.id)}::text[]))
    order by e.occurs_at, e.id`,
  );
  return sent.map(eventFrom);
}

const dueRow = row('due simulated event', {
  partnerId: text,
  id: text,
  key: text,
  kind: oneOf('outcome', 'returned', 'dispute_won'),
  tenantId: text,
});

const codeRow = row('prepared failure', { code: text });

async function settle(q: Queryable, tenant: TenantKey, key: string): Promise<void> {
  const { partnerId, tenantId } = tenant;
  const prepared = await q.maybe(
    codeRow,
    sql`
    with first as (
      select partner_id, id, pending_payment_failures[1] as code from tenant
      where partner_id = ${partnerId} and id = ${tenantId}
        and cardinality(pending_payment_failures) > 0
      for update
    )
    update tenant t set pending_payment_failures = '{}' || t.pending_payment_failures[2:]
    from first f where t.partner_id = f.partner_id and t.id = f.id returning f.code`,
  );
  const returnCode = prepared ? failureFor('bank_account', prepared.code) : null;
  await q.run(sql`
    update simulator_call set state = ${returnCode === null ? 'succeeded' : 'failed'},
      return_code = ${returnCode}
    where partner_id = ${partnerId} and key = ${key} and state = 'processing'`);
}

function disturb(webhooks: readonly SimulatedWebhook[], random: () => number): SimulatedWebhook[] {
  const some = webhooks.flatMap((it) => (random() < 0.3 ? [it, it] : [it]));
  return some
    .map((it) => ({ it, order: random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ it }) => it);
}
