import { cardBrands, type Locale, localeInfo } from '@svc/contract';
import type { Creditor } from '../../creditor.ts';
import type { CardEnd, MailFacts } from '../../words/words.ts';
import { wordsByLocale } from '../../words/words-by-locale.ts';
import { escapeHtml } from '../escape-html.ts';
import { localDate } from '../tenants/calendar.ts';
import type { Letter } from './claim.ts';

export interface Mail {
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Wall time of the event, equal on every attempt. */
  readonly date: Date;
}

/** Writes the mail in the tenant's language. Pure, so that each attempt sends the same text. */
export function composeMail(
  letter: Letter,
  { origin, secret, creditor }: { origin: string; secret: string; creditor: Creditor },
): Mail {
  const { locale, data, type, productVariant: variant, timeZone, method } = letter;
  const words = wordsByLocale[locale].mail;
  const next = data.next_attempt_at;
  const facts: MailFacts = {
    amount: amount(data.amount_in_cents),
    day: day(data.due_date, locale),
    variant,
    method: method && { brand: method.brand && cardBrands[method.brand] },
    cardEnd: cardEnd(letter),
    reversed: data.taken_back ?? false,
    again: next ? day(localDate(new Date(next), timeZone), locale) : null,
    creditor,
  };
  const { subject, lines } = words.types[type](facts);
  const url = `${origin}/experience/${letter.pms}#link=${secret}`;
  const greeting = words.greeting(oneLine(letter.firstName));
  const foot = words.foot(facts);
  return {
    id: letter.id,
    to: letter.email,
    subject,
    text: [greeting, ...lines, `${words.open}:\n${url}`, words.link, foot, ''].join('\n\n'),
    html: page({
      locale,
      title: subject,
      paragraphs: [greeting, ...lines],
      button: { url, text: words.open },
      small: [words.link, foot],
    }),
    date: letter.createdAt,
  };
}

interface Page {
  readonly locale: Locale;
  readonly title: string;
  readonly paragraphs: readonly string[];
  readonly button: { readonly url: string; readonly text: string };
  readonly small: readonly string[];
}

// Mail programs support neither style sheets nor variables.
function page({ locale, title, paragraphs, button, small }: Page): string {
  const text = paragraphs.map((it) => `<p>${escapeHtml(it)}</p>`).join('\n');
  const notes = small
    .map((it) => `<p style="color:#5f6368;font-size:13px">${escapeHtml(it)}</p>`)
    .join('\n');
  return `<!doctype html>
<html lang="${locale}" dir="${localeInfo[locale].direction}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title></head>
<body style="font:16px/1.5 system-ui,sans-serif;max-width:34em;margin:0 auto;padding:24px">
${text}
<p><a href="${escapeHtml(button.url)}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#1d5fd0;color:#fff;text-decoration:none">${escapeHtml(button.text)}</a></p>
${notes}
</body>
</html>
`;
}

/** When the card expires, if that is before the plan's last payment. */
function cardEnd({ method, locale }: Letter): CardEnd | null {
  const { expires, lastDueDate } = method ?? {};
  if (!expires || !lastDueDate || expires >= lastDueDate.slice(0, 7)) return null;
  const [year = '', month = ''] = expires.split('-');
  return { month: `${month}/${year.slice(2)}`, lastDay: day(lastDueDate, locale) };
}

/** Removes line breaks and hidden characters from a name, and cuts it to 60 characters. */
function oneLine(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
    .slice(0, 60);
}

function amount(cents: number): string {
  return (cents / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' });
}

function day(date: string, locale: Locale): string {
  const format = { day: 'numeric', month: 'long', timeZone: 'UTC' } as const;
  return new Intl.DateTimeFormat(localeInfo[locale].tag, format).format(
    new Date(`${date}T12:00:00Z`),
  );
}
