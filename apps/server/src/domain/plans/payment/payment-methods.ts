import { type Queryable, sql } from '@svc/db';
import type { Ctx } from '../../../context.ts';
import { newId } from '../../../ids.ts';
import type { TenantActor } from '../../access/actor.ts';

export interface PaymentMethod {
  readonly id: string;
  readonly label: string;
  readonly details_sealed: Buffer;
}

export interface BankAccount {
  readonly type: 'bank_account';
  readonly routing_number: string;
  readonly account_number: string;
  readonly account_type: 'checking' | 'savings';
}

export async function newestPaymentMethod(
  q: Queryable,
  tenantId: string,
): Promise<PaymentMethod | undefined> {
  return q.maybe<PaymentMethod>(sql`
    select id, label, details_sealed from payment_method
    where tenant_id = ${tenantId} order by created_at desc, id desc limit 1`);
}

/** The account number is stored sealed; people see the last four digits. */
export async function insertPaymentMethod(
  ctx: Ctx<TenantActor>,
  account: BankAccount,
): Promise<{ id: string; label: string }> {
  const id = newId('pmt', ctx.now);
  const label = `Bank account ending in ${account.account_number.slice(-4)}`;
  await ctx.tx.run(sql`
    insert into payment_method (id, tenant_id, type, label, details_sealed, created_at)
    values (${id}, ${ctx.actor.tenantId}, ${account.type}, ${label},
      ${ctx.service.vault.seal(JSON.stringify(account), id)}, ${ctx.now})`);
  return { id, label };
}

export function openBankAccount(
  ctx: Pick<Ctx, 'service'>,
  method: Pick<PaymentMethod, 'id' | 'details_sealed'>,
): BankAccount {
  return JSON.parse(ctx.service.vault.open(method.details_sealed, method.id)) as BankAccount;
}
