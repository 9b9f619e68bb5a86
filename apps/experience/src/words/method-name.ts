import type { PaymentMethodOutput } from '@svc/contract';
import type { Words } from './en.ts';
import { capital } from './payee.ts';

/** A bank account or card by its last digits, as it stands inside a sentence. */
export function methodName(
  { brand, last4 }: PaymentMethodOutput,
  { methods }: Pick<Words, 'methods'>,
): string {
  return brand === null ? methods.bankAccount(last4) : methods.card(capital(brand), last4);
}
