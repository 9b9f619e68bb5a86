import type { DeclineCode, ReturnCode } from '@svc/contract';
import type { PaymentMethod } from '../../domain/payments/payment-methods.ts';

// Either both codes of a pair are retried, or neither is.
const ofCards: Readonly<Record<ReturnCode, DeclineCode>> = {
  R01: 'insufficient_funds',
  R02: 'expired_card',
  R03: 'expired_card',
  R04: 'expired_card',
  R05: 'authorization_revoked',
  R07: 'authorization_revoked',
  R08: 'lost_or_stolen',
  R09: 'processing_error',
  R10: 'authorization_revoked',
  R11: 'authorization_revoked',
  R16: 'lost_or_stolen',
  R20: 'expired_card',
};
const ofBankAccounts: Readonly<Record<DeclineCode, ReturnCode>> = {
  insufficient_funds: 'R01',
  card_declined: 'R09',
  processing_error: 'R09',
  expired_card: 'R02',
  lost_or_stolen: 'R16',
  authorization_revoked: 'R07',
};

/** Translates the simulation's failure code for a card or a bank account. */
export function failureFor(type: PaymentMethod['type'], code: string): string {
  const others: Readonly<Record<string, string>> = type === 'card' ? ofCards : ofBankAccounts;
  return others[code] ?? code;
}
