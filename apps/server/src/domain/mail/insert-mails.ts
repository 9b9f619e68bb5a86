import type { ProductVariant } from '@svc/contract';
import { boolean, json, oneOf, recordset, row, sql, text } from '@svc/db';
import type { Ctx, UnitOfWork } from '../../context.ts';
import { newId } from '../../ids.ts';
import { mailTypes } from '../../words/mail-types.ts';
import type { OutgoingMail } from '../events/queue-mails.ts';
import { partnerOfRows } from '../partner-of-rows.ts';
import type { TenantKey } from '../tenant-key.ts';

const mailRow = row('new mail', {
  id: text,
  type: oneOf(...mailTypes),
  data: json(),
  partnerId: text,
  externalId: text,
  simulated: boolean,
});

/** Queues mails for the job that sends them; none for a tenant without an address. */
export function insertMails(
  { tx, now }: Pick<UnitOfWork, 'tx' | 'now'>,
  mails: readonly OutgoingMail[],
): void {
  tx.send(sql`
    insert into mail (id, partner_id, tenant_id, type, data, product_variant, simulated, due_at,
      created_at)
    select m.id, t.partner_id, t.id, m.type, m.data, coalesce(t.product_variant, 'rent'), m.simulated,
      ${now}::timestamptz, ${now}::timestamptz
    from ${recordset(mailRow, mails, 'm')}
      join tenant t on t.partner_id = ${partnerOfRows(mails, sql`m.partner_id`)}
        and t.external_id = m.external_id
    where t.personal is not null or t.email is not null`);
}

/** Queues the mail with the code of a hosted link. The code is sealed, like the link of another mail. */
export async function insertCodeMail(
  { tx, now, service }: Pick<Ctx, 'tx' | 'now' | 'service'>,
  mail: TenantKey & {
    readonly productVariant: ProductVariant;
    readonly simulated: boolean;
    readonly code: string;
  },
): Promise<void> {
  const id = newId('mal', now);
  await tx.run(sql`
    insert into mail (id, partner_id, tenant_id, type, data, product_variant, simulated, link_sealed,
      due_at, created_at)
    values (${id}, ${mail.partnerId}, ${mail.tenantId}, 'experience.code', '{}', ${mail.productVariant},
      ${mail.simulated}, ${service.vault.seal(mail.code, id)}, ${now}, ${now})`);
}
