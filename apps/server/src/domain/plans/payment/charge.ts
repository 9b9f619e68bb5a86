import { type Queryable, sql } from '@svc/db';
import type { Ctx } from '../../../context.ts';
import { openBankAccount } from './payment-methods.ts';
import { type ChargeOutcome, chargeTestBank, isSlowAtFirst } from './test-bank.ts';

interface Payer {
  readonly tenantId: string;
  /** Set by the simulation; the next payment uses up the first. */
  readonly pendingFailures: readonly string[];
  readonly methodId: string;
  readonly detailsSealed: Buffer;
}

/** Takes a payment from the tenant's account, whose row is locked. */
export async function charge(ctx: Pick<Ctx, 'tx' | 'service'>, payer: Payer) {
  const [returnCode, ...rest] = payer.pendingFailures;
  if (returnCode === undefined) {
    return { result: chargeTestBank(ctx.service, accountOf(ctx, payer)), rest };
  }
  await ctx.tx.run(sql`
    update tenant set pending_payment_failures = ${rest}::text[] where id = ${payer.tenantId}`);
  const result: ChargeOutcome = { outcome: 'failed', returnCode };
  return { result, rest };
}

/** The same for a plan's first payment, which may stay pending for a day. */
export async function chargeFirst(
  ctx: Pick<Ctx, 'tx' | 'service'>,
  payer: Payer,
): Promise<ChargeOutcome | { readonly outcome: 'pending' }> {
  const slow =
    payer.pendingFailures.length === 0 && isSlowAtFirst(ctx.service, accountOf(ctx, payer));
  return slow ? { outcome: 'pending' } : (await charge(ctx, payer)).result;
}

function accountOf(ctx: Pick<Ctx, 'service'>, { methodId, detailsSealed }: Payer) {
  return openBankAccount(ctx, { id: methodId, details_sealed: detailsSealed });
}

export async function pendingFailures(q: Queryable, tenantId: string): Promise<string[]> {
  const row = await q.one<{ codes: string[] }>(sql`
    select pending_payment_failures as codes from tenant where id = ${tenantId}`);
  return row.codes;
}
