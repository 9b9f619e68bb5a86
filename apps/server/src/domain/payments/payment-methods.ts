import { cardBrands, type PaymentMethodOutput, paymentMethodOutput } from '@svc/contract';
import { bytes, nullable, oneOf, type Queryable, type Row, row, sql, text } from '@svc/db';
import type { Ctx, UnitOfWork } from '../../context.ts';
import { newId } from '../../ids.ts';
import type { TenantKey } from '../tenant-key.ts';
import { markAccount } from '../tenants/risk-marks.ts';
import type { CardFace, Instrument, Registered } from './processor.ts';

/** The parts of a payment method that people see. The rest is sealed. */
export interface PaymentMethod extends Omit<Registered, 'instrument' | 'fingerprint'> {
  readonly id: string;
}

export type SealedMethod = PaymentMethod & { readonly detailsSealed: Buffer };

/** The result of `methodAsJson`. */
export const paymentMethodSchema = paymentMethodOutput.omit({ label: true });

/** The columns of `payment_method m` as JSON, for statements that read more than the method. */
export const methodAsJson = sql`
  json_build_object('id', m.id, 'type', m.type, 'brand', m.brand, 'last4', m.last4,
    'expires', m.expires)`;

const sealedMethodRow: Row<SealedMethod> = row('payment method', {
  id: text,
  type: oneOf('bank_account', 'card'),
  brand: nullable(oneOf('visa', 'mastercard')),
  last4: text,
  expires: nullable(text),
  detailsSealed: bytes,
});

const sealedMethod = sql`m.id, m.type, m.brand, m.last4, m.expires, m.details_sealed`;

export async function newestPaymentMethod(
  q: Queryable,
  { partnerId, tenantId }: TenantKey,
): Promise<SealedMethod | undefined> {
  return q.maybe(
    sealedMethodRow,
    sql`
    select ${sealedMethod} from payment_method m
    where m.partner_id = ${partnerId} and m.tenant_id = ${tenantId}
    order by m.created_at desc, m.id desc limit 1`,
  );
}

export async function findPaymentMethod(
  q: Queryable,
  { partnerId, id }: { readonly partnerId: string; readonly id: string },
): Promise<SealedMethod> {
  return q.one(
    sealedMethodRow,
    sql`
    select ${sealedMethod} from payment_method m
    where m.partner_id = ${partnerId} and m.id = ${id}`,
  );
}

/** Stores the method, sealed. A card's number and security code are not stored at all. */
export async function insertPaymentMethod(
  uow: UnitOfWork,
  { partnerId, tenantId }: TenantKey,
  { instrument, fingerprint, ...method }: Registered,
): Promise<PaymentMethod> {
  const { tx, now, service } = uow;
  const id = newId('pmt', now);
  await tx.run(sql`
    insert into payment_method (id, partner_id, tenant_id, type, brand, last4, expires,
      details_sealed, mandate_ref, method_ref, created_at)
    values (${id}, ${partnerId}, ${tenantId}, ${method.type}, ${method.brand},
      ${method.last4}, ${method.expires}, ${service.vault.seal(JSON.stringify(instrument), id)},
      ${mandateOf(instrument)}, ${instrument.type === 'reference' ? instrument.method : null}, ${now})`);
  const account = fingerprint ?? fingerprintOf(instrument);
  if (account !== null) await markAccount(uow, { partnerId, tenantId }, account);
  return { id, ...method };
}

/** Returns a text that is the same for the same bank account; null for a card, or if only the processor knows it. */
export function fingerprintOf(instrument: Instrument): string | null {
  if (instrument.type !== 'bank_account') return null;
  return `${instrument.routing_number} ${instrument.account_number}`;
}

/**
 * Stores the digits and expiry of a card that its network has replaced; the processor charges the new one. An
 * expiry before the stored one belongs to an older event. Returns whether the card is one of ours.
 */
export async function updateCard(
  { tx }: Pick<UnitOfWork, 'tx'>,
  methodRef: string,
  { brand, last4, expires }: CardFace,
): Promise<boolean> {
  const found = await tx.run(sql`
    /* all partners: the processor has one account for all of them */
    update payment_method m set
      brand = case when m.expires <= ${expires} then ${brand} else m.brand end,
      last4 = case when m.expires <= ${expires} then ${last4} else m.last4 end,
      expires = greatest(m.expires, ${expires})
    where m.method_ref = ${methodRef} and m.type = 'card'`);
  return found > 0;
}

function mandateOf(instrument: Instrument): string | null {
  return instrument.type === 'reference' ? (instrument.mandate?.ref ?? null) : null;
}

export function openInstrument(
  ctx: Pick<Ctx, 'service'>,
  { methodId, detailsSealed }: { readonly methodId: string; readonly detailsSealed: Buffer },
): Instrument {
  return JSON.parse(ctx.service.vault.open(detailsSealed, methodId)) as Instrument;
}

/** Returns whether a card has expired by the day of a payment. */
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
