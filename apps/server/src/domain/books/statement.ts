/** One booked line of a statement. */
export interface StatementLine {
  /** The line of the file, from 1. */
  readonly fileLine: number;
  /** `entry` on a bank's statement. A processor says what kind of movement it was. */
  readonly kind: LineKind;
  readonly bookedOn: string;
  /** Positive if it increases the account's balance. */
  readonly amountInCents: number;
  /** The reference that the bank or processor gives; empty if it gives none. */
  readonly reference: string;
  readonly description: string;
}

export const lineKinds = ['entry', 'charge', 'refund', 'return', 'fee', 'deposit'] as const;
export type LineKind = (typeof lineKinds)[number];

/**
 * The movements on one account from one day to another. Banks' statements and processors' balance
 * reports are the same to the books, so a new processor needs a parser that returns these and nothing
 * else. The closing balance is the opening balance plus the lines.
 */
export interface Statement {
  /** The line of the file where it begins, from 1. */
  readonly fileLine: number;
  /** The account's number or id, as the file names it. */
  readonly account: string;
  /** ISO 4217. */
  readonly currency: string;
  readonly from: string;
  /** Inclusive. */
  readonly to: string;
  readonly openingInCents: number;
  readonly closingInCents: number;
  readonly lines: readonly StatementLine[];
  /** What was left out, shortened or worked out, in sentences for the person who imports the file. */
  readonly notes?: readonly string[];
}

/** A statement of a file that cannot be used. It matters only to those who import its account. */
export interface UnusableStatement {
  readonly fileLine: number;
  /** As in `Statement`; empty if the file does not say it. */
  readonly account: string;
  readonly reason: string;
}
