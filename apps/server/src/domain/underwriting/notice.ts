import {
  defaultLocale,
  type ExperienceState,
  type Locale,
  type NoticePart,
  translatedLocales,
} from '@svc/contract';
import { bigint, bytes, instant, listOf, nullable, row, sql, text } from '@svc/db';
import type { Ctx } from '../../context.ts';
import type { Creditor } from '../../creditor.ts';
import { formatsOf } from '../../words/formats.ts';
import { reportedText } from '../../words/reported-text.ts';
import type { UsedReport } from '../../words/words.ts';
import { wordsByLocale } from '../../words/words-by-locale.ts';
import { loadTerms } from '../partners/program-terms.ts';
import { defaultTermsVersion, type Terms } from '../partners/terms.ts';
import { localDate } from '../tenants/calendar.ts';
import { openPersonal } from '../tenants/personal-data.ts';
import type { Tenant } from '../tenants/tenant.ts';
import { type DeclineDetails, openDetails, textOf } from './decline-details.ts';

const declinedRow = row('declined decision', {
  id: text,
  reasons: listOf(text),
  details_sealed: nullable(bytes),
  decided_at: instant,
  terms_version: text,
  amount_in_cents: nullable(bigint),
});

/** The notice, without how it is sent. */
export type Notice = Omit<NonNullable<ExperienceState['notice']>, 'on_paper'>;

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
): Promise<Notice | null> {
  const row = await tx.maybe(
    declinedRow,
    sql`
    select id, reasons, details_sealed, decided_at,
      coalesce(facts ->> 'terms_version', ${defaultTermsVersion}) as terms_version,
      (facts ->> 'amount_in_cents')::bigint as amount_in_cents
    from decision
    where partner_id = ${partnerId} and application_id = ${applicationId}
      and outcome = 'declined'
    order by created_at desc limit 1`,
  );
  if (!row) return null;
  const terms = (await loadTerms(tx, [row.terms_version]))(row.terms_version);
  const { creditor, vault } = service;
  const decline = {
    codes: row.reasons,
    details: openDetails(vault, row.id, row.details_sealed),
    creditor,
    terms,
  };
  const { firstName = '', lastName = '' } = openPersonal(vault, tenant.id, tenant.personal) ?? {};
  return {
    decided_on: localDate(row.decided_at, tenant.timeZone),
    applicant: reportedText(`${firstName} ${lastName}`),
    amount_in_cents: row.amount_in_cents,
    creditor: `${creditor.name}, ${creditor.address}`,
    reason_codes: row.reasons,
    ...writeDecline(decline, defaultLocale),
    translations: translatedLocales.map((locale) => writeDecline(decline, locale)),
  };
}

interface Decline {
  readonly codes: readonly string[];
  readonly details: DeclineDetails | undefined;
  readonly creditor: Creditor;
  /** The terms that the decision was made under. */
  readonly terms: Pick<Terms, 'documents'>;
}

interface DeclineText {
  readonly locale: Locale;
  readonly reasons: string[];
  readonly parts: NoticePart[];
  readonly rights: string;
  readonly english: string[];
}

/** Writes what the page, the mail and the document of a decline have in common. */
export function writeDecline(
  { codes, details, creditor, terms }: Decline,
  locale: Locale,
): DeclineText {
  const { notice } = wordsByLocale[locale];
  const { reasons, rights } = terms.documents.decline_notice?.[locale] ?? notice;
  const known: Readonly<Record<string, string>> = reasons;
  const own = new Map(details?.reasons.map((it) => [it.code, it.text]));
  const english = onlyInEnglish(details, locale);
  // The age of the account comes from the lease's start, which the portal reports.
  const usesOthers = details?.information_from_others || codes.includes('account_too_new');
  return {
    locale,
    reasons: codes.map((code) => {
      const text = own.get(code);
      return text ? sentencePart(textOf(text, locale)) : (known[code] ?? code);
    }),
    parts: [
      ...(details?.consumer_reports ?? []).flatMap((it) => notice.report(usedReport(it, locale))),
      ...(usesOthers ? [notice.fromOthers(creditor)] : []),
      ...(english.length > 0 && notice.inEnglish ? [notice.inEnglish] : []),
    ],
    rights,
    english,
  };
}

/** The reasons and key factors that the decision service gave in English, but not in this other language. */
function onlyInEnglish(details: DeclineDetails | undefined, locale: Locale): string[] {
  const texts = [
    ...(details?.reasons ?? []).map(({ text }) => text),
    ...(details?.consumer_reports ?? []).flatMap(({ score }) => score?.key_factors ?? []),
  ];
  return texts.filter((it) => it[locale] === undefined).map((it) => sentencePart(it.en));
}

function usedReport(
  { agency, score }: NonNullable<DeclineDetails['consumer_reports']>[number],
  locale: Locale,
): UsedReport {
  return {
    agency: {
      name: reportedText(agency.name),
      address: reportedText(agency.address),
      phone: reportedText(agency.phone),
    },
    score: score
      ? {
          ...score,
          date: formatsOf(locale).fullDate(score.date),
          inquiries: score.inquiries === true,
          keyFactors: score.key_factors.map((it) => sentencePart(textOf(it, locale))),
        }
      : null,
  };
}

/** Text for a place where a full stop may follow. */
function sentencePart(text: string): string {
  return reportedText(text.trim().replace(/\.$/, ''));
}
