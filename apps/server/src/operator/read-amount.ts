import { parseMoney } from '@svc/contract';
import { UsageError } from './usage-error.ts';

/**
 * Reads `--amount` into cents. Digits alone are cents (`4100`). With a `$` or a fraction it is an amount in
 * dollars as people write it (`$41`, `41.00`, `1.234,56`). Anything with two readings is refused.
 */
export function readAmount(text = '', { canDeduct = false } = {}): number {
  const isNegative = canDeduct && text.startsWith('-');
  const cents = centsOf(isNegative ? text.slice(1) : text);
  if (cents !== null) return isNegative ? -cents : cents;
  const deduct = canDeduct ? ', or --amount=-4100 to deduct them' : '';
  throw new UsageError(
    `--amount must be cents, such as --amount=4100, or dollars with their cents, such as --amount=41.00${deduct}, not "${text}".`,
  );
}

function centsOf(text: string): number | null {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  const isDollars = text.includes('$') || /[.,]\d{1,2}$/.test(text);
  const parsed = parseMoney(text);
  return isDollars && parsed.kind === 'amount' && parsed.cents > 0 ? parsed.cents : null;
}
