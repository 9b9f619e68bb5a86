import { sql } from '@svc/db';
import type { Ctx } from '../../context.ts';
import type { TenantKey } from '../tenant-key.ts';
import { localDate } from '../tenants/calendar.ts';
import { failureFor } from './failure-codes.ts';
import { openInstrument } from './payment-methods.ts';
import type { ChargeOutcome } from './processor.ts';
import { processorOf } from './processor-of.ts';

interface Payer extends TenantKey {
  /** Failures that the simulation has prepared. Each payment uses one. */
  readonly pendingFailures: readonly string[];
  readonly methodId: string;
  readonly detailsSealed: Buffer;
  readonly timeZone: string;
}

interface Occasion {
  /** Tenant time. */
  readonly at: Date;
  /** Whether it is the plan's first payment. */
  readonly isFirst: boolean;
}

/** Charges the tenant's account or card. The tenant's row is locked. */
export async function charge(
  ctx: Pick<Ctx, 'tx' | 'service'>,
  payer: Payer,
  { at, isFirst }: Occasion,
) {
  const [forced, ...rest] = payer.pendingFailures;
  const instrument = openInstrument(ctx, payer);
  if (forced === undefined) {
    const on = localDate(at, payer.timeZone);
    return { result: processorOf(ctx.service).charge(instrument, { isFirst, on }), rest };
  }
  await ctx.tx.run(sql`
    update tenant set pending_payment_failures = ${rest}::text[]
    where partner_id = ${payer.partnerId} and id = ${payer.tenantId}`);
  const returnCode = failureFor(instrument.type === 'card' ? 'card' : 'bank_account', forced);
  const result: ChargeOutcome = { outcome: 'failed', returnCode };
  return { result, rest };
}

/** Charges a plan's first payment, which a slow bank may leave pending until the next banking day. */
export async function chargeFirst(
  ctx: Pick<Ctx, 'tx' | 'service'>,
  payer: Payer,
  at: Date,
): Promise<ChargeOutcome | { readonly outcome: 'pending' }> {
  const slow =
    payer.pendingFailures.length === 0 &&
    processorOf(ctx.service).isSlowAtFirst(openInstrument(ctx, payer));
  return slow ? { outcome: 'pending' } : (await charge(ctx, payer, { at, isFirst: true })).result;
}
