import type { Locale, NoticePart } from '@svc/contract';
import { formatMoney, formatsOf } from '../../words/formats.ts';
import { wordsByLocale } from '../../words/words-by-locale.ts';
import type { Notice } from '../underwriting/notice.ts';
import type { ContentBlock, FoundDocument } from './document-content.ts';
import { dayOf } from './plan-facts.ts';

/** Returns the notice of a decline (12 CFR 1002.9), which cannot change once the decision is made. */
export function noticeDocument(notice: Notice, locale: Locale): FoundDocument {
  const { notice: words } = wordsByLocale[locale].documents;
  const { applicant, amount_in_cents: amount } = notice;
  const { reasons, parts, rights } =
    notice.translations.find((it) => it.locale === locale) ?? notice;
  const day = formatsOf(locale).fullDate(notice.decided_on);
  return {
    revision: '',
    locale,
    compose: () => ({
      title: words.title,
      locale,
      createdAt: dayOf(notice.decided_on),
      blocks: [
        {
          kind: 'terms',
          terms: [
            { term: words.action, value: words.actionTaken },
            ...(applicant === '' ? [] : [{ term: words.applicant, value: applicant }]),
            ...(amount === null ? [] : [{ term: words.amount, value: formatMoney(amount) }]),
          ],
        },
        { kind: 'paragraph', text: words.decided(day, notice.creditor) },
        { kind: 'heading', text: words.reasons },
        { kind: 'bullets', items: reasons },
        ...parts.flatMap(blocksOf),
        { kind: 'heading', text: words.rights },
        { kind: 'paragraph', text: rights },
      ],
    }),
  };
}

function blocksOf({ heading, paragraphs, facts, items }: NoticePart): ContentBlock[] {
  return [
    { kind: 'heading', text: heading },
    ...paragraphs.map((text): ContentBlock => ({ kind: 'paragraph', text })),
    ...(facts.length === 0 ? [] : [{ kind: 'terms', terms: facts } satisfies ContentBlock]),
    ...(items.length === 0 ? [] : [{ kind: 'bullets', items } satisfies ContentBlock]),
  ];
}
