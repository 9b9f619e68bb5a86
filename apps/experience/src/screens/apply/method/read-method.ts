import type { PaymentMethodInput } from '@svc/contract';
import { testRoutingNumber } from '@svc/contract/test-accounts';
import type { AccountDraft } from '../../../flow/drafts.ts';
import { digitsOf } from '../../../format/digits.ts';

/** The payment method as entered, with spaces and dashes removed. The service validates it. */
export function readMethod(
  method: PaymentMethodInput['type'],
  { choice, routing, number, type, card }: AccountDraft,
): PaymentMethodInput {
  if (method === 'card') {
    const expires = digitsOf(card.expires);
    return {
      type: method,
      number: digitsOf(card.number),
      expires: `20${expires.slice(-2)}-${expires.slice(0, 2)}`,
      cvc: card.cvc,
    };
  }
  const isTyped = choice === 'other';
  return {
    type: method,
    routing_number: isTyped ? digitsOf(routing) : testRoutingNumber,
    account_number: isTyped ? digitsOf(number) : choice,
    account_type: type,
  };
}
