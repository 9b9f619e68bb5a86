import type { Bank } from './api/experience.ts';
import type { ChargebackCode, DeclineCode, ReturnCode } from './payment-failures.ts';

// The bank accounts and cards of the sandbox, and the outcome of paying with each. No dependencies:
// the experience bundles this file.

/** The routing number of the only bank in the sandbox. */
export const testRoutingNumber = '110000000';

interface TestBankAccount {
  readonly account_number: string;
  /** `waits`: the result of a first payment arrives at 9:00 on the next banking day. */
  readonly outcome: 'succeeds' | 'fails' | 'waits' | 'deposits_short' | 'taken_back';
  readonly return_code?: ReturnCode;
  /** Days after a plan's first payment at which the bank reverses it. */
  readonly taken_back_after_days?: number;
}

/** Account numbers with a fixed outcome. Payments from any other account succeed. */
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
  /** `fails_later`: a plan's first payment succeeds. `credit`: credit cards are not accepted. */
  readonly outcome: 'succeeds' | 'fails' | 'fails_later' | 'taken_back' | 'credit';
  readonly decline_code?: DeclineCode | ChargebackCode;
  /** Days after a plan's first payment at which the bank reverses it. */
  readonly taken_back_after_days?: number;
  /** Days after a plan's first payment at which we win the dispute and get the money back. */
  readonly won_after_days?: number;
  /** How many cents of the payment come back then, at most. All of them if it is left out. */
  readonly won_in_cents?: number;
}

/** Card numbers, valid with any future month and any three digits. Any other number is refused. */
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
  {
    number: '4000000000005423',
    outcome: 'taken_back',
    decline_code: 'charged_back',
    taken_back_after_days: 10,
    won_after_days: 40,
    won_in_cents: 100_00,
  },
  { number: '4012888888881881', outcome: 'credit' },
];

/** The banks of the sandbox. None of them exists, and all have the same accounts. */
export const testBanks: readonly Bank[] = [
  { id: 'platypus', name: 'Platypus National Bank' },
  { id: 'copper_kettle', name: 'Copper Kettle Bank' },
  { id: 'paper_lantern', name: 'Paper Lantern Credit Union' },
  { id: 'penguin', name: 'Penguin Trust' },
  { id: 'tin_roof', name: 'Tin Roof Savings' },
  { id: 'moonlit_ferry', name: 'Moonlit Ferry Bank' },
  { id: 'nine_acorns', name: 'Nine Acorns Credit Union' },
  { id: 'cafe_azul', name: 'Café Azul Bank' },
];
