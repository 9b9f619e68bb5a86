import type { DeclineCode, ReturnCode } from './payment-failures.ts';

/**
 * All that the sandbox takes payments from, and what comes of it. Dependency-free, for the
 * experience's bundle.
 */
export const testRoutingNumber = '110000000';

interface TestBankAccount {
  readonly account_number: string;
  readonly outcome: string;
  readonly return_code: ReturnCode | null;
  /** When the bank says how a first payment went: at once, or at 9:00 of the next banking day. */
  readonly first_payment?: 'next_banking_day';
  /** What the bank keeps of each payment that it deposits. */
  readonly withheld_in_cents?: number;
}

/** Accounts of the one test bank; any other account of it succeeds. */
export const testBankAccounts: readonly TestBankAccount[] = [
  { account_number: '000111110000', outcome: 'Every payment goes through', return_code: null },
  {
    account_number: '000111110001',
    outcome: 'The first payment fails: not enough money (R01)',
    return_code: 'R01',
  },
  {
    account_number: '000111110002',
    outcome: 'The first payment fails: account closed (R02)',
    return_code: 'R02',
  },
  {
    account_number: '000111110003',
    outcome: 'The first payment takes until the next banking day',
    return_code: null,
    first_payment: 'next_banking_day',
  },
  {
    account_number: '000111110004',
    outcome: 'Every payment goes through, but arrives $1.00 short',
    return_code: null,
    withheld_in_cents: 100,
  },
];

interface TestCard {
  readonly number: string;
  readonly outcome: string;
  readonly decline_code: DeclineCode | null;
  /** A plan's first payment goes through all the same. */
  readonly declines?: 'later';
  readonly funding?: 'credit';
}

/** Cards, with any month to come and any three digits; no other card is taken, least a real one. */
export const testCards: readonly TestCard[] = [
  { number: '4242424242424242', outcome: 'Every payment goes through', decline_code: null },
  {
    number: '5105105105105100',
    outcome: 'A prepaid card: every payment goes through',
    decline_code: null,
  },
  {
    number: '4000000000009995',
    outcome: 'The first payment fails: not enough money',
    decline_code: 'insufficient_funds',
  },
  {
    number: '4000000000000002',
    outcome: 'The first payment fails: card declined',
    decline_code: 'card_declined',
  },
  {
    number: '4000000000000069',
    outcome: 'The first payment fails: card expired',
    decline_code: 'expired_card',
  },
  {
    number: '4000000000000341',
    outcome: 'The first payment goes through, later ones are declined',
    decline_code: 'card_declined',
    declines: 'later',
  },
  {
    number: '4012888888881881',
    outcome: 'A credit card: it is not taken',
    decline_code: null,
    funding: 'credit',
  },
];
