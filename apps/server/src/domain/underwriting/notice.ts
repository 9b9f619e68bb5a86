import {
  type DeclineReason,
  declineReasons,
  defaultLocale,
  type ExperienceState,
  type Locale,
  translatedLocales,
} from '@svc/contract';
import { bigint, instant, listOf, nullable, oneOf, row, sql, text } from '@svc/db';
import type { Ctx } from '../../context.ts';
import { reportedText } from '../../words/reported-text.ts';
import { wordsByLocale } from '../../words/words-by-locale.ts';
import { loadTerms } from '../partners/program-terms.ts';
import { defaultVersion, type Terms } from '../partners/terms.ts';
import { localDate } from '../tenants/calendar.ts';
import { openPersonal } from '../tenants/personal-data.ts';
import type { Tenant } from '../tenants/tenant.ts';

const declinedRow = row('declined decision', {
  reasons: listOf(oneOf(...declineReasons)),
  decided_at: instant,
  terms_version: text,
  amount_in_cents: nullable(bigint),
});

/**
 * Reads the adverse-action notice, which only the tenant may see, in the words of the terms that the
 * decision was made under.
 */
export async function readNotice(
  { tx, service }: Pick<Ctx, 'tx' | 'service'>,
  {
    partnerId,
    applicationId,
    tenant,
  }: {
    readonly partnerId: string;
    readonly applicationId: string;
    readonly tenant: Pick<Tenant, 'id' | 'personal' | 'timeZone'>;
  },
): Promise<ExperienceState['notice']> {
  const row = await tx.maybe(
    declinedRow,
    sql`
    select reasons, decided_at,
      coalesce(facts ->> 'terms_version', ${defaultVersion}) as terms_version,
      (facts ->> 'amount_in_cents')::bigint as amount_in_cents
    from decision
    where partner_id = ${partnerId} and application_id = ${applicationId}
      and outcome = 'declined'
    order by created_at desc limit 1`,
  );
  if (!row) return null;
  const terms = (await loadTerms(tx, [row.terms_version]))(row.terms_version);
  const { firstName = '', lastName = '' } =
    openPersonal(service.vault, tenant.id, tenant.personal) ?? {};
  return {
    decided_on: localDate(row.decided_at, tenant.timeZone),
    applicant: reportedText(`${firstName} ${lastName}`),
    amount_in_cents: row.amount_in_cents,
    creditor: `${service.creditor.name}, ${service.creditor.address}`,
    reason_codes: row.reasons,
    ...textIn(terms, defaultLocale, row.reasons),
    translations: translatedLocales.map((locale) => textIn(terms, locale, row.reasons)),
  };
}

function textIn({ documents }: Terms, locale: Locale, codes: readonly DeclineReason[]) {
  const { reasons, rights } = documents.decline_notice?.[locale] ?? wordsByLocale[locale].notice;
  return { locale, reasons: codes.map((code) => reasons[code]), rights };
}
