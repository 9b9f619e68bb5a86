import type { CardBrand, DeclineReason, NoticePart, ProductVariant } from '@svc/contract';
import type { Creditor } from '../creditor.ts';
import type { DocumentWords } from './document-words.ts';
import type { MailType } from './mail-types.ts';
import type { TextType } from './text-types.ts';

/** All words that the server writes for tenants, in one language. Amounts and dates are formatted. */
export interface Words {
  readonly mail: MailWords;
  readonly texts: TextWords;
  /** A plan's bar in words. */
  readonly progress: (counts: Progress) => string;
  readonly documents: DocumentWords;
  /**
   * The agreement: the disclosures of 12 CFR 1026.18, the authorization of 12 CFR 1005.10 and the
   * consent to read both on screen (15 USC 7001). `documentBlocks` (contract) describes how the text is laid out.
   */
  readonly agreement: (facts: AgreementFacts, variant: ProductVariant) => Section[];
  /**
   * The consent to electronic records (15 USC 7001(c)), in paragraphs; the first is the sentence to agree
   * to. Raise `consentVersion` in domain/mail/electronic-records.ts with each change.
   */
  readonly electronicRecords: (creditor: Creditor) => readonly string[];
  /** Stands in the agreement for the names that an erased tenant no longer has. */
  readonly removed: string;
  /** The end of a payment method's name: `ending in 4242`. */
  readonly endingIn: (last4: string) => string;
  /** The account or card that a plan is paid from, in an agreement. Ends as `endingIn`. */
  readonly account: (facts: Pick<AgreementFacts, 'brand' | 'last4'>) => string;
  /**
   * The disclosures of the Military Lending Act (32 CFR 232.6) and the terms that 232.8 asks for. At the end of
   * a covered borrower's agreement, and above it on the screen.
   */
  readonly military: (phone: string | null) => StatementSection;
  readonly notice: NoticeWords;
  /** Why a payment is tried again, by its code: a clause for after "because". */
  readonly retryReasons: Readonly<Record<string, string>>;
}

/**
 * Text messages. One of 160 characters costs one unit, and an accent that GSM-7 lacks (á, í, ó, ú) halves the
 * limit, so the words do without: `composeText` writes them without the accent.
 */
interface TextWords {
  /** The text of the consent. Change `textConsentVersion` with it. */
  readonly consent: (facts: { readonly lender: string; readonly email: string }) => string;
  /** The replies begin with the lender's name, which is not in them. */
  readonly code: (code: string) => string;
  /** The code of a link that came by email. */
  readonly linkCode: (code: string) => string;
  readonly stopped: string;
  readonly started: string;
  readonly help: (email: string) => string;
  readonly types: Readonly<Record<TextType, (facts: TextFacts) => string>>;
}

export interface TextFacts {
  /** `March 8`, `8 de marzo`. */
  readonly day: string;
  readonly autopay: boolean;
  /** Null unless the operator allows amounts and properties in texts. */
  readonly details: { readonly amount: string; readonly property: string | null } | null;
}

export interface Section {
  /** In sentence case; the text has it in capitals. */
  readonly heading: string;
  /** Each is a block: a paragraph, or lines that belong together. */
  readonly blocks: readonly (string | readonly string[])[];
}

/** A section of paragraphs only. */
interface StatementSection extends Section {
  readonly blocks: readonly string[];
}

/** How many of a plan's payments are in each state. */
interface Progress {
  readonly made: number;
  /** Without those that a credit has paid. */
  readonly all: number;
  readonly processing: number;
  readonly failed: number;
  readonly late: number;
  readonly credited: number;
}

/** Plain words, one idea per sentence; the amount and the day come first. */
interface MailWords {
  readonly greeting: (name: string) => string;
  /** The sender's name. */
  readonly sender: (lender: string, brand: string) => string;
  /** About the button's link. */
  readonly link: (variant: ProductVariant) => string;
  readonly foot: (creditor: Creditor, brand: string) => string;
  /** About the copy of the agreement in the mail. */
  readonly hiddenDigits: string;
  /** About the hash of the agreement. */
  readonly version: (sha256: string) => string;
  readonly types: Readonly<Record<MailType, (facts: MailFacts) => Phrases>>;
}

interface Phrases {
  readonly subject: string;
  /** The heading: what happened, without repeating the subject. */
  readonly title: string;
  /** Shown by mail programs after the subject. */
  readonly preheader: string;
  /** The first sentences. */
  readonly lines: readonly string[];
  /** The facts at a glance: what they are, and their values. */
  readonly rows: readonly (readonly [term: string, value: string])[];
  /** The sentences after the facts. */
  readonly after: readonly string[];
  /** The text of the button that opens the plan. Null for a mail without one. */
  readonly button: string | null;
}

/** Each mail uses the facts that its event has; amounts and dates are formatted. */
export interface MailFacts {
  readonly variant: ProductVariant;
  readonly creditor: Creditor;
  readonly planNumber: string;
  /** The six digits that open our page; null for any other mail. */
  readonly code: string | null;
  /** The amount of the payment that the mail is about. */
  readonly amount: string;
  /** The day of the payment, or of the event, for a sentence and for a table. */
  readonly day: Day;
  /** The day before a payment was moved. */
  readonly from: Day;
  /** The plan's payment method. Null if the tenant pays manually. */
  readonly method: { readonly brand: CardBrand | null } | null;
  readonly cardEnd: CardEnd | null;
  /** The day of the next attempt at a failed payment; null if there is none. */
  readonly again: Day | null;
  /** The bank's code, as in `failureCodes` of the contract; null if the payment did not fail. */
  readonly returnCode: string | null;
  /** The bank reversed a payment that had gone through. */
  readonly reversed: boolean;
  readonly autopay: boolean;
  /** Everything that is left to pay. Null if nothing is, or if it is not known. */
  readonly left: string | null;
  readonly isPaidOff: boolean;
  readonly next: { readonly amount: string; readonly day: Day } | null;
  /** The rest of a payment of which a part was paid; `automatic` if it is collected on its day. */
  readonly rest: { readonly amount: string; readonly automatic: boolean } | null;
  /** Null if nothing was credited. */
  readonly credited: string | null;
  /** Null if nothing was refunded. */
  readonly refunded: string | null;
  /** The credit is our waiver of the fee, not the landlord's. */
  readonly isFeeWaiver: boolean;
  /** An operator moved the payment, because the tenant asked for it. */
  readonly byOperator: boolean;
  /** From when a declined tenant may apply again. */
  readonly reapply: Day;
  readonly decline: Decline | null;
  /** Why a plan ended before it began. */
  readonly reason: 'first_payment_failed' | 'charges_changed' | 'canceled_by_operator';
  readonly pastDueDays: number;
  readonly chargeOffDays: number;
}

export interface Day {
  /** In a sentence: `Monday, March 8`. */
  readonly said: string;
  /** In a table: `March 8, 2027`. */
  readonly full: string;
}

interface Decline {
  readonly decidedOn: string;
  readonly applicant: string;
  /** The amount that the applicant asked for. Null if the decision does not say. */
  readonly amount: string | null;
  readonly reasons: readonly string[];
  /** Where the information came from: facts, and what the law says about them. */
  readonly rows: Phrases['rows'];
  readonly paragraphs: readonly string[];
  readonly rights: string;
}

/** Of a card that expires before the plan's last payment. */
export interface CardEnd {
  /** As printed on the card: `03/26`. */
  readonly month: string;
  readonly lastDay: Day;
}

export interface AgreementFacts {
  readonly planNumber: string;
  readonly signedOn: string;
  readonly borrower: string;
  /** The name and the address of the property; null if the portal did not report them. */
  readonly home: string | null;
  readonly apr: string;
  readonly charge: string;
  readonly financed: string;
  readonly total: string;
  readonly fee: string;
  /** `February 1, 2026: $790.06`, in order. */
  readonly payments: readonly string[];
  /** The first payment, with the fee. */
  readonly first: string;
  /** Null for a bank account. */
  readonly brand: string | null;
  readonly last4: string;
  readonly debitBy: string;
  readonly creditor: Creditor;
  /** The lender's license in the state of the home; null if the lending rules name none. */
  readonly license: string | null;
  readonly terms: AgreementTerms;
}

/** The rules of the product that the agreement states. */
export interface AgreementTerms {
  /** How often a payment is tried again, at most. */
  readonly retries: number;
  /** For which reasons: "there is not enough money in the bank account, …, or …". */
  readonly retryReasons: string;
  readonly remindDaysBefore: number;
  readonly daysApart: number;
  readonly pastDueDays: number;
  readonly chargeOffDays: number;
}

/** The adverse action notice of Regulation B, 12 CFR 1002.9(b), as in its model form C-1. */
export interface NoticeWords {
  readonly reasons: Readonly<Record<DeclineReason, string>>;
  readonly rights: string;
  /** The disclosures of 15 USC 1681m(a) about a report that was used, and about its score. */
  readonly report: (report: UsedReport) => NoticePart[];
  /** The right of 15 USC 1681m(b)(1), after information of others than agencies was used. */
  readonly fromOthers: (creditor: Creditor) => NoticePart;
  /** Says that texts of the decision service are in English. Null in English. */
  readonly inEnglish: NoticePart | null;
}

/** A report of a consumer reporting agency that a decline is based on. */
export interface UsedReport {
  readonly agency: { readonly name: string; readonly address: string; readonly phone: string };
  /** Null if no score was used. */
  readonly score: {
    readonly value: number;
    readonly lowest: number;
    readonly highest: number;
    readonly date: string;
    readonly keyFactors: readonly string[];
    /** Whether the number of inquiries is a key factor, too. */
    readonly inquiries: boolean;
  } | null;
}
