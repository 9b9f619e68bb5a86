import type { EventType } from '@svc/contract';
import { sql, type Tx } from '@svc/db';
import type { OutgoingMail } from '../../context.ts';
import { newId } from '../../ids.ts';
import { limitForPlanner } from '../limit-for-planner.ts';

/** The events about which the tenant gets a mail, too. */
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

interface EmittedEvent {
  readonly type: EventType;
  readonly data: object;
}

/** One mail for each event that tenants get mails about. */
export function mailsOf(
  now: Date,
  { partnerId, externalId, simulated }: Addressee,
  events: readonly EmittedEvent[],
): OutgoingMail[] {
  return events
    .filter(({ type }) => mailTypes.some((it) => it === type))
    .map(({ type, data }) => {
      return { id: newId('mal', now), type, data, partnerId, externalId, simulated };
    });
}

/** Queues mails for the job that sends them; none for a tenant without an address. */
export async function insertMails(
  { tx, now }: { readonly tx: Tx; readonly now: Date },
  mails: readonly OutgoingMail[],
): Promise<void> {
  await tx.run(sql`
    insert into mail (id, tenant_id, type, data, product_variant, simulated, due_at, created_at)
    select m.id, t.id, m.type, m.data, coalesce(t.product_variant, 'rent'), m.simulated,
      ${now}::timestamptz, ${now}::timestamptz
    from (select * from json_to_recordset(${JSON.stringify(mails)}::json) as r(id text, type text,
        data jsonb, "partnerId" text, "externalId" text, simulated boolean)
        ${limitForPlanner(mails)}) m
      join tenant t on t.partner_id = m."partnerId" and t.external_id = m."externalId"
    where t.email is not null`);
}
