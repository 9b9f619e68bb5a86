import {
  brandOf,
  type FieldError,
  testBankAccounts,
  testCards,
  testRoutingNumber,
} from '@svc/contract';
import { Refusal } from '../refusal.ts';
import type {
  BankAccount,
  Card,
  InstantProcessor,
  Instrument,
  Registered,
  UpcomingEvent,
} from './processor.ts';

/**
 * Simulates the bank and the card network. The outcome depends only on the contract's list of test
 * accounts and is known at once, so a charge is decided without leaving the transaction.
 */
export const sandboxProcessor: InstantProcessor = {
  register: (typed, today) =>
    typed.type === 'card' ? registerCard(typed, today) : registerBankAccount(typed),

  charge(instrument, { isFirst, on }) {
    const returnCode = failureOf(instrument, isFirst, on);
    return returnCode === null ? { outcome: 'succeeded' } : { outcome: 'failed', returnCode };
  },

  isSlowAtFirst: (instrument) => bankAccountOf(instrument)?.outcome === 'waits',

  upcomingEvents(instrument) {
    const account = bankAccountOf(instrument);
    if (account) return eventsAfter(account.return_code, account.taken_back_after_days);
    const card = cardOf(instrument);
    return eventsAfter(card?.decline_code, card?.taken_back_after_days, card?.won_after_days);
  },

  deposit(instrument, amountInCents) {
    const isShort = amountInCents > 0 && bankAccountOf(instrument)?.outcome === 'deposits_short';
    return isShort ? amountInCents - 1_00 : amountInCents;
  },
};

function registerBankAccount(typed: BankAccount): Registered {
  if (typed.routing_number !== testRoutingNumber) {
    const message = `must be ${testRoutingNumber}: the sandbox takes its test bank only, never a real account`;
    throw refusal([{ param: 'routing_number', code: 'invalid_value', message }]);
  }
  const last4 = typed.account_number.slice(-4);
  return { type: 'bank_account', brand: null, last4, expires: null, instrument: typed };
}

/** Drops the card number: the token names the test card by its last four digits. */
function registerCard({ number, expires }: Card, today: string): Registered {
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

function failureOf(instrument: Instrument, isFirst: boolean, on: string): string | null {
  if (instrument.type === 'bank_account') {
    const account = bankAccountOf(instrument);
    return account?.outcome === 'fails' ? (account.return_code ?? null) : null;
  }
  if (instrument.type === 'card' && instrument.expires < on.slice(0, 7)) return 'expired_card';
  const card = cardOf(instrument);
  const fails = card?.outcome === 'fails' || (card?.outcome === 'fails_later' && !isFirst);
  return fails ? (card.decline_code ?? null) : null;
}

function eventsAfter(code?: string, returnedAfter?: number, wonAfter?: number): UpcomingEvent[] {
  if (code === undefined || returnedAfter === undefined) return [];
  const won = { kind: 'won', returnCode: null } as const;
  return [
    { kind: 'taken_back', returnCode: code, afterDays: returnedAfter },
    ...(wonAfter === undefined ? [] : [{ ...won, afterDays: wonAfter }]),
  ];
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
