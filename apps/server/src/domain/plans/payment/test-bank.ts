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
  const known = testBankAccounts.find((it) => it.account_number === account.account_number);
  if (known?.return_code) return { outcome: 'failed', returnCode: known.return_code };
  return { outcome: 'succeeded' };
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

function requireSandbox(service: Service): void {
  if (service.environment === 'sandbox') return;
  throw new Refusal('unavailable', {
    message: 'No payment processor is set up yet, so no payment can be taken. No money moved.',
  });
}
