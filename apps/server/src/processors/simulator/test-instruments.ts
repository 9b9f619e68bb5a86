import {
  brandOf,
  type FieldError,
  testBankAccounts,
  testCards,
  testRoutingNumber,
} from '@svc/contract';
import type { BankAccount, Card, Instrument, Registered } from '../../domain/payments/processor.ts';
import { Refusal } from '../../domain/refusal.ts';

/** An event after a payment succeeded: the bank returns it, or we win the dispute about it. */
interface UpcomingEvent {
  readonly kind: 'returned' | 'dispute_won';
  /** Why the bank returned the payment; null if we won the dispute. */
  readonly returnCode: string | null;
  readonly afterDays: number;
  /** The most that the dispute moves; null for the whole payment, reported without a dispute. */
  readonly amountInCents: number | null;
}

export function registerBankAccount(typed: BankAccount): Registered {
  if (typed.routing_number !== testRoutingNumber) {
    const message = `must be ${testRoutingNumber}: the sandbox takes its test bank only, never a real account`;
    throw refusal([{ param: 'routing_number', code: 'invalid_value', message }]);
  }
  const last4 = typed.account_number.slice(-4);
  return { type: 'bank_account', brand: null, last4, expires: null, instrument: typed };
}

/** Drops the card number: the token names the test card by its last four digits. */
export function registerCard({ number, expires }: Card, today: string): Registered {
  const card = testCards.find((it) => it.number === number);
  const errors: FieldError[] = [];
  if (!card) {
    const message = 'must be one of the sandbox’s test cards, never a real card';
    errors.push({ param: 'number', code: 'invalid_value', message });
  } else if (card.outcome === 'credit') {
    const message = 'must be a debit card: credit cards are not accepted';
    errors.push({ param: 'number', code: 'not_accepted', message });
  }
  if (expires < today.slice(0, 7)) {
    const message = 'must be this month or later: the card has expired';
    errors.push({ param: 'expires', code: 'too_small', message });
  }
  if (errors.length > 0) throw refusal(errors);
  const last4 = number.slice(-4);
  const instrument = { type: 'card', token: `tok_${last4}`, expires } as const;
  return { type: 'card', brand: brandOf(number), last4, expires, instrument };
}

/** Returns the code with which a charge fails on this day (`YYYY-MM-DD`); null if it does not. */
export function failureOf(instrument: Instrument, isFirst: boolean, on: string): string | null {
  if (instrument.type === 'card' && instrument.expires < on.slice(0, 7)) return 'expired_card';
  const account = bankAccountOf(instrument);
  if (account) return account.outcome === 'fails' ? (account.return_code ?? null) : null;
  const card = cardOf(instrument);
  const fails = card?.outcome === 'fails' || (card?.outcome === 'fails_later' && !isFirst);
  return fails ? (card.decline_code ?? null) : null;
}

/** Returns whether the bank answers for a first payment only on the next banking day. */
export function isSlow(instrument: Instrument): boolean {
  return bankAccountOf(instrument)?.outcome === 'waits';
}

/** The demo data pay from it to have payments with an unknown outcome. It is not offered to developers. */
export const silentAccount = '000111119999';

/** Returns whether the processor never reports the outcome of a payment. */
export function isSilent(instrument: Instrument): boolean {
  return instrument.type === 'bank_account' && instrument.account_number === silentAccount;
}

/** Returns whether the processor deposits a dollar less than it charged. */
export function isDepositedShort(instrument: Instrument): boolean {
  return bankAccountOf(instrument)?.outcome === 'deposits_short';
}

/** The events after a plan's first payment succeeded. */
export function upcomingEvents(
  instrument: Instrument,
  paymentInCents: number,
): readonly UpcomingEvent[] {
  const account = bankAccountOf(instrument);
  if (account) return eventsAfter(account.return_code, account.taken_back_after_days);
  const card = cardOf(instrument);
  const { won_after_days: wonAfter, won_in_cents: wonInCents = null } = card ?? {};
  const returned = eventsAfter(card?.decline_code, card?.taken_back_after_days);
  if (wonAfter === undefined) return returned;
  const won = { kind: 'dispute_won', returnCode: null, afterDays: wonAfter } as const;
  const isPart = wonInCents !== null;
  return [
    ...returned.map((it) => ({ ...it, amountInCents: isPart ? paymentInCents : null })),
    { ...won, amountInCents: isPart ? Math.min(wonInCents, paymentInCents) : null },
  ];
}

function eventsAfter(code?: string, afterDays?: number): UpcomingEvent[] {
  if (code === undefined || afterDays === undefined) return [];
  return [{ kind: 'returned', returnCode: code, afterDays, amountInCents: null }];
}

function bankAccountOf(instrument: Instrument) {
  return instrument.type === 'bank_account'
    ? testBankAccounts.find((it) => it.account_number === instrument.account_number)
    : undefined;
}

function cardOf(instrument: Instrument) {
  return instrument.type === 'card'
    ? testCards.find((it) => it.number.endsWith(instrument.token.slice(-4)))
    : undefined;
}

function refusal(errors: readonly FieldError[]): Refusal {
  return new Refusal('validation_failed', { errors });
}
