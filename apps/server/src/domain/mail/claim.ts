import {
  defaultLocale,
  type Locale,
  localeOf,
  locales,
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
import { byKey, findClaimCondition } from '../../cluster.ts';
import type { Ctx } from '../../context.ts';
import { mailTypes } from '../../words/mail-types.ts';
import type { LinkAddress } from '../access/mail-links.ts';
import { sha256 } from '../access/secrets.ts';
import { mailData } from '../events/queue-mails.ts';
import { areRows, partnerOfRows } from '../partner-of-rows.ts';
import { loadTerms } from '../partners/program-terms.ts';
import { defaultTermsVersion, type Terms } from '../partners/terms.ts';
import { openAgreement } from '../tenants/open-agreement.ts';
import {
  openPersonal,
  type PersonalData,
  storedPersonal,
  storedPersonalSchema,
} from '../tenants/personal-data.ts';
import { type DeclineDetails, openDetails } from '../underwriting/decline-details.ts';
import { newestRecordsConsent } from './electronic-records.ts';

const agreementSchema = z.object({
  planId: z.string(),
  text: z.string(),
  /** `plan.agreement_sealed` as base64. */
  sealed: z.string().nullable(),
  sha256: z.string(),
  locale: z.enum(locales).nullable(),
});

const declineSchema = z.object({
  id: z.string(),
  codes: z.array(z.string()),
  /** `decision.details_sealed` as base64. */
  sealed: z.string().nullable(),
  /** Tenant time. */
  decidedAtMs: z.int(),
  /** Null for a decision of an older service. */
  amountInCents: z.int().nullable(),
  termsVersion: z.string(),
});

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
  /** True if the tenant agreed to electronic records; null if the tenant was not asked. */
  agreedToRecords: nullable(boolean),
  linkSealed: nullable(bytes),
  personal: json(storedPersonalSchema),
  emailHmac: nullable(bytes),
  /** The locale as it was stored; the registry may no longer have it. */
  locale: nullable(text),
  timeZone: text,
  createdAt: instant,
  /** The partner's name. */
  portal: text,
  /** Only for the mail with the agreement. */
  agreement: nullable(json(agreementSchema)),
  /** Only for the notice of a decline. */
  decline: nullable(json(declineSchema)),
  /** The plan's payment method; null in a reminder to pay manually. */
  method: nullable(
    json(
      paymentMethodOutput.pick({ brand: true, expires: true }).extend({
        /** The last due date of the installments that are still open; null if none is. */
        lastDueDate: z.string().nullable(),
      }),
    ),
  ),
  termsVersion: text,
});
/** A mail to write, with the facts that it reports. */
export interface Letter
  extends Omit<
    RowOf<typeof letterRow>,
    'locale' | 'personal' | 'emailHmac' | 'agreement' | 'decline' | 'termsVersion'
  > {
  readonly locale: Locale;
  /** The terms of the plan that the mail is about. */
  readonly terms: Pick<Terms, 'pastDueDays' | 'chargeOffDays'>;
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly addressedTo: LinkAddress;
  readonly decline:
    | (Pick<z.infer<typeof declineSchema>, 'codes' | 'decidedAtMs' | 'amountInCents'> & {
        readonly details: DeclineDetails | undefined;
        /** The terms under which it was decided. */
        readonly terms: Pick<Terms, 'documents'>;
      })
    | null;
  readonly agreement: {
    readonly locale: Locale;
    readonly text: string;
    readonly sha256: string;
  } | null;
}

const claimedRow = row('claimed mail', { partnerId: text, id: text });

/** Claims mails that are due, with a lease as long as one attempt may take. */
export async function claimMails(
  { tx, now, service }: Pick<Ctx, 'tx' | 'now' | 'service'>,
  { limit, leaseMs }: { limit: number; leaseMs: number },
): Promise<Letter[]> {
  const isDue = sql`/* all partners */ from mail d where d.due_at <= ${now}`;
  const among = await findClaimCondition(tx, { of: 'd', due: isDue });
  if (!among) return [];
  const claimed = await tx.many(
    claimedRow,
    sql`
    /* all partners */
    update mail d set attempts = d.attempts + 1, due_at = ${new Date(now.getTime() + leaseMs)}
    where ${among('d')} and d.ctid = any(array(
      select d.ctid ${isDue} and ${among('d')} order by d.due_at limit ${limit}
      for update skip locked))
    returning d.partner_id, d.id`,
  );
  return claimed.length === 0 ? [] : loadLetters({ tx, service }, claimed);
}

/** Reads mails with the facts that they report. */
export async function loadLetters(
  { tx, service }: Pick<Ctx, 'tx' | 'service'>,
  mails: readonly { readonly partnerId: string; readonly id: string }[],
): Promise<Letter[]> {
  const partnerId = partnerOfRows(mails, sql`m.partner_id`);
  const rows = await tx.many(
    letterRow,
    sql`
    select m.id, m.partner_id, m.tenant_id, p.pms, m.type, m.data,
      m.product_variant, m.simulated, m.attempts,
      ${newestRecordsConsent(partnerId, sql`m.tenant_id`)} as agreed_to_records,
      m.link_sealed, ${storedPersonal} as personal, t.email_hmac,
      t.locale, t.time_zone, m.created_at, p.name as portal,
      (select json_build_object('planId', l.id, 'text', l.disclosure_text,
          'sealed', encode(l.agreement_sealed, 'base64'),
          'sha256', encode(l.disclosure_sha256, 'hex'), 'locale', l.consent ->> 'locale')
        from plan l where l.partner_id = ${partnerId} and l.id = m.data ->> 'plan_id'
          and m.type = 'plan.activated') as agreement,
      (select json_build_object('id', d.id, 'codes', d.reasons,
          'sealed', encode(d.details_sealed, 'base64'),
          'decidedAtMs', (extract(epoch from d.decided_at) * 1000)::bigint,
          'amountInCents', (d.facts ->> 'amount_in_cents')::bigint,
          'termsVersion', coalesce(d.facts ->> 'terms_version', ${defaultTermsVersion}::text))
        from decision d where d.partner_id = ${partnerId}
          and d.application_id = m.data ->> 'application_id' and d.outcome = 'declined'
        order by d.created_at desc limit 1) as decline,
      (select json_build_object('brand', w.brand, 'expires', w.expires,
          'lastDueDate', (select max(i.due_date) from installment i
            where i.partner_id = ${partnerId} and i.plan_id = l.id
              and i.state not in ('paid', 'canceled')))
        from plan l join payment_method w
          on w.partner_id = l.partner_id and w.id = l.payment_method_id
        where l.partner_id = ${partnerId} and l.id = m.data ->> 'plan_id'
          and (l.autopay or m.type <> 'installment.upcoming')) as method,
      coalesce((select l.terms_version from plan l
        where l.partner_id = ${partnerId} and l.id = m.data ->> 'plan_id'),
        ${defaultTermsVersion}) as terms_version
    from mail m
      cross join lateral (select * from tenant t
        where t.partner_id = m.partner_id and t.id = m.tenant_id ${byKey(tx)}) t
      cross join lateral (select * from partner p where p.id = m.partner_id ${byKey(tx)}) p
    where ${areRows([sql`m.partner_id`, sql`m.id`], mails)}`,
  );
  const versions = rows.flatMap((it) => [it.termsVersion, it.decline?.termsVersion ?? []].flat());
  const terms = await loadTerms(tx, versions);
  return rows.map(({ personal, emailHmac, agreement: stored, decline, termsVersion, ...row }) => {
    const { firstName, lastName, email } = requirePersonal(
      openPersonal(service.vault, row.tenantId, personal),
    );
    // A service before 0.3.0 changes the clear address and leaves the HMAC of the old one.
    const addressedTo = { hmac: emailHmac, sha256: personal.clear && sha256(email) };
    const locale = localeOf(row.locale ?? '') ?? defaultLocale;
    const agreement = stored && {
      locale: stored.locale ?? defaultLocale,
      text: openAgreement(service.vault, {
        ...stored,
        sealed: stored.sealed === null ? null : Buffer.from(stored.sealed, 'base64'),
      }),
      sha256: stored.sha256,
    };
    return {
      ...row,
      locale,
      firstName,
      lastName,
      email,
      addressedTo,
      agreement,
      terms: terms(termsVersion),
      decline: decline && {
        ...decline,
        details: openDetails(
          service.vault,
          decline.id,
          decline.sealed === null ? null : Buffer.from(decline.sealed, 'base64'),
        ),
        terms: terms(decline.termsVersion),
      },
    };
  });
}

/** Erasing a tenant deletes its mails, so each claimed one has an address. */
function requirePersonal(personal: PersonalData | null): PersonalData {
  if (!personal) throw new Error('A mail is due to a tenant without an address.');
  return personal;
}

/** Stores the link, so that each attempt to the same address sends the same one. The link works once. */
export async function keepLink(
  { tx, service }: Pick<Ctx, 'tx' | 'service'>,
  { partnerId, id }: Letter,
  secret: string,
): Promise<void> {
  await tx.run(sql`
    update mail set link_sealed = ${service.vault.seal(secret, id)}
    where partner_id = ${partnerId} and id = ${id}`);
}
