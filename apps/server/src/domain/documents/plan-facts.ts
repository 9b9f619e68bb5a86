import type { Locale, OwnPlanOutput, PlanManagement } from '@svc/contract';
import { formatsOf } from '../../words/formats.ts';
import { wordsByLocale } from '../../words/words-by-locale.ts';
import type { ContentBlock } from './document-content.ts';

/** Returns the day at the home on which the agreement was accepted. In the evening, the day in UTC is a day later. */
export function signedOn({ history, agreement }: PlanManagement): string {
  const entry = history.find(({ kind }) => kind === 'accepted');
  return entry?.on ?? agreement.accepted_at.slice(0, 10);
}

/** Returns noon in UTC of a day, for the date in a file's metadata. */
export function dayOf(day: string): Date {
  return new Date(`${day}T12:00:00Z`);
}

/** Names the bill that a plan pays, such as "March 2026 rent". */
export function productOf({ plan, management }: OwnPlanOutput, locale: Locale): string {
  const { documents } = wordsByLocale[locale];
  const month = formatsOf(locale).month(plan.rent_cycle_date);
  return documents.product(month, plan.product_variant, management.shares_lease);
}

/** Makes a table of names and values, without the rows that are null. */
export function termsBlock(
  rows: readonly (readonly [term: string, value: string] | null)[],
): ContentBlock {
  return {
    kind: 'terms',
    terms: rows.flatMap((it) => (it === null ? [] : { term: it[0], value: it[1] })),
  };
}
