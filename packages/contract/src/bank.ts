/**
 * How a bank says that it did not pay (Nacha return codes), with what it means to the tenant.
 * Dependency-free: the experience takes this file into its bundle.
 */
export const returnCodes = {
  R01: 'There was not enough money in the account.',
  R02: 'The account is closed.',
  R03: 'The bank found no such account.',
  R04: 'The account number is not valid.',
  R07: 'The permission to take payments was taken back.',
  R08: 'The payment was stopped at the bank.',
  R09: 'The money in the account was not available yet.',
  R10: 'The payment was reported as not allowed.',
  R16: 'The account is frozen.',
  R20: 'The account does not take payments of this kind.',
} as const;
export type ReturnCode = keyof typeof returnCodes;

interface TestBankAccount {
  readonly account_number: string;
  readonly outcome: string;
  readonly return_code: string | null;
  /** When the bank says how a first payment went: at once, or at 9:00 of the next banking day. */
  readonly first_payment?: 'next_banking_day';
  /** What the bank keeps of each payment that it deposits. */
  readonly withheld_in_cents?: number;
}

/** Sandbox accounts of the one test bank; any other account succeeds. */
export const testBankAccounts: readonly TestBankAccount[] = [
  { account_number: '000111110000', outcome: 'succeeds', return_code: null },
  { account_number: '000111110001', outcome: 'first payment fails', return_code: 'R01' },
  { account_number: '000111110002', outcome: 'account closed', return_code: 'R02' },
  {
    account_number: '000111110003',
    outcome: 'first payment takes until the next banking day',
    return_code: null,
    first_payment: 'next_banking_day',
  },
  {
    account_number: '000111110004',
    outcome: 'succeeds, but each deposit is 1.00 short',
    return_code: null,
    withheld_in_cents: 100,
  },
];
export const testRoutingNumber = '110000000';
