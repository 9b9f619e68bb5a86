import type { EventType } from '@svc/contract';
import { boolean, json, oneOf, type RowOf, recordset, row, sql, type Tx, text } from '@svc/db';
import { z } from 'zod';
import { newId } from '../../ids.ts';
import { type MailType, mailTypes } from '../../words/mail-types.ts';
import { limitForPlanner } from '../limit-for-planner.ts';

/** The part of an event's data that its mail reports. The message of the event has all of it. */
export const mailData = z.object({
  plan_id: z.string(),
  amount_in_cents: z.int(),
  due_date: z.string(),
  number: z.int(),
  return_code: z.string().optional(),
  next_attempt_at: z.string().nullable().optional(),
  taken_back: z.boolean().optional(),
});

const mailRow = row('new mail', {
  id: text,
  type: oneOf(...mailTypes),
  data: json(),
  partnerId: text,
  externalId: text,
  simulated: boolean,
});

/** A mail to the tenant about one of the events, sent by a job after the commit. */
export type OutgoingMail = RowOf<typeof mailRow>;

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
  return events.filter(isMailed).map(({ type, data }) => {
    return {
      id: newId('mal', now),
      type,
      data: mailData.parse(data),
      partnerId,
      externalId,
      simulated,
    };
  });
}

function isMailed(event: EmittedEvent): event is EmittedEvent & { readonly type: MailType } {
  return mailTypes.some((it) => it === event.type);
}

/** Queues mails for the job that sends them; none for a tenant without an address. */
export async function insertMails(
  { tx, now }: { readonly tx: Tx; readonly now: Date },
  mails: readonly OutgoingMail[],
): Promise<void> {
  await tx.run(sql`
    insert into mail (id, partner_id, tenant_id, type, data, product_variant, simulated, due_at,
      created_at)
    select m.id, t.partner_id, t.id, m.type, m.data, coalesce(t.product_variant, 'rent'), m.simulated,
      ${now}::timestamptz, ${now}::timestamptz
    from (select * from ${recordset(mailRow, mails, 'r')} ${limitForPlanner(mails)}) m
      join tenant t on t.partner_id = m."partnerId" and t.external_id = m."externalId"
    where t.personal is not null or t.email is not null`);
}
