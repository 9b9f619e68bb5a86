import type { RescheduleReason } from '@svc/contract';
import type { PaydayAnswers } from '../format/paydays.ts';

/** The tenant's input so far. It stays in memory, so a renewed session loses nothing. */
export interface Drafts {
  /** As typed, `MM/DD/YYYY`. */
  birth: string;
  /** True if the tenant replaces the last application's date of birth. */
  replacesBirth: boolean;
  income: string;
  /** The answer to "Still $4,000 a month?". Empty until the tenant answers. */
  incomeIs: '' | 'same' | 'new';
  consent: boolean;
  /** The hash of the first text, if the tenant agrees to electronic records. A new text must be agreed to again. */
  records: string;
  account: AccountDraft;
  /** The tenant's answers about paydays. Null until the tenant changes the stored ones. */
  paydays: PaydayAnswers | null;
  /** The hash of the agreement text that the tenant accepted. Another text or language must be accepted again. */
  agreed: string;
  /** The ids of the payments to make now. Null until the tenant changes the selection. */
  pay: readonly string[] | null;
  /** The amount, as typed, to pay of a single payment. Null to pay it in full. */
  part: string | null;
  move: MoveDraft;
}

export interface AccountDraft {
  /** Empty until the tenant chooses. */
  method: '' | 'keep' | 'bank_account' | 'card';
  /** True if the tenant types an account's numbers instead of picking a bank. */
  typesNumbers: boolean;
  /** The name of the bank that the tenant has picked. */
  bank: string;
  routing: string;
  number: string;
  /** The account number, typed once more. */
  again: string;
  type: 'checking' | 'savings';
  card: CardDraft;
}

export interface CardDraft {
  number: string;
  expires: string;
  cvc: string;
}

export interface MoveDraft {
  id: string;
  day: string;
  reason: RescheduleReason | '';
}

export const emptyDrafts: Drafts = {
  birth: '',
  replacesBirth: false,
  income: '',
  incomeIs: '',
  consent: false,
  records: '',
  account: {
    method: '',
    typesNumbers: false,
    bank: '',
    routing: '',
    number: '',
    again: '',
    type: 'checking',
    card: { number: '', expires: '', cvc: '' },
  },
  paydays: null,
  agreed: '',
  pay: null,
  part: null,
  move: { id: '', day: '', reason: '' },
};
