import type { ProductVariant } from '@svc/contract';
import type { Creditor } from '../creditor.ts';

/** The words of the documents that tenants save. Amounts and dates are formatted. */
export interface DocumentWords {
  /** The rent or dues of a plan, such as "March 2026 rent", at the start of a line. `isShared`: a share of the rent. */
  readonly product: (month: string, variant: ProductVariant, isShared: boolean) => string;
  readonly planNumber: string;
  readonly tenant: string;
  readonly agreement: {
    readonly title: string;
    readonly accepted: (day: string) => string;
    /** Above an agreement that has not been accepted yet. */
    readonly offered: string;
    readonly version: (sha256: string) => string;
  };
  readonly receipt: {
    readonly title: (day: string) => string;
    /** Of the bar with the plan's payments. */
    readonly bar: (number: number, count: number) => string;
    readonly paid: string;
    readonly returned: string;
    readonly on: string;
    readonly from: string;
    readonly forWhat: string;
    /** `payee` is null if the portal has not named the property. */
    readonly forText: (what: string, payee: string | null, variant: ProductVariant) => string;
    readonly lender: string;
    readonly number: string;
  };
  readonly notice: {
    readonly title: string;
    readonly action: string;
    readonly actionTaken: string;
    readonly applicant: string;
    readonly amount: string;
    readonly decided: (day: string, creditor: string) => string;
    readonly reasons: string;
    readonly rights: string;
  };
  readonly calendar: {
    /** An entry on the day on which a payment is due. */
    readonly title: (amount: string, product: string) => string;
    readonly description: (creditor: Creditor) => string;
  };
  readonly payoff: {
    readonly title: string;
    readonly lead: (day: string) => string;
    readonly agreedOn: string;
    readonly forWhat: string;
    readonly agreed: string;
    /** From the landlord or the association. */
    readonly credited: (variant: ProductVariant) => string;
    readonly waived: string;
    readonly paid: string;
    readonly refunded: string;
    readonly owed: string;
    readonly payments: string;
    readonly closing: (creditor: Creditor) => string;
  };
  readonly statement: {
    readonly title: (year: string) => string;
    readonly lead: (year: string) => string;
    readonly fees: string;
    readonly payments: string;
    readonly payment: (number: number) => string;
    readonly takenBack: (number: number) => string;
    readonly refund: string;
    readonly credit: (variant: ProductVariant) => string;
    readonly feeWaiver: string;
    readonly nothing: string;
    readonly closing: (creditor: Creditor) => string;
  };
  readonly columns: {
    readonly day: string;
    readonly what: string;
    readonly paid: string;
    readonly refunded: string;
    readonly credited: string;
    readonly total: string;
  };
}
