import {
  type ProductVariant,
  productVariants,
  type SetupFailure,
  setupFailures,
} from '@svc/contract';
import { nullable, oneOf, type RowOf, row, sql, text } from '@svc/db';
import { findClaimCondition } from '../../cluster.ts';
import type { Ctx, UnitOfWork } from '../../context.ts';
import type { TenantKey } from '../tenant-key.ts';
import type { CallName } from './processor.ts';

const minuteMs = 60_000;
/** After how many milliseconds a job asks for the state again, in case the processor's event was lost. */
const checkAfterMs = { open: 15 * minuteMs, pending: 6 * 60 * minuteMs } as const;
const leaseMs = minuteMs;

const setupReasons = Object.keys(setupFailures) as [SetupFailure, ...SetupFailure[]];

const setupRow = row('payment setup', {
  id: text,
  partnerId: text,
  tenantId: text,
  pms: text,
  productVariant: oneOf(...productVariants),
  type: oneOf('bank_account', 'card'),
  ref: text,
  state: oneOf('open', 'pending', 'ready', 'failed'),
  reason: nullable(oneOf(...setupReasons)),
});

/** An account or card that the tenant enters on the processor's page. */
export type PaymentSetup = RowOf<typeof setupRow>;

const columns = sql`
  s.id, s.partner_id, s.tenant_id, o.pms,
  s.product_variant, s.type, s.ref, s.state, s.reason`;

interface NewSetup extends TenantKey {
  readonly id: string;
  readonly productVariant: ProductVariant;
  readonly type: PaymentSetup['type'];
  readonly ref: string;
}

export async function insertSetup(
  { tx, now, service }: Pick<UnitOfWork, 'tx' | 'now' | 'service'>,
  { partnerId, tenantId, id, productVariant, type, ref }: NewSetup,
): Promise<void> {
  await tx.run(sql`
    insert into payment_setup (partner_id, id, tenant_id, product_variant, processor, type, ref, state,
      check_at, created_at)
    values (${partnerId}, ${id}, ${tenantId}, ${productVariant}, ${service.processor?.name ?? ''},
      ${type}, ${ref}, 'open', ${new Date(now.getTime() + checkAfterMs.open)}, ${now})`);
}

/** Finds the tenant's setup with this id, or the newest one if no id is given. */
export async function findSetup(
  { tx }: Pick<Ctx, 'tx'>,
  { partnerId, tenantId }: TenantKey,
  id?: string,
): Promise<PaymentSetup | undefined> {
  const named = id === undefined ? sql`` : sql`and s.id = ${id}`;
  return tx.maybe(
    setupRow,
    sql`
    select ${columns} from payment_setup s join partner o on o.id = s.partner_id
    where s.partner_id = ${partnerId} and s.tenant_id = ${tenantId} ${named}
    order by s.created_at desc, s.id desc limit 1`,
  );
}

/** Locks a setup that is not over. Undefined if another process has just ended it. */
export async function lockSetup(
  { tx }: Pick<Ctx, 'tx'>,
  { partnerId, id }: Pick<PaymentSetup, 'partnerId' | 'id'>,
): Promise<PaymentSetup | undefined> {
  return tx.maybe(
    setupRow,
    sql`
    select ${columns} from payment_setup s join partner o on o.id = s.partner_id
    where s.partner_id = ${partnerId} and s.id = ${id} and s.state in ('open', 'pending')
    for update of s`,
  );
}

/** Claims setups whose state has to be asked for. The lease keeps other processes away until then. */
export async function claimSetups(
  { tx, now, service }: Pick<UnitOfWork, 'tx' | 'now' | 'service'>,
  { limit }: { readonly limit: number },
): Promise<PaymentSetup[]> {
  const isDue = sql`
    /* all partners */
    from payment_setup s
    where s.check_at <= ${now} and s.processor = ${service.processor?.name ?? ''}`;
  const among = await findClaimCondition(tx, { of: 's', due: isDue });
  if (!among) return [];
  return tx.many(
    setupRow,
    sql`
    /* all partners */
    with due as (
      select s.partner_id, s.id ${isDue} and ${among('s')}
      order by s.check_at limit ${limit} for update skip locked
    )
    update payment_setup s set check_at = ${new Date(now.getTime() + leaseMs)}
    from due join partner o on o.id = due.partner_id
    where s.partner_id = due.partner_id and s.id = due.id and ${among('s')}
    returning ${columns}`,
  );
}

/** Makes a job ask for the state of a setup that an event named. Returns whether the setup is one of ours. */
export async function wakeSetup(
  { tx, now }: Pick<UnitOfWork, 'tx' | 'now'>,
  processor: string,
  { key, ref }: CallName,
): Promise<boolean> {
  const named = key === null ? sql`ref = ${ref}` : sql`id = ${key}`;
  const woken = await tx.run(sql`
    /* all partners: the processor has one account for all of them */
    update payment_setup
    set check_at = case when state in ('open', 'pending') then ${now}::timestamptz end
    where processor = ${processor} and ${named}`);
  return woken > 0;
}

/** Records that the tenant has left the page and the processor still checks the account. */
export async function recordSetupPending(
  { tx, now }: Pick<UnitOfWork, 'tx' | 'now'>,
  { partnerId, id }: PaymentSetup,
): Promise<void> {
  await tx.run(sql`
    update payment_setup set state = 'pending',
      check_at = ${new Date(now.getTime() + checkAfterMs.pending)}
    where partner_id = ${partnerId} and id = ${id}`);
}

/** Schedules the next check of a setup whose tenant is still on the page. */
export async function recordSetupOpen(
  { tx, now }: Pick<UnitOfWork, 'tx' | 'now'>,
  { partnerId, id }: PaymentSetup,
): Promise<void> {
  await tx.run(sql`
    update payment_setup set check_at = ${new Date(now.getTime() + checkAfterMs.open)}
    where partner_id = ${partnerId} and id = ${id}`);
}

export async function recordSetupReady(
  { tx }: Pick<UnitOfWork, 'tx'>,
  { partnerId, id }: PaymentSetup,
  methodId: string,
): Promise<void> {
  await tx.run(sql`
    update payment_setup set state = 'ready', payment_method_id = ${methodId}, check_at = null
    where partner_id = ${partnerId} and id = ${id}`);
}

export async function recordSetupFailed(
  { tx }: Pick<UnitOfWork, 'tx'>,
  { partnerId, id }: PaymentSetup,
  reason: SetupFailure,
): Promise<void> {
  await tx.run(sql`
    update payment_setup set state = 'failed', reason = ${reason}, check_at = null
    where partner_id = ${partnerId} and id = ${id}`);
}
