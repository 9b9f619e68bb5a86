import { boolean, json, oneOf, recordset, row, sql, text } from '@svc/db';
import type { UnitOfWork } from '../../context.ts';
import { newId } from '../../ids.ts';
import { type TextType, textTypes } from '../../words/text-types.ts';
import type { OutgoingMail } from '../events/queue-mails.ts';
import { partnerOfRows } from '../partner-of-rows.ts';

const textRow = row('new text message', {
  id: text,
  type: oneOf(...textTypes),
  data: json(),
  partnerId: text,
  externalId: text,
  simulated: boolean,
});

/** Queues the reminders among these mails as text messages, too, for the tenants who asked for them. */
export function queueTexts(
  { tx, now }: Pick<UnitOfWork, 'tx' | 'now'>,
  mails: readonly OutgoingMail[],
): void {
  const texts = mails.flatMap(({ type, ...mail }) =>
    isTextType(type) ? [{ ...mail, type, id: newId('txt', now) }] : [],
  );
  if (texts.length === 0) return;
  tx.send(sql`
    insert into text_message (id, partner_id, tenant_id, consent_id, type, data, simulated, due_at,
      created_at)
    select m.id, t.partner_id, t.id, c.id, m.type, m.data, m.simulated, ${now}::timestamptz,
      ${now}::timestamptz
    from ${recordset(textRow, texts, 'm')}
      join tenant t on t.partner_id = ${partnerOfRows(texts, sql`m.partner_id`)}
        and t.external_id = m.external_id
      join text_consent c on c.partner_id = t.partner_id and c.tenant_id = t.id
        and c.confirmed_at is not null and c.ended_at is null`);
}

function isTextType(type: string): type is TextType {
  return (textTypes as readonly string[]).includes(type);
}
