import type { InstallmentState, Locale, NoticePart } from '@svc/contract';
import type { Creditor } from '../../creditor.ts';
import { formatMoney, formatsOf } from '../../words/formats.ts';
import { reportedText } from '../../words/reported-text.ts';
import type { CardEnd, Day, MailFacts } from '../../words/words.ts';
import { wordsByLocale } from '../../words/words-by-locale.ts';
import { localDate } from '../tenants/calendar.ts';
import { writeDecline } from '../underwriting/notice.ts';
import type { MailBrand } from './brand.ts';
import type { Letter } from './claim.ts';
import { htmlPage, type MailContent, plainText } from './layout.ts';
import { segmentsOf } from './split-bar.ts';

export interface Mail {
  readonly id: string;
  /** The name of the sender, such as "Maple Bank for Elm Court Residents". */
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Wall time of the event, equal on every attempt. */
  readonly date: Date;
}

type Agreement = NonNullable<Letter['agreement']>;

interface Place {
  readonly origin: string;
  /** The secret of the link to the plan, or the code in a mail that has one. */
  readonly secret: string;
  readonly creditor: Creditor;
  readonly brand: MailBrand;
}

/** Writes the mail in the tenant's language. Pure, so that each attempt sends the same text. */
export function composeMail(letter: Letter, { origin, secret, creditor, brand }: Place): Mail {
  const url = `${origin}/experience/${letter.pms}#link=${secret}`;
  const code = letter.type === 'experience.code' ? secret : null;
  const content = contentOf(letter, { creditor, brand, url, code });
  return {
    id: letter.id,
    from: wordsByLocale[letter.locale].mail.sender(shortName(creditor.name), shortName(brand.name)),
    to: letter.email,
    subject: content.subject,
    text: plainText(content),
    html: htmlPage(content, { ...brand, name: shortName(brand.name) }, creditor.name),
    date: letter.createdAt,
  };
}

/** Writes the mail as a letter to print: with the tenant's name and home, and without its link. */
export function composePaper(
  letter: Letter,
  { creditor, brand, home }: Pick<Place, 'creditor' | 'brand'> & { readonly home: string | null },
): string {
  const content = contentOf(letter, { creditor, brand, url: '', code: null });
  const { subject, locale } = content;
  const address = [
    shortName(`${letter.firstName} ${letter.lastName}`),
    ...(home === null ? [] : [home]),
  ];
  const date = formatsOf(locale).fullDate(localDate(letter.createdAt, letter.timeZone));
  const document = letter.agreement && completeAgreement(locale, letter.agreement);
  const text = plainText({ ...content, document, button: null });
  return [
    [creditor.name, creditor.address].join('\n'),
    address.join('\n'),
    date,
    subject,
    text,
  ].join('\n\n');
}

function contentOf(
  letter: Letter,
  {
    creditor,
    brand,
    url,
    code,
  }: Pick<Place, 'creditor' | 'brand'> & { readonly url: string; readonly code: string | null },
): MailContent {
  const { locale } = letter;
  const words = wordsByLocale[locale].mail;
  const { button, ...phrases } = words.types[letter.type]({ ...factsOf(letter, creditor), code });
  return {
    ...phrases,
    locale,
    bar: barOf(letter),
    greeting: words.greeting(shortName(letter.firstName)),
    button: button === null ? null : { url, text: button },
    link: words.link(letter.productVariant),
    document: agreementOf(letter),
    foot: words.foot(creditor, shortName(brand.name)),
  };
}

/** Returns the plan's bar as it was when the mail's event happened; null in a mail about no plan. */
function barOf({ type, data, locale }: Letter): MailContent['bar'] {
  const { parts } = data;
  if (parts === undefined) return null;
  const count = (...states: readonly InstallmentState[]) =>
    parts.filter(({ state }) => states.includes(state)).length;
  const credited = count('canceled');
  return {
    segments: segmentsOf(parts, type === 'installment.rescheduled' ? (data.number ?? null) : null),
    text: wordsByLocale[locale].progress({
      made: count('paid'),
      all: parts.length - credited,
      processing: count('processing'),
      failed: count('failed'),
      late: count('overdue'),
      credited,
    }),
  };
}

function factsOf(letter: Letter, creditor: Creditor): Omit<MailFacts, 'code'> {
  const { locale, data, timeZone, method } = letter;
  const decline = letter.decline && {
    ...letter.decline,
    text: writeDecline({ ...letter.decline, creditor }, locale),
  };
  const day = dayIn(locale);
  const nextAttemptAt = data.next_attempt_at;
  const left = data.left_in_cents ?? 0;
  return {
    variant: letter.productVariant,
    creditor,
    planNumber: data.plan_id ?? '',
    amount: formatMoney(data.amount_in_cents ?? 0),
    day: day(data.due_date),
    from: day(data.from),
    method: method && { brand: method.brand },
    cardEnd: cardEnd(letter),
    again: nextAttemptAt ? day(localDate(new Date(nextAttemptAt), timeZone)) : null,
    returnCode: data.return_code ?? null,
    reversed: data.taken_back ?? false,
    autopay: data.autopay ?? true,
    left: left > 0 ? formatMoney(left) : null,
    isPaidOff: data.left_in_cents === 0,
    next: data.next
      ? { amount: formatMoney(data.next.amount_in_cents), day: day(data.next.due_date) }
      : null,
    rest: data.rest
      ? { amount: formatMoney(data.rest.amount_in_cents), automatic: data.rest.automatic }
      : null,
    credited: amountOrNull(data.credited_in_cents),
    refunded: amountOrNull(data.refunded_in_cents),
    isFeeWaiver: data.is_fee_waiver ?? false,
    byOperator: data.by_operator ?? false,
    reapply: day(data.reapply_after),
    decline: decline && {
      decidedOn: day(localDate(new Date(decline.decidedAtMs), timeZone)).full,
      applicant: reportedText(`${letter.firstName} ${letter.lastName}`),
      amount: decline.amountInCents === null ? null : formatMoney(decline.amountInCents),
      reasons: decline.text.reasons,
      rows: decline.text.parts.flatMap(rowsOfPart),
      paragraphs: decline.text.parts.flatMap((it) => it.paragraphs),
      rights: decline.text.rights,
    },
    reason:
      data.reason === 'charges_changed' || data.reason === 'canceled_by_operator'
        ? data.reason
        : 'first_payment_failed',
    pastDueDays: letter.terms.pastDueDays,
    chargeOffDays: letter.terms.chargeOffDays,
  };
}

function rowsOfPart({ heading, facts, items }: NoticePart): [term: string, value: string][] {
  const list: [string, string][] = items.length > 0 ? [[heading, `${items.join('. ')}.`]] : [];
  return [...facts.map((it): [string, string] => [it.term, it.value]), ...list];
}

/**
 * Returns the agreement without the last digits of the account or card: the page behind the mail's link asks
 * for them before it lets anyone pay or change the plan.
 */
function agreementOf({ locale, agreement }: Letter): MailContent['document'] {
  if (agreement === null) return null;
  const { endingIn } = wordsByLocale[agreement.locale];
  const digits = new RegExp(endingIn(String.raw`\d{4}`), 'g');
  const { text, notes, ...complete } = completeAgreement(locale, agreement);
  return {
    ...complete,
    text: text.replaceAll(digits, endingIn('••••')),
    notes: [wordsByLocale[locale].mail.hiddenDigits, ...notes],
  };
}

/** Returns the whole agreement, for paper: it may be the only copy that the tenant gets. */
function completeAgreement(locale: Locale, { text, ...agreement }: Agreement) {
  const notes = [wordsByLocale[locale].mail.version(agreement.sha256)];
  return { locale: agreement.locale, text, notes };
}

/** Returns when the card expires; null unless that is before the plan's last payment. */
function cardEnd({ method, locale }: Letter): CardEnd | null {
  const { expires, lastDueDate } = method ?? {};
  if (!expires || !lastDueDate || expires >= lastDueDate.slice(0, 7)) return null;
  const [year = '', month = ''] = expires.split('-');
  return { month: `${month}/${year.slice(2)}`, lastDay: dayIn(locale)(lastDueDate) };
}

function dayIn(locale: Locale): (date: string | null | undefined) => Day {
  const { weekday, fullDate } = formatsOf(locale);
  return (date) => (date ? { said: weekday(date), full: fullDate(date) } : { said: '', full: '' });
}

function amountOrNull(cents: number | undefined): string | null {
  return cents === undefined || cents === 0 ? null : formatMoney(cents);
}

/** Returns a name as one line of at most 60 characters. */
function shortName(text: string): string {
  return reportedText(text.slice(0, 60));
}
