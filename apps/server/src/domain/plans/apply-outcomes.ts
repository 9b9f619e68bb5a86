import { installmentStates } from '@svc/contract';
import {
  bigint,
  boolean,
  instant,
  integer,
  nullable,
  oneOf,
  type RowOf,
  row,
  sql,
  text,
} from '@svc/db';
import type { UnitOfWork } from '../../context.ts';
import { emitEligibilityOf } from '../eligibility/emit-eligibility.ts';
import type { TenantSnapshot } from '../eligibility/load-tenant-snapshot.ts';
import { post } from '../ledger/post.ts';
import { areRows, partnerOfRows } from '../partner-of-rows.ts';
import { type SavedCall, saveCalls, sendsAgainMs } from '../payments/calls.ts';
import { refusedSuffix, returnSuffix } from '../payments/entry-key.ts';
import type { Report } from '../payments/make-call.ts';
import type { KnownOutcome } from '../payments/processor.ts';
import { recordProcessorEntries } from '../payments/record-processor-entry.ts';
import { recordReturn } from '../payments/record-return.ts';
import { requestRefunds } from '../payments/refund-calls.ts';
import { areTenants, type TenantKey } from '../tenant-key.ts';
import { type TenantTime, tenantTime } from '../tenants/time.ts';
import {
  applyFailedCharge,
  applySucceededCharge,
  type Charged,
  moneyOf,
  partOf,
} from './collect.ts';
import { beginPlan, endBeforeStart } from './first-payment.ts';
import { isInFlight, isOpen, type LivePlan, loadPlans } from './live-plan.ts';
import { type PlanStep, writeSteps } from './plan-step.ts';
import { changePlan } from './save-change.ts';
import { scheduleDueOf } from './schedule-due.ts';

const callRow = row('call with its payment', {
  partnerId: text,
  key: text,
  tenantId: text,
  kind: oneOf('charge', 'refund'),
  state: oneOf(
    'created',
    'sent',
    'processing',
    'requires_action',
    'unknown',
    'succeeded',
    'failed',
  ),
  ref: nullable(text),
  returnCode: nullable(text),
  partState: nullable(oneOf(...installmentStates)),
  occasion: nullable(text),
  checks: integer,
  sentAt: nullable(instant),
  paymentId: text,
  methodId: text,
  methodType: oneOf('bank_account', 'card'),
  amountInCents: bigint,
  outcome: oneOf('pending', 'succeeded', 'failed', 'canceled', 'returned'),
  /** A bank's return of the payment waits until the payment has succeeded. */
  isReturned: boolean,
  paymentKind: oneOf('scheduled', 'retry', 'tenant'),
  installmentId: text,
  planId: text,
});
type Call = RowOf<typeof callRow>;

interface Applied {
  readonly call: Call;
  readonly outcome: KnownOutcome;
  readonly at: TenantTime;
}

/**
 * Writes what the processor said about calls, in the order given. Locks the tenants' rows. A report that is older
 * than what is stored changes nothing, and one that contradicts it is looked up first, so reports may come late,
 * twice and in any order. A bank's later return or won dispute changes an outcome in `reversePayment` and
 * `recordDisputeWon`. Returns what it knows afterwards, by tenant, of those whose eligibility may have changed.
 */
export async function applyOutcomes(
  uow: UnitOfWork,
  reports: readonly Report[],
): Promise<Outcomes> {
  const after = new Map<string, AfterOutcome>();
  let remaining = reports;
  // A round applies one report for each tenant, because the next one depends on its plan afterwards.
  // The first round has each tenant once, so it takes all locks, in order.
  while (remaining.length > 0) {
    const seen = new Set<string>();
    const round: Report[] = [];
    const later: Report[] = [];
    for (const it of remaining) {
      (seen.has(it.tenantId) ? later : round).push(it);
      seen.add(it.tenantId);
    }
    // Nothing is known of a tenant that a later round changes without a check.
    for (const { tenantId } of round) after.delete(tenantId);
    for (const [tenantId, it] of await applyRound(uow, round)) after.set(tenantId, it);
    remaining = later;
  }
  return after;
}

/** A tenant and the plan of the payment, as they are after its outcome. */
export interface AfterOutcome {
  readonly snapshot: TenantSnapshot;
  readonly plan: LivePlan;
}

type Outcomes = ReadonlyMap<string, AfterOutcome>;

const tenantRow = row('locked tenant', {
  partnerId: text,
  tenantId: text,
  pms: text,
  clockOffsetMs: nullable(bigint),
});
type Tenant = RowOf<typeof tenantRow>;

/** Locks the tenants in the order of their ids, so that two such transactions never deadlock. */
async function lockTenants(
  { tx }: UnitOfWork,
  reports: readonly TenantKey[],
): Promise<Map<string, Tenant>> {
  const found = await tx.many(
    tenantRow,
    sql`
    select t.partner_id, t.id as tenant_id,
      (select p.pms from partner p where p.id = t.partner_id) as pms, t.clock_offset_ms
    from tenant t where ${areTenants([sql`t.partner_id`, sql`t.id`], reports)}
    order by t.partner_id, t.id for update of t`,
  );
  return new Map(found.map((it) => [it.tenantId, it]));
}

async function applyRound(uow: UnitOfWork, reports: readonly Report[]): Promise<Outcomes> {
  // Two statements, sent together: the second sees what the previous holder of the locks committed.
  const [tenants, calls] = await Promise.all([lockTenants(uow, reports), loadCalls(uow, reports)]);
  const saved: SavedCall[] = [];
  const applied: Applied[] = [];
  for (const report of reports) {
    const call = calls.get(report.key);
    const tenant = tenants.get(report.tenantId);
    if (!call || !tenant) continue;
    const next = nextState(call, report, uow.now);
    if (next.saved) saved.push(next.saved);
    if (next.applies)
      applied.push({ call, outcome: next.applies, at: tenantTime(tenant, uow.now) });
  }
  const charges = applied.filter(({ call }) => call.kind === 'charge');
  if (saved.length > 0) saveCalls(uow, saved);
  const after = await applyCharges(uow, charges, tenants);
  for (const { call, outcome, at } of applied) {
    if (call.kind === 'refund' && outcome.state === 'failed') await refundRefused(uow, call, at);
  }
  return after;
}

async function loadCalls(
  { tx }: UnitOfWork,
  reports: readonly Report[],
): Promise<Map<string, Call>> {
  const ids = reports.map(({ partnerId, key }) => ({ partnerId, id: key }));
  const partner = partnerOfRows(ids, sql`c.partner_id`);
  const found = await tx.many(
    callRow,
    sql`
    -- Materialized, because a database that was never analyzed otherwise reads all calls of the partner
    -- once for each of its payments.
    with c as materialized (
      select * from processor_call c
      where ${areRows([sql`c.partner_id`, sql`c.key`], ids)}
    )
    select c.partner_id, c.key, c.tenant_id, c.kind, c.state, c.ref,
      c.return_code, c.part_state, c.occasion, c.checks,
      c.sent_at, c.payment_id, c.payment_method_id as method_id,
      m.type as method_type, c.amount_in_cents, y.outcome,
      exists (select from processor_event v where v.partner_id = ${partner}
        and v.payment_id = c.payment_id and v.handled_at is null) as is_returned,
      y.kind as payment_kind, i.id as installment_id, i.plan_id
    from c
      join payment y on y.partner_id = ${partner} and y.id = c.payment_id
      join installment i on i.partner_id = ${partner} and i.id = y.installment_id
      join payment_method m on m.partner_id = ${partner} and m.id = c.payment_method_id`,
  );
  return new Map(found.map((call) => [call.key, call]));
}

interface Next {
  readonly saved?: SavedCall;
  /** The outcome, if it is new and has an effect. */
  readonly applies?: KnownOutcome;
}

// A processor sends events. Asking after this time finds those that were lost.
const reportedWithinMs = 6 * 3_600_000;
const mostBackoffMs = 5 * 60_000;

/** The code of a charge that never reached the processor. Retried like the bank's own errors. */
const neverReceived = 'processing_error';

type CallState = Pick<
  Call,
  | 'partnerId'
  | 'key'
  | 'kind'
  | 'state'
  | 'ref'
  | 'returnCode'
  | 'checks'
  | 'sentAt'
  | 'outcome'
  | 'isReturned'
>;

/** Decides what a report means for a call. Pure. */
export function nextState(call: CallState, { outcome, source }: Report, now: Date): Next {
  const { partnerId, key, state, ref, returnCode } = call;
  const inMs = (ms: number) => new Date(now.getTime() + ms);
  const keep = { partnerId, key, state, ref, returnCode };
  const isFinal = state === 'succeeded' || state === 'failed';
  const backoff = inMs(Math.min(5_000 * 2 ** Math.min(call.checks, 6), mostBackoffMs));

  if (outcome === null) {
    // The processor forgot a call that it had answered, or does not show it yet.
    if (isFinal) return { saved: { ...keep, checkAt: null } };
    if (state === 'processing' || state === 'requires_action') {
      return { saved: { ...keep, checkAt: backoff } };
    }
    const isLate = now.getTime() - (call.sentAt?.getTime() ?? 0) >= sendsAgainMs;
    const again = { saved: { ...keep, state: 'created', checkAt: now } } as const;
    if (call.kind === 'refund') return isLate ? again : { saved: { ...keep, checkAt: backoff } };
    // The installment is in flight, so the tenant waits for this charge and cannot have paid otherwise.
    // The key keeps it from being made twice, even if the first request still arrives.
    if (!isLate)
      return call.outcome === 'pending' ? again : { saved: { ...keep, checkAt: backoff } };
    const failed = { state: 'failed', ref, returnCode: neverReceived } as const;
    return { saved: { ...keep, ...failed, checkAt: null }, applies: failed };
  }
  if (outcome.state === 'unknown') {
    if (isFinal) return { saved: { ...keep, checkAt: backoff } };
    const isAccepted = state === 'processing' || state === 'requires_action';
    const next = isAccepted ? state : 'unknown';
    return { saved: { ...keep, state: next, checkAt: backoff } };
  }
  const knownRef = outcome.ref ?? ref;
  if (outcome.state === 'processing' || outcome.state === 'requires_action') {
    // The report is older than the final state that is stored.
    if (isFinal) return { saved: { ...keep, checkAt: null } };
    // The tenant looks at a screen while a charge waits for the confirmation. And a return that has
    // arrived already says that the bank has decided.
    const isWatched = outcome.state === 'requires_action' && call.kind === 'charge';
    const checkAt = isWatched || call.isReturned ? backoff : inMs(reportedWithinMs);
    const saved = { ...keep, state: outcome.state, ref: knownRef, checkAt };
    return state === outcome.state ? { saved } : { saved, applies: outcome };
  }
  const code = outcome.state === 'failed' ? outcome.returnCode : null;
  const saved = { ...keep, state: outcome.state, ref: knownRef, returnCode: code, checkAt: null };
  if (state === outcome.state) return { saved: { ...keep, ref: knownRef, checkAt: null } };
  // Both states are final but differ, so one of them is stale. Only the processor's present state decides.
  if (isFinal && source !== 'found') return { saved: { ...keep, checkAt: now } };
  return { saved, applies: outcome };
}

async function applyCharges(
  uow: UnitOfWork,
  charges: readonly Applied[],
  tenants: ReadonlyMap<string, Tenant>,
): Promise<Outcomes> {
  if (charges.length === 0) return new Map();
  const plans = await loadPlans(
    uow.tx,
    charges.map(({ call: { partnerId, planId } }) => ({ partnerId, planId })),
  );
  const steps: PlanStep[] = [];
  const checked: { tenant: TenantKey & { pms: string; at: TenantTime }; plan: LivePlan }[] = [];
  for (const { call, outcome, at } of charges) {
    const before = plans.get(call.planId);
    if (!before) throw new Error(`payment ${call.paymentId} has no plan`);
    const step = await stepOf(uow, before, { call, outcome, at });
    if (step) steps.push(step);
    const plan = step?.change.plan ?? before;
    if (plan.state === before.state && before.state !== 'created') continue;
    const { partnerId, tenantId } = call;
    const pms = tenants.get(tenantId)?.pms ?? plan.pms;
    checked.push({ tenant: { partnerId, tenantId, pms, at }, plan });
  }
  const changed = steps.map(({ change: { plan } }) => ({ ...plan, plan }));
  // Sent in this order and together: the snapshots are read after the writes.
  const [, snapshots] = await Promise.all([
    writeSteps(uow, steps),
    emitEligibilityOf(
      uow,
      checked.map((it) => it.tenant),
    ),
    scheduleDueOf(uow.tx, changed),
  ]);
  return new Map(
    checked.flatMap(({ tenant: { tenantId }, plan }) => {
      const snapshot = snapshots.get(tenantId);
      return snapshot ? [[tenantId, { snapshot, plan }] as const] : [];
    }),
  );
}

/** Returns the step that a call's outcome takes its plan to; null if the plan does not change. */
async function stepOf(
  uow: UnitOfWork,
  before: LivePlan,
  { call, outcome, at }: Applied,
): Promise<PlanStep | null> {
  const { now } = uow;
  const isPending = call.outcome === 'pending';
  const isFirst = before.state === 'created' && before.pending?.id === call.paymentId;
  const part = partOf(before, call.installmentId);
  const collection = { part, kind: call.paymentKind, at };
  switch (outcome.state) {
    case 'processing':
    case 'requires_action': {
      const starts = before.terms.planStarts === 'first_payment_processing';
      if (!isFirst || !starts || outcome.state !== 'processing') return null;
      return beginPlan(before, { at, isPaid: false, now });
    }
    case 'succeeded':
      if (isPending && isFirst) return beginPlan(before, { at, isPaid: true, now });
      if (isPending) return applySucceededCharge(before, collection, chargedOf(call));
      return lateMoney(uow, before, { call, at });
    case 'failed': {
      const { returnCode } = outcome;
      if (isPending && isFirst) {
        // A bank that takes days leaves the call `processing` until then.
        const isOnScreen = call.state === 'sent';
        return endBeforeStart(before, {
          at,
          reason: 'first_payment_failed',
          returnCode,
          isOnScreen,
        });
      }
      if (isPending)
        return applyFailedCharge(before, collection, { ...chargedOf(call), returnCode });
      // The charge had succeeded and has failed after all, so it is handled like one that the bank returned.
      if (call.outcome === 'succeeded') await recordReturn(uow, call, { returnCode, at });
      return null;
    }
  }
}

function chargedOf({ paymentId, amountInCents, methodId, methodType, partState }: Call): Charged {
  return { paymentId, amountInCents, methodId, methodType, partState: partState ?? 'scheduled' };
}

/**
 * Books money that arrives for a payment which we had given up or canceled. The money pays the installment if
 * no less is still owed for it and nothing else is on its way; otherwise it goes back to the tenant.
 */
async function lateMoney(
  uow: UnitOfWork,
  before: LivePlan,
  { call, at }: Omit<Applied, 'outcome'>,
): Promise<PlanStep | null> {
  const { paymentId, outcome, amountInCents, methodId, tenantId, partnerId, planId } = call;
  if (outcome === 'succeeded' || outcome === 'returned') return null;
  const part = partOf(before, call.installmentId);
  const isRunning = before.state === 'active' || before.state === 'past_due';
  const pays =
    isRunning && isOpen(part) && !isInFlight(part) && amountInCents <= part.amountInCents;
  if (pays) {
    const collection = { part, kind: call.paymentKind, at };
    const charged = { ...chargedOf(call), partState: part.state };
    return applySucceededCharge(before, collection, charged);
  }
  const arrived = moneyOf(before, { paymentId, amountInCents, methodId }, at);
  const sourceId = `${paymentId}${returnSuffix}`;
  await post(uow, [
    ...arrived.transfers,
    {
      partnerId,
      tenantId,
      kind: 'paid_back',
      sourceId,
      occurredAt: at,
      entries: [
        { kind: 'tenant_receivable', amountInCents },
        { kind: 'processor_clearing', amountInCents: -amountInCents },
      ],
    },
  ]);
  const back = { partnerId, tenantId, methodId, at, timeZone: before.timeZone };
  recordProcessorEntries(uow, [
    ...arrived.movements,
    { ...back, sourceId, amountInCents: -amountInCents },
  ]);
  await requestRefunds(uow, { partnerId, tenantId, planId, sourceId, amountInCents, paymentId });
  return { change: changePlan({ before, after: before, at }), events: [] };
}

/** Books a refused refund: its money is still with us, we owe it to the tenant, and an operator has to look. */
async function refundRefused(uow: UnitOfWork, call: Call, at: TenantTime): Promise<void> {
  const { partnerId, tenantId, methodId, amountInCents } = call;
  const sourceId = `${call.key}${refusedSuffix}`;
  await post(uow, [
    {
      partnerId,
      tenantId,
      kind: 'refund_refused',
      sourceId,
      occurredAt: at,
      entries: [
        { kind: 'processor_clearing', amountInCents },
        { kind: 'tenant_receivable', amountInCents: -amountInCents },
      ],
    },
  ]);
  const { timeZone } = await uow.tx.one(
    zoneRow,
    sql`
    select time_zone from tenant where partner_id = ${partnerId} and id = ${tenantId}`,
  );
  const movement = { partnerId, tenantId, methodId, sourceId, amountInCents, at, timeZone };
  recordProcessorEntries(uow, [movement]);
}

const zoneRow = row('time zone', { timeZone: text });
