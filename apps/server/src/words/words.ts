import type { DeclineReason, ProductVariant } from '@svc/contract';
import type { Creditor } from '../creditor.ts';
import type { MailType } from './mail-types.ts';

/** All words that the server writes for tenants, in one language. Amounts and dates are formatted. */
export interface Words {
  readonly mail: MailWords;
  /**
   * The agreement's lines: the items of 12 CFR 1026.18, the authorization of 12 CFR 1005.10 and the
   * consent of 15 USC 7001.
   */
  readonly agreement: (facts: AgreementFacts, variant: ProductVariant) => string[];
  readonly notice: NoticeWords;
}

/** Plain words, one idea per sentence; the amount and the day come first. */
interface MailWords {
  readonly greeting: (name: string) => string;
  readonly open: string;
  readonly link: string;
  readonly foot: (facts: MailFacts) => string;
  readonly types: Readonly<Record<MailType, (facts: MailFacts) => Phrases>>;
}

export interface Phrases {
  readonly subject: string;
  readonly lines: readonly string[];
}

export interface MailFacts {
  readonly amount: string;
  readonly day: string;
  readonly variant: ProductVariant;
  /** The plan's payment method; `brand` is null for a bank account. */
  readonly method: { readonly brand: string | null } | null;
  readonly cardEnd: CardEnd | null;
  /** The day of the next attempt at a failed payment; null when there is none. */
  readonly again: string | null;
  /** The bank reversed a payment that had gone through. */
  readonly reversed: boolean;
  readonly creditor: Creditor;
}

/** Of a card that expires before the plan's last payment. */
export interface CardEnd {
  /** As printed on the card: `03/26`. */
  readonly month: string;
  readonly lastDay: string;
}

export interface AgreementFacts {
  readonly apr: string;
  readonly charge: string;
  readonly financed: string;
  readonly total: string;
  readonly fee: string;
  readonly payments: readonly string[];
  /** Null for a bank account. */
  readonly brand: string | null;
  readonly last4: string;
  readonly debitBy: string;
  readonly creditor: string;
  readonly help: string;
}

/** The adverse action notice of Regulation B, 12 CFR 1002.9(b)(1), as in its model form. */
interface NoticeWords {
  readonly reasons: Readonly<Record<DeclineReason, string>>;
  readonly rights: string;
}
