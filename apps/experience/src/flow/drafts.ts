/** What the tenant typed; kept in memory so that a renewed session loses nothing. */
export interface Drafts {
  birth: { year: string; month: string; day: string };
  income: string;
  consent: boolean;
  account: AccountDraft;
  /** The mark of the text that was ticked; another text, or another language, needs a new tick. */
  agreed: string;
  /** The payments to make now; null before the first tick. */
  pay: readonly string[] | null;
  move: MoveDraft;
}

export interface AccountDraft {
  /** What to pay with; empty before the first tap. */
  method: '' | 'keep' | 'bank_account' | 'card';
  /** A test bank's account, or `other` for one typed. */
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
  move: { id: '', day: '', reason: '' },
};
