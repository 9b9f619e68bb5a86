import type { OwnPlanOutput, QuoteOutput } from '@svc/contract';
import { documentBlocks } from '@svc/contract/document-blocks';
import { formatsOf } from '../../words/formats.ts';
import { wordsByLocale } from '../../words/words-by-locale.ts';
import type { FoundDocument } from './document-content.ts';
import { dayOf, signedOn } from './plan-facts.ts';

/** Returns a plan's agreement in full, in the language in which it was accepted. */
export function agreementDocument({ management }: OwnPlanOutput): FoundDocument {
  const { text, sha256, locale } = management.agreement;
  const words = wordsByLocale[locale].documents;
  const day = signedOn(management);
  return {
    // Neither the text nor the day of an agreement can change.
    revision: '',
    locale,
    compose: () => ({
      title: words.agreement.title,
      locale,
      createdAt: dayOf(day),
      blocks: [
        { kind: 'lead', text: words.agreement.accepted(formatsOf(locale).fullDate(day)) },
        ...documentBlocks(text),
        { kind: 'note', text: words.agreement.version(sha256) },
      ],
    }),
  };
}

type OfferedText = NonNullable<QuoteOutput['disclosure']>['translations'][number];

/** Returns a quote's agreement, to read before it is accepted. It is not stored: the plan's agreement will be. */
export function offeredAgreement(
  { text, sha256, locale }: OfferedText,
  today: string,
): FoundDocument {
  const { agreement } = wordsByLocale[locale].documents;
  return {
    revision: null,
    locale,
    compose: () => ({
      title: agreement.title,
      locale,
      createdAt: dayOf(today),
      blocks: [
        { kind: 'lead', text: agreement.offered },
        ...documentBlocks(text),
        { kind: 'note', text: agreement.version(sha256) },
      ],
    }),
  };
}
