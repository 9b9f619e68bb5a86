import {
  type DeclineReason,
  declineReasons,
  type ExperienceState,
  type Locale,
  locales,
} from '@svc/contract';
import { instant, listOf, oneOf, row, sql } from '@svc/db';
import type { Ctx } from '../../context.ts';

interface NoticeWords {
  readonly reasons: Readonly<Record<DeclineReason, string>>;
  readonly rights: string;
}

// Regulation B, 12 CFR 1002.9(b)(1), in the words of its model notice.
const words: Readonly<Record<Locale, NoticeWords>> = {
  en: {
    reasons: {
      income_too_low: 'Income is too low for the amount',
      account_too_new: 'Length of residence is too short',
      past_plan_unpaid: 'An earlier plan was not paid in full',
      unable_to_verify: 'We were unable to verify the information given',
    },
    rights:
      'The federal Equal Credit Opportunity Act prohibits creditors from discriminating against credit applicants on the basis of race, color, religion, national origin, sex, marital status, or age (provided the applicant has the capacity to enter into a binding contract); because all or part of the applicant’s income derives from any public assistance program; or because the applicant has in good faith exercised any right under the Consumer Credit Protection Act. The federal agency that administers compliance with this law concerning this creditor is the Federal Trade Commission, Equal Credit Opportunity, Washington, DC 20580.',
  },
  es: {
    reasons: {
      income_too_low: 'Los ingresos son bajos para esta cantidad',
      account_too_new: 'Llevas poco tiempo viviendo ahí',
      past_plan_unpaid: 'Un plan anterior no se pagó completo',
      unable_to_verify: 'No pudimos comprobar la información que diste',
    },
    rights:
      'La ley federal de Igualdad de Oportunidades de Crédito (Equal Credit Opportunity Act) prohíbe a los acreedores discriminar a quien solicita crédito por raza, color, religión, origen nacional, sexo, estado civil o edad (si la persona tiene capacidad para firmar un contrato); porque todo o parte de su ingreso viene de un programa de asistencia pública; o porque ejerció de buena fe un derecho de la ley de Protección del Crédito al Consumidor (Consumer Credit Protection Act). La agencia federal que vigila que este acreedor cumpla esta ley es: Federal Trade Commission, Equal Credit Opportunity, Washington, DC 20580.',
  },
};

const declinedRow = row('declined decision', {
  reasons: listOf(oneOf(...declineReasons)),
  decided_at: instant,
});

/** The adverse-action notice: for the tenant alone, never for the partner. */
export async function readNotice(
  { tx, service }: Pick<Ctx, 'tx' | 'service'>,
  application: { readonly id: string },
): Promise<ExperienceState['notice']> {
  const row = await tx.maybe(
    declinedRow,
    sql`
    select reasons, decided_at from decision
    where application_id = ${application.id} and outcome = 'declined'
    order by created_at desc limit 1`,
  );
  return row
    ? {
        decided_on: row.decided_at.toISOString().slice(0, 10),
        creditor: `${service.creditor.name}, ${service.creditor.address}`,
        reason_codes: row.reasons,
        ...textIn('en', row.reasons),
        translations: locales.slice(1).map((locale) => textIn(locale, row.reasons)),
      }
    : null;
}

function textIn(locale: Locale, codes: readonly DeclineReason[]) {
  const { reasons, rights } = words[locale];
  return { locale, reasons: codes.map((code) => reasons[code]), rights };
}
