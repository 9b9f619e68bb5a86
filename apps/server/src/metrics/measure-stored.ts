import {
  bigint,
  type Database,
  date,
  double,
  nullable,
  oneOf,
  row,
  type Sql,
  sql,
  text,
} from '@svc/db';
import { measureBacklog } from '@svc/webhooks';
import { byKey, newestOfEach } from '../cluster.ts';
import { neverDueAt } from '../domain/applications/ask-for-review.ts';
import { bankTimeZone } from '../domain/bank-time-zone.ts';
import { countNoticesToPrint } from '../domain/mail/list-notices.ts';
import { mostMailAttempts } from '../domain/mail/record.ts';
import type { Processor } from '../domain/payments/processor.ts';
import { isBankingDay, previousBankingDay } from '../domain/tenants/banking-days.ts';
import { addDays, localDate } from '../domain/tenants/calendar.ts';
import { isGivenUp } from '../domain/texts/is-given-up.ts';
import { firstIdAt } from '../ids.ts';
import type { ProcessorDefinition } from '../processors/define-processor.ts';
import { measureOutbox } from '../relay/measure-outbox.ts';

/** A sample of one metric: its labels and its value. */
export interface Sample {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Samples by the name of their metric. */
export type Measured = Readonly<Record<keyof typeof storedMetrics, readonly Sample[]>>;

/** The metrics of what the database holds. Each process reports the same: use `max` over processes. */
export const storedMetrics = {
  svc_webhook_deliveries: {
    help: 'Open deliveries; at most 100000 are counted.',
    labels: ['state'],
  },
  svc_webhook_deliveries_undelivered: {
    help: 'Deliveries given up, estimated.',
    labels: [],
  },
  svc_webhook_due_lag_seconds: {
    help: 'Age of the oldest due delivery.',
    labels: [],
  },
  svc_webhook_partitioned_seconds: {
    help: 'Time until the last prepared partition of webhook messages ends.',
    labels: [],
  },
  svc_outbox_items: {
    help: 'Messages that another system does not have yet, or has refused; at most 100000 are counted.',
    labels: ['destination', 'state'],
  },
  svc_outbox_age_seconds: {
    help: 'Age of the oldest message that waits for another system.',
    labels: ['destination'],
  },
  svc_webhook_replays_running: {
    help: 'Bulk replays in progress.',
    labels: [],
  },
  svc_webhook_endpoints_failing: {
    help: 'Endpoints without a success since their last failure.',
    labels: [],
  },
  svc_webhook_endpoints_disabled: {
    help: 'Disabled endpoints.',
    labels: [],
  },
  svc_lane_lag_seconds: {
    help: 'How long the oldest work of a lane has been due; 0 if none is.',
    labels: ['lane'],
  },
  svc_payments: {
    help: 'The newest 100000 payments of each partner in seven days, by outcome and age.',
    labels: ['outcome', 'age'],
  },
  svc_processor_calls_open: {
    help: 'Charges and refunds without an outcome, by kind and state; at most 100000 are counted.',
    labels: ['kind', 'state'],
  },
  svc_processor_call_age_seconds: {
    help: 'Age of the oldest charge or refund without an outcome, by state; 0 if there is none.',
    labels: ['state'],
  },
  svc_processor_refunds_refused: {
    help: 'Refunds of seven days that the processor refused. The money is owed to the tenant.',
    labels: [],
  },
  svc_processor_events_unmatched: {
    help: 'Events of the processor, of 90 days, whose money is not in the books: they are about no call of ours, or do not say enough.',
    labels: [],
  },
  svc_disputes_to_answer: {
    help: 'Disputes and inquiries of which the bank waits for our answer.',
    labels: [],
  },
  svc_settlements: {
    help: 'Settlements that are not verified, by status; stale ones are overdue.',
    labels: ['status', 'stale'],
  },
  svc_settlement_cents: {
    help: 'Cents of settlements that are not verified, by status.',
    labels: ['status', 'stale'],
  },
  svc_payouts_overdue: {
    help: 'Payouts that an operator should have sent (pending) or confirmed (sent) by now.',
    labels: ['status'],
  },
  svc_payouts_failing: {
    help: 'Portals whose last three finished payouts have failed or were returned.',
    labels: [],
  },
  svc_undeposited_cents: {
    help: 'Cents that the processor should have deposited by now.',
    labels: [],
  },
  svc_unmatched_cents: {
    help: 'Cents by which deposits of 35 days differ from what was expected.',
    labels: [],
  },
  svc_money_stopped: {
    help: '1 while "svc-admin money stop" is in effect.',
    labels: [],
  },
  svc_collections_paused: {
    help: 'Pauses of collections, of partners, properties and tenants.',
    labels: [],
  },
  svc_ledger_unsealed: {
    help: 'Ledger transfers that are not sealed yet; at most 100000 are counted.',
    labels: [],
  },
  svc_mails_waiting: {
    help: 'Mails that are due now or later; at most 100000 are counted.',
    labels: [],
  },
  svc_mails_given_up: {
    help: 'Mails of seven days that could not be sent.',
    labels: [],
  },
  svc_notices_to_print: {
    help: 'Notices that the law asks for and that could not be mailed: see "svc-admin mail list --to-print".',
    labels: [],
  },
  svc_notices_late: {
    help: 'Notices to print that are two days old and have to be sent within seven days.',
    labels: [],
  },
  svc_mails_bounced: {
    help: 'Mails of seven days whose address takes no mail.',
    labels: [],
  },
  svc_texts_given_up: {
    help: 'Text messages of seven days that could not be sent: see "svc-admin text list --given-up".',
    labels: [],
  },
  svc_decisions_waiting: {
    help: 'Applications that wait for the decision service, not for a person.',
    labels: [],
  },
  svc_reviews_ending: {
    help: 'Applications in review that are declined within two days unless they are decided.',
    labels: [],
  },
  svc_approvals_bypassed: {
    help: 'Commands of seven days that were run with --break-glass instead of a second person.',
    labels: [],
  },
  svc_operator_check_age_seconds: {
    help: 'Time since the ledger or the audit log was verified, or a backup recorded.',
    labels: ['check'],
  },
  svc_operator_check_faults: {
    help: 'Faults that the last verification of the ledger or the audit log found.',
    labels: ['check'],
  },
  svc_books_open_days: {
    help: 'Banking days that have ended and are not closed; 0 without a bank account.',
    labels: [],
  },
  svc_books_exception_age_seconds: {
    help: 'Age of the oldest line of a statement or entry of the ledger without a match; 0 if there is none.',
    labels: [],
  },
  svc_db_oldest_transaction_seconds: {
    help: 'Age of the oldest transaction in the database.',
    labels: [],
  },
} as const;

interface StoredOptions {
  /** `report` if only the processor's report says what it has deposited: no lane has work then. */
  readonly deposits?: Processor['deposits'];
  /** The processors whose lanes are measured, too. */
  readonly processors?: readonly Pick<ProcessorDefinition, 'dueSince'>[];
}

/** Each statement reads an index or a bounded number of rows, so that a scrape costs milliseconds. */
export async function measureStored(
  db: Database,
  now: Date,
  { deposits = 'daily', processors = [] }: StoredOptions = {},
): Promise<Measured & { accepted: number }> {
  const backlog = await measureBacklog(db, now);
  const lags = await measureLags(db, now, { deposits, processors });
  const outbox = await measureOutbox(db);
  const payments = await measurePayments(db, now);
  const calls = await measureCalls(db, now);
  const settlements = await measureSettlements(db, now);
  const payouts = await measurePayouts(db, now);
  const checks = await measureChecks(db, now);
  const books = await measureBooks(db, now);
  const notices = await countNoticesToPrint(db, now);
  const counts = await measureCounts(db, now, deposits);
  const one = (value: number) => [{ value }];
  return {
    accepted: backlog.accepted,
    svc_webhook_deliveries: Object.entries(backlog.open).map(([state, value]) => ({
      labels: { state },
      value,
    })),
    svc_webhook_deliveries_undelivered: one(backlog.undelivered),
    svc_webhook_due_lag_seconds: one(backlog.due_lag_seconds),
    svc_webhook_partitioned_seconds: one(backlog.partitioned_seconds),
    svc_outbox_items: outbox.map(({ destination, state, count }) => ({
      labels: { destination, state },
      value: count,
    })),
    svc_outbox_age_seconds: outbox
      .filter(({ state }) => state === 'pending')
      .map(({ destination, oldestAt }) => ({
        labels: { destination },
        value: Math.max(0, now.getTime() - oldestAt.getTime()) / 1_000,
      })),
    svc_webhook_replays_running: one(backlog.replays),
    svc_webhook_endpoints_failing: one(backlog.failing_endpoints),
    svc_webhook_endpoints_disabled: one(backlog.disabled_endpoints),
    svc_lane_lag_seconds: lags,
    svc_payments: payments,
    ...calls,
    svc_processor_refunds_refused: one(counts.refundsRefused),
    svc_processor_events_unmatched: one(counts.eventsUnmatched),
    svc_disputes_to_answer: one(counts.disputesToAnswer),
    svc_settlements: settlements.map(({ status, stale, count }) => ({
      labels: { status, stale },
      value: count,
    })),
    svc_settlement_cents: settlements.map(({ status, stale, cents }) => ({
      labels: { status, stale },
      value: cents,
    })),
    ...payouts,
    svc_undeposited_cents: one(counts.undeposited),
    svc_unmatched_cents: one(counts.unmatched),
    svc_money_stopped: one(counts.moneyStopped),
    svc_collections_paused: one(counts.paused),
    svc_ledger_unsealed: one(counts.unsealed),
    svc_mails_waiting: one(counts.mailsWaiting),
    svc_mails_given_up: one(counts.mailsGivenUp),
    svc_notices_to_print: one(notices.unsent),
    svc_notices_late: one(notices.late),
    svc_mails_bounced: one(counts.mailsBounced),
    svc_texts_given_up: one(counts.textsGivenUp),
    svc_decisions_waiting: one(counts.decisionsWaiting),
    svc_reviews_ending: one(counts.reviewsEnding),
    svc_approvals_bypassed: one(counts.approvalsBypassed),
    ...checks,
    ...books,
    svc_db_oldest_transaction_seconds: one(counts.oldestTransaction),
  };
}

const mostCounted = 100_000;

const lagRow = row('lane lag', { lane: text, seconds: double });

/**
 * Reads lags from the database, not from the lanes, so that a lag grows when no process works at all. Tenants
 * with a simulated clock are left out: their times lie in the future or the past.
 */
async function measureLags(
  db: Database,
  now: Date,
  { deposits, processors }: Required<StoredOptions>,
): Promise<Sample[]> {
  const ofProcessors = processors
    .flatMap(({ dueSince = {} }) => Object.entries(dueSince))
    .reduce((earlier, [lane, oldest]) => sql`${earlier}, (${lane}, (${oldest}))`, sql``);
  const rows = await db.many(
    lagRow,
    sql`
    /* many rows: a metric over all */
    /* all partners */
    with oldest(lane, at) as (
      values
        ('due installments', (select min(due_at) from tenant_due)),
        ('eligibility', (select min(turns_at) from tenant where turns_at is not null)),
        ('processor events', (
          select e.occurs_at from processor_event e join tenant t on t.partner_id = e.partner_id and t.id = e.tenant_id
          where e.handled_at is null and t.clock_offset_ms is null
          order by e.occurs_at limit 1)),
        ('open payments', (
          select min(check_at) from processor_call where check_at is not null)),
        ('received events', (
          select min(due_at) from processor_inbox where due_at is not null)),
        ('deposits', (
          select e.deposit_at from processor_entry e
          where e.deposit_id is null and ${isDepositedByLane(deposits)} and not exists (select from tenant t
            where t.partner_id = e.partner_id and t.id = e.tenant_id and t.clock_offset_ms is not null
            ${byKey(db)})
          order by e.deposit_at limit 1)),
        ('ledger seals', (
          select t.created_at from ledger_unsealed u join ledger_transfer t
            on t.partner_id = u.partner_id and t.id = u.transfer_id
          order by u.transfer_id limit 1)),
        ('audit seals', (
          select e.occurred_at from audit_unsealed u join audit_entry e
            on e.partner_id = u.partner_id and e.id = u.entry_id
          order by u.partner_id, u.entry_id limit 1)),
        ('mails', (select min(due_at) from mail where due_at is not null)),
        ('texts', (select min(due_at) from text_message where due_at is not null)),
        ('decisions', (select min(due_at) from review))
        ${ofProcessors}
    )
    select lane, greatest(0, coalesce(extract(epoch from ${now}::timestamptz - at), 0))::float8
      as seconds
    from oldest`,
  );
  return rows.map(({ lane, seconds }) => ({ labels: { lane }, value: seconds }));
}

const outcomes = ['pending', 'succeeded', 'failed', 'canceled', 'returned'] as const;
const ages = ['hour', 'day', 'week'] as const;
const paymentRow = row('payments by outcome and age', {
  outcome: oneOf(...outcomes),
  age: oneOf(...ages),
  count: bigint,
});

/** Each payment is counted once, under the youngest age it fits: an hour, a day or a week. */
async function measurePayments(db: Database, now: Date): Promise<Sample[]> {
  const weekAgo = firstIdAt('pay', new Date(now.getTime() - 7 * 86_400_000));
  const ofWeek = { table: 'payment', where: sql`id >= ${weekAgo}`, limit: mostCounted };
  const rows = await db.many(
    paymentRow,
    sql`
    /* many rows: a metric over all */
    /* all partners */
    select outcome, age, count(*) from (
      select outcome, case
        when created_at >= ${now}::timestamptz - interval '1 hour' then 'hour'
        when created_at >= ${now}::timestamptz - interval '1 day' then 'day'
        else 'week' end as age
      from ${newestOfEach(db, ofWeek)} newest) aged
    group by outcome, age`,
  );
  const counts = new Map(rows.map(({ outcome, age, count }) => [`${outcome} ${age}`, count]));
  // Zeros too: Prometheus cannot compare with a series that does not exist.
  return outcomes.flatMap((outcome) =>
    ages.map((age) => ({ labels: { outcome, age }, value: counts.get(`${outcome} ${age}`) ?? 0 })),
  );
}

const callStates = ['created', 'sent', 'processing', 'requires_action', 'unknown'] as const;
const callKinds = ['charge', 'refund'] as const;
const openCallRow = row('open calls', {
  kind: oneOf(...callKinds),
  state: oneOf(...callStates),
  count: bigint,
  seconds: double,
});

/** A call with no outcome for longer than a bank takes has to be looked at. */
async function measureCalls(db: Database, now: Date) {
  const rows = await db.many(
    openCallRow,
    sql`
    /* many rows: a metric over all */
    /* all partners */
    select kind, state, count(*), extract(epoch from ${now}::timestamptz - min(created_at))::float8
      as seconds
    from (select kind, state, created_at from processor_call
      where check_at is not null and state not in ('succeeded', 'failed')
      limit ${mostCounted}) open
    group by kind, state`,
  );
  const count = (kind: string, state: string) =>
    rows.find((it) => it.kind === kind && it.state === state)?.count ?? 0;
  const age = (state: string) =>
    Math.max(0, ...rows.filter((it) => it.state === state).map((it) => it.seconds));
  return {
    svc_processor_calls_open: callKinds.flatMap((kind) =>
      callStates.map((state) => ({ labels: { kind, state }, value: count(kind, state) })),
    ),
    svc_processor_call_age_seconds: callStates.map((state) => ({
      labels: { state },
      value: age(state),
    })),
  };
}

const openStatuses = ['unsettled', 'unverified', 'failed', 'returned'] as const;
const settlementRow = row('settlements by status', {
  status: oneOf(...openStatuses),
  stale: oneOf('true', 'false'),
  count: bigint,
  cents: bigint,
});

/** Reads settlements partner by partner, because the index on the status needs the partner. */
async function measureSettlements(db: Database, now: Date) {
  const rows = await db.many(
    settlementRow,
    sql`
    /* many rows: a metric over all */
    /* all partners */
    select s.status, (s.status in ('unsettled', 'unverified')
        and s.stale_after < (${now}::timestamptz at time zone 'UTC')::date)::text as stale,
      count(*), coalesce(sum(s.amount_in_cents), 0)::int8 as cents
    from partner p cross join unnest(${[...openStatuses]}::text[]) as wanted(status)
      cross join lateral (
        select status, stale_after, amount_in_cents from settlement
        where partner_id = p.id and status = wanted.status) s
    group by 1, 2`,
  );
  const found = new Map(rows.map((it) => [`${it.status} ${it.stale}`, it]));
  return openStatuses.flatMap((status) =>
    (['false', 'true'] as const)
      .filter((stale) => stale === 'false' || status === 'unsettled' || status === 'unverified')
      .map((stale) => found.get(`${status} ${stale}`) ?? { status, stale, count: 0, cents: 0 }),
  );
}

const payoutsRow = row('payouts to look at', { pending: bigint, sent: bigint, failing: bigint });

/**
 * Counts payouts that need attention. An operator sends a payout by the end of the banking day after its own, and
 * the bank needs three more. Only these can be overdue: the portal reports its debits, and a rail is asked.
 */
async function measurePayouts(db: Database, now: Date) {
  const today = localDate(now, bankTimeZone);
  const dayBefore = (day: string) => previousBankingDay(addDays(day, -1));
  const sendBy = dayBefore(today);
  const confirmBy = dayBefore(dayBefore(dayBefore(sendBy)));
  const recent = { table: 'payout', where: sql`true`, limit: 100 };
  const ended = {
    table: 'payout',
    where: sql`status in ('paid', 'failed', 'returned')`,
    limit: 3,
  };
  const found = await db.one(
    payoutsRow,
    sql`
    /* many rows: a metric over all */
    /* all partners */
    select o.pending, o.sent, f.failing from (
      select count(*) filter (where status = 'pending' and day < ${sendBy}::date) as pending,
        count(*) filter (where status = 'sent' and day < ${confirmBy}::date) as sent
      from ${newestOfEach(db, recent)} newest where method = 'credit' and rail is null) o,
    (select count(*) as failing from (
      select partner_id from ${newestOfEach(db, ended)} three
      group by partner_id having count(*) filter (where status <> 'paid') = 3) of_partner) f`,
  );
  return {
    svc_payouts_overdue: (['pending', 'sent'] as const).map((status) => ({
      labels: { status },
      value: found[status],
    })),
    svc_payouts_failing: [{ value: found.failing }],
  };
}

const checkRow = row('check of an operator', { name: text, seconds: double, faults: bigint });

/** A check that was never done is as old as the installation. */
async function measureChecks(db: Database, now: Date) {
  const rows = await db.many(
    checkRow,
    sql`
    select n.name, coalesce(c.faults, 0)::int8 as faults, coalesce(extract(epoch from
      ${now}::timestamptz - coalesce(c.checked_at, i.created_at)), 0)::float8 as seconds
    from (values ('ledger'), ('audit'), ('backup')) n(name)
      left join operator_check c on c.name = n.name left join installation i on true`,
  );
  return {
    svc_operator_check_age_seconds: rows.map(({ name, seconds }) => ({
      labels: { check: name },
      value: Math.max(0, seconds),
    })),
    svc_operator_check_faults: rows
      .filter(({ name }) => name !== 'backup')
      .map(({ name, faults }) => ({ labels: { check: name }, value: faults })),
  };
}

const booksRow = row('open books', { openSince: nullable(date), oldest: nullable(date) });
// A year of open days says no more than two weeks of them.
const mostOpenDays = 366;

async function measureBooks(db: Database, now: Date) {
  const { openSince, oldest } = await db.one(
    booksRow,
    sql`
    /* all partners */
    select
      -- The first day that may be open: the one after the last close, or the first of an account.
      greatest((select min(starts_on) from bank_account), (select max(c.day) + 1 from book_seal c
        where c.action = 'close' and not exists (select from book_seal r
          where r.day = c.day and r.action = 'reopen' and r.number > c.number))) as open_since,
      least((select min(booked_on) from bank_line where match_id is null),
        (select min(day) from book_item where match_id is null)) as oldest`,
  );
  const today = localDate(now, bankTimeZone);
  let openDays = 0;
  let day = openSince ?? today;
  while (day < today && openDays < mostOpenDays) {
    if (isBankingDay(day)) openDays += 1;
    day = addDays(day, 1);
  }
  const age = oldest === null ? 0 : Date.parse(today) - Date.parse(oldest);
  return {
    svc_books_open_days: [{ value: openDays }],
    svc_books_exception_age_seconds: [{ value: Math.max(0, age) / 1_000 }],
  };
}

/** The condition names a column, because a cluster refuses a condition that is always false (PostgreSQL 15 and 16). */
function isDepositedByLane(deposits: Processor['deposits']): Sql {
  return deposits === 'report' ? sql`e.deposit_id is not null` : sql`true`;
}

const countsRow = row('counts', {
  undeposited: bigint,
  unmatched: bigint,
  moneyStopped: bigint,
  paused: bigint,
  refundsRefused: bigint,
  eventsUnmatched: bigint,
  disputesToAnswer: bigint,
  unsealed: bigint,
  mailsWaiting: bigint,
  approvalsBypassed: bigint,
  mailsGivenUp: bigint,
  mailsBounced: bigint,
  textsGivenUp: bigint,
  decisionsWaiting: bigint,
  reviewsEnding: bigint,
  oldestTransaction: double,
});

function measureCounts(db: Database, now: Date, deposits: Processor['deposits']) {
  return db.one(
    countsRow,
    sql`
    /* many rows: a metric over all */
    /* all partners */
    select
      (select coalesce(sum(abs(e.amount_in_cents)), 0)::int8
        from processor_entry e join tenant t on t.partner_id = e.partner_id and t.id = e.tenant_id
        where e.deposit_id is null and t.clock_offset_ms is null and ${isDepositedByLane(deposits)}
          -- The lane runs once a minute.
          and e.deposit_at < ${now}::timestamptz - interval '5 minutes') as undeposited,
      (select coalesce(sum(abs(d.expected_in_cents - d.amount_in_cents)), 0)::int8
        from partner p cross join lateral (
          select expected_in_cents, amount_in_cents from deposit
          where partner_id = p.id and created_at >= ${now}::timestamptz - interval '35 days') d)
        as unmatched,
      (select count(*) from money_switch where stopped_at is not null) as money_stopped,
      (select count(*) from collection_pause) as paused,
      (select count(*) from processor_call
        where kind = 'refund' and state = 'failed'
          and created_at >= ${now}::timestamptz - interval '7 days') as refunds_refused,
      (select count(*) from processor_inbox
        where (ignored like 'no call%' or ignored like 'the processor does not say%'
            or ignored like 'the money that%' or ignored like 'it moved another amount%')
          and received_at >= ${now}::timestamptz - interval '90 days') as events_unmatched,
      (select count(*) from dispute where status in ('inquiry', 'needs_answer'))
        as disputes_to_answer,
      (select count(*) from approval
        where state = 'bypassed' and requested_at >= ${now}::timestamptz - interval '7 days')
        as approvals_bypassed,
      (select count(*) from (select partner_id from ledger_unsealed limit ${mostCounted}) u) as unsealed,
      (select count(*) from (select partner_id from mail where due_at is not null limit ${mostCounted}) m)
        as mails_waiting,
      (select count(*) from mail
        where sent_at is null and bounced_at is null and attempts >= ${mostMailAttempts}
          and created_at >= ${now}::timestamptz - interval '7 days') as mails_given_up,
      (select count(*) from mail
        where bounced_at >= ${now}::timestamptz - interval '7 days') as mails_bounced,
      (select count(*) from text_message m
        where ${isGivenUp(sql`m`)} and created_at >= ${now}::timestamptz - interval '7 days')
        as texts_given_up,
      (select count(*) from review where due_at < ${neverDueAt}) as decisions_waiting,
      (select count(*) from application a
          join tenant t on t.partner_id = a.partner_id and t.id = a.tenant_id
        where a.state = 'in_review' and t.clock_offset_ms is null
          and a.expires_at <= ${now}::timestamptz + interval '2 days') as reviews_ending,
      (select coalesce(max(extract(epoch from clock_timestamp() - xact_start)), 0)::float8
        from pg_stat_activity where backend_xmin is not null) as oldest_transaction`,
  );
}
