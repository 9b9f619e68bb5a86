/** The tenant's input so far. It stays in memory, so a renewed session loses nothing. */
export interface Drafts {
  birth: { year: string; month: string; day: string };
  income: string;
  consent: boolean;
  account: AccountDraft;
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
  /** The number of a sandbox test account, or `other` for one that is typed. */
  choice: string;
  routing: string;
  number: string;
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
  reason: string;
}

export const emptyDrafts: Drafts = {
  birth: { year: '', month: '', day: '' },
  income: '',
  consent: false,
  account: {
    method: '',
    choice: '',
    routing: '',
    number: '',
    type: 'checking',
    card: { number: '', expires: '', cvc: '' },
  },
  agreed: '',
  pay: null,
  part: null,
  move: { id: '', day: '', reason: '' },
};
