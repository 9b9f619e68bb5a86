import {
  bigint,
  boolean,
  bytes,
  instant,
  nullable,
  oneOf,
  type Queryable,
  type RowOf,
  recordset,
  row,
  type Sql,
  sql,
  text,
} from '@svc/db';
import { findClaimCondition, isOfPartner, isReachable } from '../../cluster.ts';
import type { UnitOfWork } from '../../context.ts';
import { mayBeginMoney } from '../controls/money-switch.ts';
import { partnerOfRows } from '../partner-of-rows.ts';
import type { TenantKey } from '../tenant-key.ts';
import { tenantTime } from '../tenants/time.ts';
import {
  type CallKind,
  type CallName,
  type ChargeRequest,
  callTimeoutMs,
  type Payer,
} from './processor.ts';

/** How many milliseconds the process that sends a call waits for the answer (`make-call.ts`). */
export const answerTimeoutMs = callTimeoutMs + 1_000;

// The lease leaves the sender time to write the outcome. If the sender died, the outcome is looked up when it ends.
const leaseMs = answerTimeoutMs + 4_000;

/**
 * For how many milliseconds a charge that the processor says it never received is sent again, with the same
 * key. After that it fails, because no one waits for it any longer. Every processor keeps a key for longer.
 */
export const sendsAgainMs = 10 * 60_000;

/** One call to make outside of any transaction, with everything that it needs. */
export interface CallToMake {
  /**
   * A call that may have been sent is looked up first. It is sent again only if the processor says that
   * it never received it.
   */
  readonly todo: 'send' | 'find' | 'cancel';
  readonly kind: CallKind;
  readonly key: string;
  readonly payer: Payer;
  readonly amountInCents: number;
  readonly methodId: string;
  readonly detailsSealed: Buffer;
  /** Null for a refund. */
  readonly occasion: ChargeRequest['occasion'] | null;
  /** The charge that a refund gives back. */
  readonly of: CallName;
  readonly ref: string | null;
  /** Wall time, when the call may first have left this service. */
  readonly sentAt: Date;
}

const newCallRow = row('new call', {
  key: text,
  partnerId: text,
  tenantId: text,
  kind: oneOf('charge', 'refund'),
  paymentId: text,
  methodId: text,
  sourceId: text,
  amountInCents: bigint,
  occasion: nullable(oneOf('first', 'tenant', 'scheduled', 'retry')),
  partState: nullable(text),
  state: oneOf('created', 'sent'),
});

export interface NewCall {
  readonly key: string;
  readonly partnerId: string;
  readonly tenantId: string;
  readonly kind: CallKind;
  readonly paymentId: string;
  readonly methodId: string;
  readonly sourceId: string;
  readonly amountInCents: number;
  readonly occasion: ChargeRequest['occasion'] | null;
  readonly partState: string | null;
  /** `sent`: the caller sends it after the commit. `created`: a job does. */
  readonly state: 'created' | 'sent';
}

/** Returns a statement that writes the intents of calls. No call may be sent before it has committed. */
export function insertCalls(
  { now, service }: Pick<UnitOfWork, 'now' | 'service'>,
  calls: readonly NewCall[],
): Sql {
  const leased = new Date(now.getTime() + leaseMs);
  return sql`
    insert into processor_call (partner_id, key, tenant_id, kind, processor, payment_id,
      payment_method_id, source_id, amount_in_cents, occasion, part_state, state, sent_at, check_at,
      created_at, updated_at)
    select c.partner_id, c.key, c.tenant_id, c.kind, ${service.processor?.name ?? ''},
      c.payment_id, c.method_id, c.source_id, c.amount_in_cents, c.occasion, c.part_state, c.state,
      case when c.state = 'sent' then ${now}::timestamptz end,
      case when c.state = 'sent' then ${leased}::timestamptz else ${now}::timestamptz end,
      ${now}::timestamptz, ${now}::timestamptz
    from ${recordset(newCallRow, calls, 'c')}`;
}

// A tenant who has not confirmed a payment by then is not going to, and may want to pay otherwise.
const confirmableMs = 3_600_000;

const callRow = row('call to make', {
  key: text,
  partnerId: text,
  tenantId: text,
  kind: oneOf('charge', 'refund'),
  amountInCents: bigint,
  methodId: text,
  detailsSealed: bytes,
  occasion: nullable(oneOf('first', 'tenant', 'scheduled', 'retry')),
  paymentId: text,
  chargeRef: nullable(text),
  ref: nullable(text),
  wasState: text,
  cancelWanted: boolean,
  sentAt: instant,
  timeZone: text,
  clockOffsetMs: nullable(bigint),
});

interface Claim {
  readonly limit: number;
  readonly tenant?: TenantKey;
  /**
   * True to claim also charges whose answer can no longer come, though their lease has not ended: the
   * tenant waits for them.
   */
  readonly isLost?: boolean;
}

const dueRow = row('whether calls are due', { due: boolean });

/** Returns whether there is a call for `claimCalls`, or one that waits until money may move again. */
export async function areCallsDue(q: Queryable, processor: string, now: Date): Promise<boolean> {
  const { due } = await q.one(
    dueRow,
    sql`
    /* all partners */
    select (select true from processor_call c
      where c.check_at <= ${now} and c.processor = ${processor} and ${isReachable(q, 'c')}
      order by c.check_at limit 1) is not null as due`,
  );
  return due;
}

/**
 * Claims calls that were not sent yet, whose sender died, or whose outcome has been unknown for too long.
 * The lease keeps other processes away until the outcome is written.
 */
export async function claimCalls(
  { tx, now, service }: Pick<UnitOfWork, 'tx' | 'now' | 'service'>,
  { limit, tenant, isLost }: Claim,
): Promise<CallToMake[]> {
  // While money is stopped, calls that were sent are still resolved, and new ones wait.
  const mayBegin = await mayBeginMoney(tx);
  const leased = new Date(now.getTime() + leaseMs);
  const lost = isLost
    ? sql`c.kind = 'charge' and (c.state = 'unknown' or c.state = 'sent' and
        c.sent_at <= ${new Date(now.getTime() - answerTimeoutMs)}::timestamptz)`
    : sql`false`;
  const isDue = sql`
    /* all partners */
    from processor_call c
    where (c.check_at <= ${now} or ${lost})
      and c.processor = ${service.processor?.name ?? ''} and (c.state <> 'created' or ${mayBegin}::boolean)`;
  const among = tenant
    ? isOfPartner(tenant.partnerId)
    : await findClaimCondition(tx, { of: 'c', due: isDue });
  if (!among) return [];
  const ofTenant = tenant
    ? sql`c.tenant_id = ${tenant.tenantId} and c.state not in ('succeeded', 'failed')`
    : sql`true`;
  const claimed = await tx.many(
    callRow,
    sql`
    /* all partners, unless one tenant is named */
    with due as (
      select c.partner_id, c.key, c.state ${isDue} and ${among('c')} and ${ofTenant}
      order by c.check_at limit ${limit} for update skip locked
    )
    update processor_call c set check_at = ${leased}, checks = c.checks + 1,
      state = case when due.state = 'created' then 'sent' else due.state end,
      -- A charge keeps the time of its first request, which may still arrive.
      sent_at = case when due.state = 'created' and (c.kind = 'refund' or c.sent_at is null)
        then ${now}::timestamptz else c.sent_at end
    from due
      join processor_call k on k.partner_id = due.partner_id and k.key = due.key
      join tenant t on t.partner_id = k.partner_id and t.id = k.tenant_id
      join payment_method m on m.partner_id = k.partner_id and m.id = k.payment_method_id
      left join processor_call o on o.partner_id = k.partner_id and o.key = k.payment_id
        and o.kind = 'charge'
    where c.partner_id = due.partner_id and c.key = due.key and ${among('c')}
    returning ${callColumns}, due.state as was_state`,
  );
  return claimed.map((it) => callOf(it, now));
}

const callColumns = sql`
  c.key, c.partner_id, c.tenant_id, c.kind,
  c.amount_in_cents, c.payment_method_id as method_id,
  m.details_sealed, c.occasion, c.payment_id,
  o.ref as charge_ref, c.ref, c.cancel_wanted, c.sent_at,
  t.time_zone, t.clock_offset_ms`;

function callOf(it: RowOf<typeof callRow>, now: Date): CallToMake {
  const { key, kind, amountInCents, methodId, detailsSealed, occasion, ref, sentAt } = it;
  const { partnerId, tenantId, timeZone } = it;
  return {
    todo: todoOf(it, now),
    key,
    kind,
    amountInCents,
    methodId,
    detailsSealed,
    occasion,
    ref,
    sentAt,
    payer: { partnerId, tenantId, timeZone, at: tenantTime(it, now) },
    of: { key: it.paymentId, ref: it.chargeRef },
  };
}

function todoOf(it: RowOf<typeof callRow>, now: Date): CallToMake['todo'] {
  if (it.wasState !== 'created') return mayCancel(it, now) ? 'cancel' : 'find';
  // Money was stopped after the call was written, and no request waits for this charge.
  const isTooOld = now.getTime() - it.sentAt.getTime() >= sendsAgainMs;
  return it.kind === 'charge' && isTooOld ? 'find' : 'send';
}

/** True for a canceled plan's charge, and for one that the tenant has not confirmed in time. */
function mayCancel(
  { kind, wasState, cancelWanted, sentAt }: RowOf<typeof callRow>,
  now: Date,
): boolean {
  if (kind !== 'charge') return false;
  const isAbandoned = now.getTime() - sentAt.getTime() >= confirmableMs;
  if (wasState === 'requires_action') return cancelWanted || isAbandoned;
  return wasState === 'processing' && cancelWanted;
}

/** Finds the charge that waits for the tenant's confirmation; undefined if it has its outcome. */
export async function findUnconfirmed(
  { tx, now }: Pick<UnitOfWork, 'tx' | 'now'>,
  { partnerId, tenantId, key }: TenantKey & { readonly key: string },
): Promise<CallToMake | undefined> {
  const found = await tx.maybe(
    callRow,
    sql`
    select ${callColumns}, c.state as was_state
    from processor_call c
      join tenant t on t.partner_id = c.partner_id and t.id = c.tenant_id
      join payment_method m on m.partner_id = c.partner_id and m.id = c.payment_method_id
      left join processor_call o on o.partner_id = c.partner_id and o.key = c.payment_id
        and o.kind = 'charge'
    where c.partner_id = ${partnerId} and c.tenant_id = ${tenantId} and c.key = ${key}
      and c.kind = 'charge' and c.state = 'requires_action'`,
  );
  return found && callOf(found, now);
}

/** Asks the processor to stop a charge of a plan that was canceled. A job sends the request. */
export function cancelCall(
  { tx, now }: Pick<UnitOfWork, 'tx' | 'now'>,
  { partnerId, key }: { readonly partnerId: string; readonly key: string },
): void {
  tx.send(sql`
    update processor_call set cancel_wanted = true, check_at = least(check_at, ${now}::timestamptz)
    where partner_id = ${partnerId} and key = ${key} and state not in ('succeeded', 'failed')`);
}

const sentRow = row('calls being sent', { any: boolean });

/** Returns whether a charge of the tenant was sent and its answer can still come. */
export async function isBeingSent(
  { tx, now }: Pick<UnitOfWork, 'tx' | 'now'>,
  { partnerId, tenantId }: TenantKey,
): Promise<boolean> {
  const { any } = await tx.one(
    sentRow,
    sql`
    select exists (select from processor_call
      where partner_id = ${partnerId} and tenant_id = ${tenantId} and kind = 'charge'
        and state not in ('succeeded', 'failed') and state = 'sent'
        and sent_at > ${new Date(now.getTime() - answerTimeoutMs)}::timestamptz) as any`,
  );
  return any;
}

const savedRow = row('saved call', {
  partnerId: text,
  key: text,
  state: text,
  ref: nullable(text),
  returnCode: nullable(text),
  checkAt: nullable(instant),
});

/** The state of a call after its outcome, and when to ask the processor for it again. */
export type SavedCall = RowOf<typeof savedRow>;

export function saveCalls(
  { tx, now }: Pick<UnitOfWork, 'tx' | 'now'>,
  calls: readonly SavedCall[],
): void {
  tx.send(sql`
    update processor_call c set state = s.state, ref = s.ref, return_code = s.return_code,
      check_at = s.check_at, updated_at = ${now}
    from ${recordset(savedRow, calls, 's')}
    where c.partner_id = ${partnerOfRows(calls, sql`s.partner_id`)} and c.key = s.key`);
}

/**
 * Makes a job ask the processor now for a payment that was returned. The return waits until the payment has
 * succeeded, and a bank does not return what it has not decided about.
 */
export async function checkReturnedSoon(
  { tx, now }: Pick<UnitOfWork, 'tx' | 'now'>,
  { partnerId, key }: { readonly partnerId: string; readonly key: string },
): Promise<void> {
  await tx.run(sql`
    update processor_call c set check_at = least(c.check_at, ${now}::timestamptz)
    where c.partner_id = ${partnerId} and c.key = ${key} and c.state in ('processing', 'unknown')
      and exists (select from processor_event v where v.partner_id = c.partner_id
        and v.payment_id = c.payment_id and v.handled_at is null)`);
}
