import {
  defaultLocale,
  type Locale,
  localeOf,
  paymentMethodOutput,
  productVariants,
} from '@svc/contract';
import {
  boolean,
  bytes,
  instant,
  integer,
  json,
  nullable,
  oneOf,
  type RowOf,
  row,
  sql,
  text,
} from '@svc/db';
import { z } from 'zod';
import type { Ctx } from '../../context.ts';
import { mailTypes } from '../../words/mail-types.ts';
import type { LinkAddress } from '../access/mail-links.ts';
import { sha256 } from '../access/secrets.ts';
import { mailData } from '../events/queue-mails.ts';
import {
  openPersonal,
  type PersonalData,
  storedPersonal,
  storedPersonalSchema,
} from '../tenants/personal-data.ts';

const letterRow = row('letter', {
  id: text,
  partnerId: text,
  tenantId: text,
  pms: text,
  type: oneOf(...mailTypes),
  data: json(mailData),
  productVariant: oneOf(...productVariants),
  simulated: boolean,
  attempts: integer,
  linkSealed: nullable(bytes),
  personal: json(storedPersonalSchema),
  emailHmac: nullable(bytes),
  /** As it was stored: the registry may no longer have it. */
  locale: nullable(text),
  timeZone: text,
  createdAt: instant,
  /** The plan's payment method; null in a reminder to pay manually. */
  method: nullable(
    json(
      paymentMethodOutput.pick({ brand: true, expires: true }).extend({
        /** Of the installments that are still open. */
        lastDueDate: z.string().nullable(),
      }),
    ),
  ),
});
/** A mail to write, with the facts that it reports. */
export interface Letter extends Omit<RowOf<typeof letterRow>, 'locale' | 'personal' | 'emailHmac'> {
  readonly locale: Locale;
  readonly firstName: string;
  readonly email: string;
  readonly addressedTo: LinkAddress;
}

/** Claims mails that are due, for as long as one attempt may take. */
export async function claimMails(
  { tx, now, service }: Pick<Ctx, 'tx' | 'now' | 'service'>,
  { limit, leaseMs }: { limit: number; leaseMs: number },
): Promise<Letter[]> {
  const rows = await tx.many(
    letterRow,
    sql`
    /* all partners */
    with due as (
      select partner_id, id from mail where due_at <= ${now} order by due_at limit ${limit}
      for update skip locked
    )
    update mail m set attempts = m.attempts + 1, due_at = ${new Date(now.getTime() + leaseMs)}
    from due, tenant t, partner p
    where m.partner_id = due.partner_id and m.id = due.id
      and t.partner_id = m.partner_id and t.id = m.tenant_id and p.id = m.partner_id
    returning m.id, m.partner_id as "partnerId", m.tenant_id as "tenantId", p.pms, m.type, m.data,
      m.product_variant as "productVariant", m.simulated, m.attempts,
      m.link_sealed as "linkSealed", ${storedPersonal} as personal, t.email_hmac as "emailHmac",
      t.locale, t.time_zone as "timeZone", m.created_at as "createdAt",
      (select json_build_object('brand', w.brand, 'expires', w.expires,
          'lastDueDate', (select max(i.due_date) from installment i
            where i.partner_id = l.partner_id and i.plan_id = l.id
              and i.state not in ('paid', 'canceled')))
        from plan l join payment_method w
          on w.partner_id = l.partner_id and w.id = l.payment_method_id
        where l.partner_id = m.partner_id and l.id = m.data ->> 'plan_id'
          and (l.autopay or m.type <> 'installment.upcoming')) as method`,
  );
  return rows.map(({ personal, emailHmac, ...row }) => {
    const { firstName, email } = requirePersonal(
      openPersonal(service.vault, row.tenantId, personal),
    );
    // A service before 0.3.0 changes the clear address and leaves the HMAC of the old one.
    const addressedTo = { hmac: emailHmac, sha256: personal.clear && sha256(email) };
    const locale = localeOf(row.locale ?? '') ?? defaultLocale;
    return { ...row, locale, firstName, email, addressedTo };
  });
}

/** Erasing a tenant deletes its mails, so each claimed one has an address. */
function requirePersonal(personal: PersonalData | null): PersonalData {
  if (!personal) throw new Error('A mail is due to a tenant without an address.');
  return personal;
}

/** Stores the link, so that each attempt to the same address sends it again. It works once. */
export async function keepLink(
  { tx, service }: Pick<Ctx, 'tx' | 'service'>,
  { partnerId, id }: Letter,
  secret: string,
): Promise<void> {
  await tx.run(sql`
    update mail set link_sealed = ${service.vault.seal(secret, id)}
    where partner_id = ${partnerId} and id = ${id}`);
}
