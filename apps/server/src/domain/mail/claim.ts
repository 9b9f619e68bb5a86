import {
  defaultLocale,
  type Locale,
  localeOf,
  type PaymentMethodOutput,
  type ProductVariant,
} from '@svc/contract';
import { sql } from '@svc/db';
import type { Ctx } from '../../context.ts';
import type { MailType } from '../events/queue-mails.ts';

/** One mail to write, with what it is about. */
export interface Letter {
  readonly id: string;
  readonly tenantId: string;
  readonly pms: string;
  readonly type: MailType;
  readonly data: LetterData;
  readonly productVariant: ProductVariant;
  readonly simulated: boolean;
  readonly attempts: number;
  readonly linkSealed: Buffer | null;
  readonly email: string;
  readonly firstName: string;
  readonly locale: Locale;
  readonly timeZone: string;
  readonly createdAt: Date;
  /** What the plan is paid from; null in a reminder to pay by hand. */
  readonly method: (Pick<PaymentMethodOutput, 'brand' | 'expires'> & LastDay) | null;
}

interface LastDay {
  /** Of what is still open of the plan. */
  readonly lastDueDate: string | null;
}

/** Of the event that it tells of. */
export interface LetterData {
  readonly amount_in_cents: number;
  readonly due_date: string;
  readonly number: number;
  readonly return_code?: string;
  readonly next_attempt_at?: string | null;
  readonly taken_back?: boolean;
}

/** Takes the mails that are due, for as long as one attempt may last. */
export async function claimMails(
  { tx, now }: Pick<Ctx, 'tx' | 'now'>,
  { limit, leaseMs }: { limit: number; leaseMs: number },
): Promise<Letter[]> {
  const rows = await tx.many<Omit<Letter, 'locale'> & { locale: string | null }>(sql`
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
          and (l.autopay or m.type <> 'installment.upcoming')) as method`);
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
