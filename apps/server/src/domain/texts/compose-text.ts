import type { Creditor } from '../../creditor.ts';
import { formatMoney, formatsOf } from '../../words/formats.ts';
import { reportedText } from '../../words/reported-text.ts';
import { wordsByLocale } from '../../words/words-by-locale.ts';
import type { DueText } from './claim-texts.ts';

/** Composes a reminder's text. Pure, so that each attempt sends the same text. */
export function composeReminder(
  { type, data, locale, autopay, property }: DueText,
  { creditor, showsDetails }: { readonly creditor: Creditor; readonly showsDetails: boolean },
): string {
  const facts = {
    day: data.due_date === undefined ? '' : formatsOf(locale).dayOfMonth(data.due_date),
    autopay,
    details:
      showsDetails && data.amount_in_cents !== undefined
        ? { amount: formatMoney(data.amount_in_cents), property: property && shortName(property) }
        : null,
  };
  return composeText(creditor, wordsByLocale[locale].texts.types[type](facts));
}

/** A reply or a code, with the lender's name in front: carriers require that a text says who sends it. */
export function composeText({ name }: Creditor, text: string): string {
  return toGsm7(`${shortName(name)}: ${text}`);
}

function shortName(name: string): string {
  return toGsm7(reportedText(name)).slice(0, 30).trim();
}

// The characters of GSM 03.38 that count as one of 160. With any other one, a segment has only 70 characters.
const gsm7 = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);

const replacements: Readonly<Record<string, string>> = {
  '‘': "'",
  '’': "'",
  '“': '"',
  '”': '"',
  '–': '-',
  '—': '-',
  '…': '...',
  '\u00a0': ' ',
};

/** Converts text to GSM-7: removes accents that it lacks, and leaves out characters that it cannot encode. */
function toGsm7(text: string): string {
  return Array.from(text.normalize('NFC'), (character) => {
    if (gsm7.has(character)) return character;
    const replaced =
      replacements[character] ?? character.normalize('NFD').replaceAll(/\p{Mn}/gu, '');
    return Array.from(replaced)
      .filter((it) => gsm7.has(it))
      .join('');
  }).join('');
}
