import type { EventType } from '@svc/contract';
import { boolean, json, oneOf, type RowOf, recordset, row, sql, type Tx, text } from '@svc/db';
import { newId } from '../../ids.ts';
import { asFew, shared } from '../together.ts';

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
  const mails = events
    .filter(isMailed)
    .map(({ type, data }) => ({ type, data, partnerId, externalId, simulated }));
  if (mails.length > 0) await insertMails(ctx, mails);
}

const mailRow = row('new mail', {
  id: text,
  type: oneOf(...mailTypes),
  data: json(),
  partnerId: text,
  externalId: text,
  simulated: boolean,
});
type NewMail = Omit<RowOf<typeof mailRow>, 'id'>;

const insertMails = shared(
  async ({ tx, now }: { readonly tx: Tx; readonly now: Date }, all: readonly NewMail[][]) => {
    const mails = all.flat().map((it) => ({ id: newId('mal', now), ...it }));
    await tx.run(sql`
      insert into mail (id, tenant_id, type, data, product_variant, simulated, due_at, created_at)
      select m.id, t.id, m.type, m.data, coalesce(t.product_variant, 'rent'), m.simulated,
        ${now}::timestamptz, ${now}::timestamptz
      from (select * from ${recordset(mailRow, mails, 'r')} ${asFew(mails)}) m
        join tenant t on t.partner_id = m."partnerId" and t.external_id = m."externalId"
      where t.email is not null`);
  },
);

function isMailed(event: Told): event is Told & { readonly type: MailType } {
  return mailTypes.some((it) => it === event.type);
}
