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
  choice: string;
  routing: string;
  number: string;
  type: 'checking' | 'savings';
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
  account: { choice: '', routing: '', number: '', type: 'checking' },
  agreed: '',
  pay: null,
  move: { id: '', day: '', reason: '' },
};
