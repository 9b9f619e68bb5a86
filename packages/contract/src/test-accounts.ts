import type { ChargebackCode, DeclineCode, ReturnCode } from './payment-failures.ts';

/**
 * All that the sandbox takes payments from, and what comes of it. Dependency-free, for the
 * experience's bundle.
 */
export const testRoutingNumber = '110000000';

interface TestBankAccount {
  readonly account_number: string;
  /** `waits`: the bank says how a first payment went at 9:00 of the next banking day. */
  readonly outcome: 'succeeds' | 'fails' | 'waits' | 'deposits_short' | 'taken_back';
  readonly return_code?: ReturnCode;
  /** Of a plan's first payment. */
  readonly taken_back_after_days?: number;
}

/** Accounts of the one test bank; any other account of it succeeds. */
export const testBankAccounts: readonly TestBankAccount[] = [
  { account_number: '000111110000', outcome: 'succeeds' },
  { account_number: '000111110001', outcome: 'fails', return_code: 'R01' },
  { account_number: '000111110002', outcome: 'fails', return_code: 'R02' },
  { account_number: '000111110003', outcome: 'waits' },
  { account_number: '000111110004', outcome: 'deposits_short' },
  {
    account_number: '000111110005',
    outcome: 'taken_back',
    return_code: 'R10',
    taken_back_after_days: 45,
  },
];

interface TestCard {
  readonly number: string;
  /** `fails_later`: a plan's first payment goes through. `credit`: the card is not taken at all. */
  readonly outcome: 'succeeds' | 'fails' | 'fails_later' | 'taken_back' | 'credit';
  readonly decline_code?: DeclineCode | ChargebackCode;
  /** Of a plan's first payment. */
  readonly taken_back_after_days?: number;
  /** We win the dispute, and the bank gives the money back once more. */
  readonly won_after_days?: number;
}

/** Cards, with any month to come and any three digits; no other card is taken, least a real one. */
export const testCards: readonly TestCard[] = [
  { number: '4242424242424242', outcome: 'succeeds' },
  { number: '5105105105105100', outcome: 'succeeds' },
  { number: '4000000000009995', outcome: 'fails', decline_code: 'insufficient_funds' },
  { number: '4000000000000002', outcome: 'fails', decline_code: 'card_declined' },
  { number: '4000000000000069', outcome: 'fails', decline_code: 'expired_card' },
  { number: '4000000000000341', outcome: 'fails_later', decline_code: 'card_declined' },
  {
    number: '4000000000000259',
    outcome: 'taken_back',
    decline_code: 'charged_back',
    taken_back_after_days: 10,
  },
  {
    number: '4000000000002685',
    outcome: 'taken_back',
    decline_code: 'charged_back',
    taken_back_after_days: 10,
    won_after_days: 40,
  },
  { number: '4012888888881881', outcome: 'credit' },
];
