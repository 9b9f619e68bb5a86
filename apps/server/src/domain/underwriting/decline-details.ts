import { isoDate, type Locale, visibleText } from '@svc/contract';
import type { Vault } from '@svc/runtime';
import { z } from 'zod';

/** A text in English and, if the decision service has one, in Spanish. */
const inLanguages = z.object({ en: visibleText(200), es: visibleText(200).optional() });
type InLanguages = z.infer<typeof inLanguages>;

const digits = (text: string) => text.replaceAll(/\D/g, '').length;

const agency = z.object({
  name: visibleText(100),
  address: visibleText(200),
  /** Toll-free if the agency keeps files on consumers nationwide (15 USC 1681m(a)(3)(A)). */
  phone: visibleText(30).refine((it) => digits(it) === 10 || digits(it) === 11, {
    error: 'must have the 10 digits of a US telephone number',
  }),
});

const score = z
  .object({
    value: z.int().min(0).max(10_000),
    lowest: z.int().min(0),
    highest: z.int().max(10_000),
    /** When the score was made. */
    date: isoDate,
    key_factors: z.array(inLanguages).max(4),
    /** The number of inquiries is a key factor, too. It counts beyond the four (15 USC 1681g(f)(9)). */
    inquiries: z.boolean().optional(),
  })
  .refine((it) => it.lowest <= it.value && it.value <= it.highest, {
    error: 'must be from lowest to highest',
    path: ['value'],
  })
  .refine((it) => it.key_factors.length > 0 || it.inquiries === true, {
    error: 'must name what lowered the score',
    path: ['key_factors'],
  });

/** A reason in the decision service's words, with the service's own code. */
export const ownReason = z.object({ code: visibleText(50), text: inLanguages });

/** The sources of a decline, which its notice names (15 USC 1681m(a) and (b)). */
export const declineSources = {
  /** The agencies whose reports were used, with the score that was used. */
  consumer_reports: z
    .array(z.object({ agency, score: score.optional() }))
    .max(3)
    .optional(),
  /** Information from others than agencies was used, such as what the portal reports. */
  information_from_others: z.boolean().optional(),
};

/** The parts of a notice that we have no words for, and its sources. Stored sealed, as JSON. */
const declineDetails = z.object({ reasons: z.array(ownReason), ...declineSources });
export type DeclineDetails = z.infer<typeof declineDetails>;

/** Seals the details for a column of the decision or the review with this id. Null without details. */
export function sealDetails(
  vault: Vault,
  id: string,
  details: DeclineDetails | undefined,
): Buffer | null {
  if (details === undefined) return null;
  const { reasons, consumer_reports: reports = [], information_from_others: fromOthers } = details;
  const isEmpty = reasons.length === 0 && reports.length === 0 && !fromOthers;
  return isEmpty ? null : vault.seal(JSON.stringify(details), id);
}

/** Opens the details that `sealDetails` has sealed. */
export function openDetails(
  vault: Vault,
  id: string,
  sealed: Buffer | null,
): DeclineDetails | undefined {
  return sealed === null ? undefined : declineDetails.parse(JSON.parse(vault.open(sealed, id)));
}

/** The text in the language, or in English if the service has none in it. */
export function textOf(text: InLanguages, locale: Locale): string {
  return text[locale] ?? text.en;
}
