import {
  type DeclineReason,
  declineReasons,
  defaultLocale,
  type ExperienceState,
  type Locale,
  translatedLocales,
} from '@svc/contract';
import { instant, listOf, oneOf, row, sql } from '@svc/db';
import type { Ctx } from '../../context.ts';
import { wordsByLocale } from '../../words/words-by-locale.ts';
import { localDate } from '../tenants/calendar.ts';

const declinedRow = row('declined decision', {
  reasons: listOf(oneOf(...declineReasons)),
  decided_at: instant,
});

/** Reads the adverse-action notice, which only the tenant may see. */
export async function readNotice(
  { tx, service }: Pick<Ctx, 'tx' | 'service'>,
  {
    partnerId,
    applicationId,
    timeZone,
  }: {
    readonly partnerId: string;
    readonly applicationId: string;
    readonly timeZone: string;
  },
): Promise<ExperienceState['notice']> {
  const row = await tx.maybe(
    declinedRow,
    sql`
    select reasons, decided_at from decision
    where partner_id = ${partnerId} and application_id = ${applicationId}
      and outcome = 'declined'
    order by created_at desc limit 1`,
  );
  return row
    ? {
        decided_on: localDate(row.decided_at, timeZone),
        creditor: `${service.creditor.name}, ${service.creditor.address}`,
        reason_codes: row.reasons,
        ...textIn(defaultLocale, row.reasons),
        translations: translatedLocales.map((locale) => textIn(locale, row.reasons)),
      }
    : null;
}

function textIn(locale: Locale, codes: readonly DeclineReason[]) {
  const { reasons, rights } = wordsByLocale[locale].notice;
  return { locale, reasons: codes.map((code) => reasons[code]), rights };
}
