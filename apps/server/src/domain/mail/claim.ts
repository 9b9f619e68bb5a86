import {
  defaultLocale,
  type Locale,
  localeOf,
  paymentMethodOutput,
  productVariant,
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
import { mailTypes } from '../events/queue-mails.ts';

/** The data of the event that the mail reports. */
const letterData = z.object({
  amount_in_cents: z.int(),
  due_date: z.string(),
  number: z.int(),
  return_code: z.string().optional(),
  next_attempt_at: z.string().nullable().optional(),
  taken_back: z.boolean().optional(),
});
export type LetterData = z.infer<typeof letterData>;

const letterRow = row('letter', {
  id: text,
  tenantId: text,
  pms: text,
  type: oneOf(...mailTypes),
  data: json(letterData),
  productVariant: oneOf(...productVariant.options),
  simulated: boolean,
  attempts: integer,
  linkSealed: nullable(bytes),
  email: text,
  firstName: text,
  /** As it was stored: the registry may no longer have it. */
  locale: nullable(text),
  timeZone: text,
  createdAt: instant,
  /** What the plan is paid from; null in a reminder to pay manually. */
  method: nullable(
    json(
      paymentMethodOutput.pick({ brand: true, expires: true }).extend({
        /** Of the installments that are still open. */
        lastDueDate: z.string().nullable(),
      }),
    ),
  ),
});
/** One mail to write, with what it is about. */
export type Letter = Omit<RowOf<typeof letterRow>, 'locale'> & { readonly locale: Locale };

/** Takes the mails that are due, for as long as one attempt may last. */
export async function claimMails(
  { tx, now }: Pick<Ctx, 'tx' | 'now'>,
  { limit, leaseMs }: { limit: number; leaseMs: number },
): Promise<Letter[]> {
  const rows = await tx.many(
    letterRow,
    sql`
    with due as (
      select id from mail where due_at <= ${now} order by due_at limit ${limit}
      for update skip locked
    )
    update mail m set attempts = m.attempts + 1, due_at = ${new Date(now.getTime() + leaseMs)}
    from due, tenant t, partner p
    where m.id = due.id and t.id = m.tenant_id and p.id = t.partner_id
    returning m.id, m.tenant_id as "tenantId", p.pms, m.type, m.data,
      m.product_variant as "productVariant", m.simulated, m.attempts,
      m.link_sealed as "linkSealed", t.email, coalesce(t.first_name, '') as "firstName",
      t.locale, t.time_zone as "timeZone", m.created_at as "createdAt",
      (select json_build_object('brand', w.brand, 'expires', w.expires,
          'lastDueDate', (select max(i.due_date) from installment i
            where i.plan_id = l.id and i.state not in ('paid', 'canceled')))
        from plan l join payment_method w on w.id = l.payment_method_id
        where l.id = m.data ->> 'plan_id'
          and (l.autopay or m.type <> 'installment.upcoming')) as method`,
  );
  return rows.map((row) => ({ ...row, locale: localeOf(row.locale ?? '') ?? defaultLocale }));
}

/** Every attempt to one address sends the same link: whichever arrives, it opens once. */
export async function keepLink(
  { tx, service }: Pick<Ctx, 'tx' | 'service'>,
  { id }: Letter,
  secret: string,
): Promise<void> {
  await tx.run(sql`
    update mail set link_sealed = ${service.vault.seal(secret, id)} where id = ${id}`);
}
