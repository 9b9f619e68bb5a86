import { type Signal, signal } from '@preact/signals';
import type { ExperienceState, QuoteOutput } from '@svc/contract';
import type { Step, Theme } from '@svc/contract/frame';
import type { Identity } from '../api/experience-api.ts';
import type { Problem } from '../api/request.ts';

/** What fills the frame. `trouble` replaces the step until a token or a retry clears it. */
export type View = { kind: 'loading' } | { kind: 'step' } | { kind: 'trouble'; trouble: Trouble };

export type Trouble =
  | { kind: 'session_ended' }
  | { kind: 'unreachable'; problem: Problem }
  | { kind: 'refused'; problem: Problem };

/** Said on top of a step; words by kind. */
export type Notice =
  | { kind: 'network' | 'network_plan' | 'server' | 'refused'; problem: Problem }
  | { kind: 'rate_limited'; seconds: number }
  | { kind: 'payment_failed'; label: string; bankSays: string }
  | { kind: 'quotes_changed' | 'moved_on' };

export type Quotes =
  | { kind: 'none' }
  | { kind: 'loading' }
  | { kind: 'ready'; items: QuoteOutput[] }
  | { kind: 'failed' };

/** What the tenant typed; kept in memory so that a renewed session loses nothing. */
export interface Drafts {
  birth: { year: string; month: string; day: string };
  income: string;
  consent: boolean;
  account: { choice: string; routing: string; number: string; type: 'checking' | 'savings' };
  agreed: boolean;
}

export interface Store {
  view: Signal<View>;
  step: Signal<Step>;
  state: Signal<ExperienceState | null>;
  busy: Signal<boolean>;
  notice: Signal<Notice | null>;
  /** Messages by the field's name on the wire. */
  fieldErrors: Signal<Record<string, string>>;
  quotes: Signal<Quotes>;
  installmentCount: Signal<number | null>;
  drafts: Signal<Drafts>;
  theme: Signal<Theme>;
  locale: Signal<string | null>;
  /** Counts the tokens answered by a screen: each asks for one `ready`. */
  settled: Signal<number>;
  /** Known from the page itself, before any token. */
  isSandbox: boolean;
  identity: Identity | null;
  token: string | null;
  acceptKey: { quoteId: string; key: string } | null;
  planMade: boolean;
  /** When the payee is paid, from the quote that was accepted. */
  debitBy: string | null;
}

export function createStore(isSandbox: boolean): Store {
  return {
    view: signal<View>({ kind: 'loading' }),
    step: signal<Step>('offer'),
    state: signal<ExperienceState | null>(null),
    busy: signal(false),
    notice: signal<Notice | null>(null),
    fieldErrors: signal<Record<string, string>>({}),
    quotes: signal<Quotes>({ kind: 'none' }),
    installmentCount: signal<number | null>(null),
    drafts: signal<Drafts>(emptyDrafts),
    theme: signal<Theme>('auto'),
    locale: signal<string | null>(null),
    settled: signal(0),
    isSandbox,
    identity: null,
    token: null,
    acceptKey: null,
    planMade: false,
    debitBy: null,
  };
}

export const emptyDrafts: Drafts = {
  birth: { year: '', month: '', day: '' },
  income: '',
  consent: false,
  account: { choice: '', routing: '', number: '', type: 'checking' },
  agreed: false,
};
