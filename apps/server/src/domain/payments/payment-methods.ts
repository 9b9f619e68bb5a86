import { cardBrands, type PaymentMethodInput, type PaymentMethodOutput } from '@svc/contract';
import { type Queryable, sql } from '@svc/db';
import type { Ctx } from '../../context.ts';
import { newId } from '../../ids.ts';
import type { TenantActor } from '../access/actor.ts';
import type { Instrument, Registered } from './processor.ts';
import { processorOf } from './processor-of.ts';

/** What people see of one: the rest is sealed. */
export interface PaymentMethod extends Omit<Registered, 'instrument'> {
  readonly id: string;
}

export type SealedMethod = PaymentMethod & { readonly detailsSealed: Buffer };

/** Of the table `m`, for statements that read a method with something else. */
export const methodAsJson = sql`
  json_build_object('id', m.id, 'type', m.type, 'brand', m.brand, 'last4', m.last4,
    'expires', m.expires)`;

const sealedMethods = sql`
  select id, type, brand, last4, expires, details_sealed as "detailsSealed" from payment_method`;

export async function newestPaymentMethod(
  q: Queryable,
  tenantId: string,
): Promise<SealedMethod | undefined> {
  return q.maybe<SealedMethod>(sql`${sealedMethods}
    where tenant_id = ${tenantId} order by created_at desc, id desc limit 1`);
}

export async function findPaymentMethod(q: Queryable, id: string): Promise<SealedMethod> {
  return q.one<SealedMethod>(sql`${sealedMethods} where id = ${id}`);
}

/** What is charged is stored sealed; a card's number and security code are not stored at all. */
export async function insertPaymentMethod(
  ctx: Ctx<TenantActor>,
  typed: PaymentMethodInput,
  today: string,
): Promise<PaymentMethod> {
  const { instrument, ...method } = processorOf(ctx.service).register(typed, today);
  const id = newId('pmt', ctx.now);
  await ctx.tx.run(sql`
    insert into payment_method (id, tenant_id, type, brand, last4, expires, details_sealed,
      created_at)
    values (${id}, ${ctx.actor.tenantId}, ${method.type}, ${method.brand}, ${method.last4},
      ${method.expires}, ${ctx.service.vault.seal(JSON.stringify(instrument), id)}, ${ctx.now})`);
  return { id, ...method };
}

export function openInstrument(
  ctx: Pick<Ctx, 'service'>,
  { methodId, detailsSealed }: { readonly methodId: string; readonly detailsSealed: Buffer },
): Instrument {
  return JSON.parse(ctx.service.vault.open(detailsSealed, methodId)) as Instrument;
}

/** Whether a card has ended when a payment is taken from it. */
export function endsBefore({ expires }: Pick<PaymentMethod, 'expires'>, day: string): boolean {
  return expires !== null && expires < day.slice(0, 7);
}

export function viewMethod({
  id,
  type,
  brand,
  last4,
  expires,
}: PaymentMethod): PaymentMethodOutput {
  const name = brand === null ? 'Bank account' : `${cardBrands[brand]} card`;
  return { id, type, brand, last4, expires, label: `${name} ending in ${last4}` };
}
