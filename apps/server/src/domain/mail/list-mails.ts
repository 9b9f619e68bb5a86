import { boolean, instant, nullable, type RowOf, row, sql, text } from '@svc/db';
import type { Ctx } from '../../context.ts';
import { type InJson, inJson, type Listed, listNewest, mostListed } from '../listed.ts';

const mailRow = row('listed mail', {
  mail_id: text,
  created_at: instant,
  pms: text,
  external_id: text,
  type: text,
  sent_at: nullable(instant),
  bounced_at: nullable(instant),
  /** When the next attempt is due; null if there is none. */
  due_at: nullable(instant),
  /** The mail server's last response, without addresses, or why the mail was not sent. */
  failure: nullable(text),
  /** True if the tenant still has the address that bounced. */
  address_bounces: boolean,
});

/** A mail as the operator sees it: never the address or the text. */
export type MailLine = InJson<RowOf<typeof mailRow>>;

/** Lists the mails of the last 30 days, newest first, of one partner or of all. */
export async function listMails(
  { tx }: Pick<Ctx, 'tx'>,
  { pms, bounced = false }: { readonly pms?: string; readonly bounced?: boolean },
): Promise<Listed<MailLine>> {
  const rows = await tx.many(
    mailRow,
    sql`
    /* many rows: a list for the operator */
    /* all partners, unless the operator names one */
    select m.id as mail_id, m.created_at, p.pms,
      (select t.external_id from tenant t
        where t.partner_id = m.partner_id and t.id = m.tenant_id) as external_id,
      m.type, m.sent_at, m.bounced_at, m.due_at, m.failure,
      (select exists (select from bounced_address b where b.partner_id = m.partner_id
          and b.tenant_id = m.tenant_id and b.email_hmac = t.email_hmac)
        from tenant t where t.partner_id = m.partner_id and t.id = m.tenant_id) as address_bounces
    from mail m join partner p on p.id = m.partner_id
    where (${pms ?? null}::text is null or p.pms = ${pms ?? null})
      and (${bounced}::boolean is false or m.bounced_at is not null)
    order by m.created_at desc, m.id desc limit ${mostListed + 1}`,
  );
  return listNewest(rows.map(inJson));
}
