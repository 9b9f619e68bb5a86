import type { PaymentMethodInput } from '@svc/contract';
import { isRoutingNumber } from '@svc/contract/routing-number';
import type { AccountDraft } from '../../../flow/drafts.ts';
import type { FieldErrors } from '../../../flow/store.ts';
import { digitsOf } from '../../../format/digits.ts';

/** Returns the payment method as entered, with spaces and dashes removed. The service validates it. */
export function readMethod(
  method: PaymentMethodInput['type'],
  { routing, number, type, card }: AccountDraft,
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
  return {
    type: method,
    routing_number: digitsOf(routing),
    account_number: digitsOf(number),
    account_type: type,
  };
}

/** Returns the errors that the service cannot find, or that the tenant should see before sending anything. */
export function typingErrors({ routing, number, again }: AccountDraft): FieldErrors {
  const errors: FieldErrors = {};
  if (!isRoutingNumber(digitsOf(routing))) {
    errors.routing_number = (it) => it.account.routingError;
  }
  const digits = digitsOf(number);
  if (digits.length < 4 || digits.length > 17) {
    errors.account_number = (it) => it.account.numberError;
  } else if (digitsOf(again) !== digits) {
    errors.account_number_again = (it) => it.account.againError;
  }
  return errors;
}
