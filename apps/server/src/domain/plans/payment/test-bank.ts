import { testBankAccounts, testRoutingNumber } from '@svc/contract';
import type { Service } from '../../../context.ts';
import { Refusal } from '../../refusal.ts';
import type { BankAccount } from './payment-methods.ts';

export type ChargeOutcome =
  | { readonly outcome: 'succeeded' }
  | { readonly outcome: 'failed'; readonly returnCode: string };

/**
 * The sandbox's one bank, a simulator: it answers at once and by account number alone, so a charge
 * is decided without leaving the transaction. Production has no processor yet and says so.
 */
export function chargeTestBank(service: Service, account: BankAccount): ChargeOutcome {
  requireSandbox(service);
  const returnCode = find(account)?.return_code;
  return returnCode ? { outcome: 'failed', returnCode } : { outcome: 'succeeded' };
}

/** Whether the bank takes until the next banking day to say how a first payment went. */
export function isSlowAtFirst(service: Service, account: BankAccount): boolean {
  requireSandbox(service);
  return find(account)?.first_payment === 'next_banking_day';
}

/** What the bank pays us for one movement; it may keep some of what comes in. */
export function depositTestBank(account: BankAccount, amountInCents: number): number {
  return amountInCents > 0
    ? amountInCents - (find(account)?.withheld_in_cents ?? 0)
    : amountInCents;
}

/** The bank's own id of what we call so. */
export function testBankId(reference: string): string {
  return `tb_${reference}`;
}

export function checkTestBankAccount(service: Service, account: BankAccount): void {
  requireSandbox(service);
  if (account.routing_number === testRoutingNumber) return;
  throw new Refusal('validation_failed', {
    errors: [
      {
        param: 'routing_number',
        code: 'invalid_value',
        message: `must be ${testRoutingNumber}: the sandbox takes its test bank only, never a real account`,
      },
    ],
  });
}

function find({ account_number }: BankAccount) {
  return testBankAccounts.find((it) => it.account_number === account_number);
}

function requireSandbox(service: Service): void {
  if (service.environment === 'sandbox') return;
  throw new Refusal('unavailable', {
    message: 'No payment processor is set up yet, so no payment can be taken. No money moved.',
  });
}
