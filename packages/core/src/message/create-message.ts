import { createElement, createShadowHost } from '../dom.ts';
import { SvcError } from '../index.ts';
import type { Phrase, SvcLocale } from '../locales/locale.ts';
import { annualRate } from './annual-rate.ts';
import * as words from './words.ts';

export interface MessageSettings {
  /** The amount to split, in integer cents. Outside of `from` and `to` the message is hidden. */
  amount: number;
  /** The number of payments; 4 when omitted. */
  count?: 2 | 3 | 4 | undefined;
  /** Your program's fee in cents; 3000 when omitted. */
  fee?: number | undefined;
  /** Days between two payments of the example; 7 when omitted. */
  days?: number | undefined;
  /** The smallest amount that your program splits, in cents; ten times the fee, at least 5000, when omitted. */
  from?: number | undefined;
  /** The largest amount that your program splits, in cents; 500000 when omitted. */
  to?: number | undefined;
  /** `es` of `@svc/core/locales/es`, or one of your own; American English when omitted. */
  locale?: SvcLocale | undefined;
}

export interface Message {
  /** Complete at once, in the page's own font and color. Parts: `amount`, `terms`. */
  readonly element: HTMLElement;
  /** @throws SvcError `invalid_settings`, and then nothing has changed. */
  update(changes: Partial<MessageSettings>): void;
}

const defaults = { count: 4, fee: 3000, days: 7, to: 500_000 };
const style = `
  :host([hidden]) { display: none }
  strong, small { display: block }
`;

/**
 * Creates a message such as "4 payments of $380.03", with the terms that such an advertisement must state
 * (Regulation Z, 12 CFR 1026.24(d)). It is an example, not an offer, and sends no request.
 * @throws SvcError `invalid_settings` if a number is not an integer or is out of range.
 */
export function createMessage(settings: MessageSettings): Message {
  const amount = createElement('strong', { part: 'amount' });
  const terms = createElement('small', { part: 'terms' });
  const host = createShadowHost(createElement('div', {}, amount, terms), style);
  let current = settings;
  const render = (next: MessageSettings) => {
    const texts = messageOf(next);
    current = next;
    host.hidden = !texts;
    host.lang = next.locale?.language ?? 'en-US';
    amount.textContent = texts?.offer ?? '';
    terms.textContent = texts?.terms ?? '';
  };
  render(current);
  return { element: host, update: (changes) => render({ ...current, ...changes }) };
}

/** Returns the message's texts; undefined if the amount cannot be split. */
export function messageOf(settings: MessageSettings): { offer: string; terms: string } | undefined {
  const { amount, count, fee, days, from, to } = checkedSettings(settings);
  if (amount < from || amount > to) return undefined;
  const { locale } = settings;
  const rest = Math.floor(amount / count);
  const rate = annualRate(rest, count - 1, fee, days);
  if (!Number.isFinite(rate)) return undefined;
  const language = locale?.language ?? 'en-US';
  const money = (cents: number) =>
    (cents / 100).toLocaleString(language, { style: 'currency', currency: 'USD' });
  const values: Record<string, string> = {
    count: String(count),
    amount: money(rest),
    // Cents that do not divide evenly go to the first payment.
    first: money(amount - rest * (count - 1)),
    fee: money(fee),
    days: String(days),
    apr: rate.toLocaleString(language, { style: 'percent', minimumFractionDigits: 1 }),
  };
  const say = (phrase: Phrase) =>
    (locale?.[phrase] ?? phrase).replace(/\{(\w+)\}/g, (_, name) => values[name] ?? '');
  return { offer: say(words.offer), terms: say(fee ? words.terms : words.free) };
}

/** Fills in the defaults and checks every number. */
function checkedSettings(settings: MessageSettings) {
  const given = Object.fromEntries(Object.entries(settings).filter(([, value]) => value != null));
  const withFee = { ...defaults, ...(given as { amount: number }) };
  // The service's own rule: the fee is at most a tenth of the amount.
  const all = { from: Math.max(5000, withFee.fee * 10), ...withFee };
  const issues = (['amount', 'count', 'fee', 'days', 'from', 'to'] as const)
    .filter((name) => !isValidNumber(name, all[name]))
    .map((name) => {
      const [got, wants] = [String(all[name]), expectedNumbers[name]];
      return { name, got, wants, message: `${name}: ${got} is not ${wants}.` };
    });
  if (issues.length > 0) {
    const message = issues.map((issue) => issue.message).join('\n');
    throw new SvcError('invalid_settings', message, issues);
  }
  return all;
}

const expectedNumbers = {
  amount: 'an integer number of cents',
  count: '2, 3 or 4',
  fee: 'an integer number of cents, 0 or more',
  days: 'an integer from 1 to 31',
  from: 'an integer number of cents',
  to: 'an integer number of cents',
};

function isValidNumber(name: keyof typeof expectedNumbers, value: unknown): boolean {
  if (!Number.isSafeInteger(value)) return false;
  const number = value as number;
  if (name === 'count') return number >= 2 && number <= 4;
  if (name === 'days') return number >= 1 && number <= 31;
  return name !== 'fee' || number >= 0;
}
