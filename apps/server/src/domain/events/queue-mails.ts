import type { EventType } from '@svc/contract';
import { sql, type Tx } from '@svc/db';
import { newId } from '../../ids.ts';

/** The events that the tenant hears of, too. */
export const mailTypes = [
  'installment.upcoming',
  'installment.failed',
  'installment.paid',
] as const;
export type MailType = (typeof mailTypes)[number];

interface Addressee {
  readonly partnerId: string;
  readonly externalId: string;
  readonly simulated: boolean;
}

interface Told {
  readonly type: EventType;
  readonly data: object;
}

/** Leaves a mail for each event that concerns the tenant; a job sends it after the commit. */
export async function queueMails(
  ctx: { readonly tx: Tx; readonly now: Date },
  { partnerId, externalId, simulated }: Addressee,
  events: readonly Told[],
): Promise<void> {
  for (const { type, data } of events.filter(isMailed)) {
    await ctx.tx.run(sql`
      insert into mail (id, tenant_id, type, data, product_variant, simulated, due_at, created_at)
      select ${newId('mal', ctx.now)}, t.id, ${type}, ${JSON.stringify(data)}::jsonb,
        coalesce(t.product_variant, 'rent'), ${simulated}, ${ctx.now}, ${ctx.now}
      from tenant t
      where t.partner_id = ${partnerId} and t.external_id = ${externalId} and t.email is not null`);
  }
}

function isMailed({ type }: Told): boolean {
  return mailTypes.some((it) => it === type);
}
