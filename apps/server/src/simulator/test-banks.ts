import { type Bank, testBankAccounts } from '@svc/contract';

/** The banks of the sandbox. None of them exists, and all have the same accounts. */
export const testBanks: readonly Bank[] = [
  { id: 'platypus', name: 'Platypus National Bank' },
  { id: 'tin_roof', name: 'Tin Roof Savings' },
  { id: 'paper_lantern', name: 'Paper Lantern Credit Union' },
  { id: 'copper_kettle', name: 'Copper Kettle Bank' },
  { id: 'penguin', name: 'Penguin Trust' },
  { id: 'nine_acorns', name: 'Nine Acorns Credit Union' },
  { id: 'moonlit_ferry', name: 'Moonlit Ferry Bank' },
  { id: 'cafe_azul', name: 'Café Azul Bank' },
];

/** An account as the page of a simulated bank shows it. */
export interface ShownAccount {
  readonly number: string;
  readonly name: string;
  readonly effect: string;
}

const names: Readonly<Record<string, string>> = {
  '000111110000': 'Everyday Checking',
  '000111110001': 'Empty Checking',
  '000111110002': 'Closed Checking',
  '000111110003': 'Slow Checking',
  '000111110004': 'Short Checking',
  '000111110005': 'Disputed Checking',
};

const effects: Readonly<Record<string, string>> = {
  succeeds: 'Every payment goes through.',
  waits: 'The first payment takes until the next banking day.',
  deposits_short: 'Every payment goes through, but arrives $1.00 short.',
  R01: 'Every payment fails: not enough money (R01).',
  R02: 'Every payment fails: the account is closed (R02).',
  R10: 'The first payment is taken back after 45 days (R10).',
};

export const shownAccounts: readonly ShownAccount[] = testBankAccounts.map(
  ({ account_number: number, outcome, return_code }) => {
    const name = names[number];
    const effect = effects[return_code ?? outcome];
    if (!name || !effect) throw new Error(`the test account ${number} has no name or effect`);
    return { number, name, effect };
  },
);
