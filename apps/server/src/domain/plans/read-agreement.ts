import { createHash } from 'node:crypto';
import { boolean, bytes, instant, nullable, row, sql, text } from '@svc/db';
import type { Ctx } from '../../context.ts';
import { partnerOf } from '../operators/partner-of.ts';
import { defaultTermsVersion } from '../partners/terms.ts';
import { Refusal } from '../refusal.ts';
import { openAgreement } from '../tenants/open-agreement.ts';

const agreementRow = row('agreement of a plan', {
  partner_id: text,
  pms: text,
  external_id: text,
  terms_version: text,
  accepted_at: instant,
  locale: nullable(text),
  sha256: text,
  text,
  sealed: nullable(bytes),
  has_full_text: boolean,
});

/** The agreement of a plan. The text names the tenant and the home. */
export interface Agreement {
  readonly plan_id: string;
  readonly pms: string;
  readonly external_id: string;
  readonly terms_version: string;
  /** Tenant time. */
  readonly accepted_at: string;
  readonly locale: string | null;
  /** The hash of the full text, stored with the consent. */
  readonly sha256: string;
  /** False once the tenant is erased: `text` is then without the names of the tenant and the home. */
  readonly is_full_text: boolean;
  readonly text: string;
}

/**
 * Reads the agreement of a plan for the operator, and checks it against its hash.
 * @throws Error when the stored text is not the one that was agreed to
 */
export async function readAgreement(
  { tx, service }: Pick<Ctx, 'tx' | 'service'>,
  { planId }: { readonly planId: string },
): Promise<Agreement & { readonly partner_id: string }> {
  const partnerId = await partnerOf(tx, { subject: 'plan_id', id: planId });
  const found = await tx.maybe(
    agreementRow,
    sql`
    select p.partner_id, r.pms, t.external_id,
      coalesce(p.terms_version, ${defaultTermsVersion}) as terms_version, p.accepted_at,
      p.consent ->> 'locale' as locale, encode(p.disclosure_sha256, 'hex') as sha256,
      p.disclosure_text as text, p.agreement_sealed as sealed,
      p.agreement_sealed is not null
        or p.disclosure_sha256 = sha256(convert_to(p.disclosure_text, 'UTF8')) as has_full_text
    from plan p join partner r on r.id = p.partner_id
      join tenant t on t.partner_id = p.partner_id and t.id = p.tenant_id
    where p.partner_id = ${partnerId} and p.id = ${planId}`,
  );
  if (!found) throw new Refusal('plan_not_found', { message: `There is no plan ${planId}.` });
  const { sealed, text: stored, has_full_text: isFull, accepted_at, ...agreement } = found;
  const full = openAgreement(service.vault, { planId, sealed, text: stored });
  if (isFull && createHash('sha256').update(full).digest('hex') !== agreement.sha256) {
    throw new Error(`The stored agreement of plan ${planId} does not have its hash.`);
  }
  return {
    plan_id: planId,
    ...agreement,
    accepted_at: accepted_at.toISOString(),
    is_full_text: isFull,
    text: full,
  };
}
