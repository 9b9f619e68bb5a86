import { type Signal, signal } from '@preact/signals';
import type {
  ExperienceState,
  OwnPlanOutput,
  PaymentMethodOutput,
  QuoteOutput,
} from '@svc/contract';
import type { Step, Theme } from '@svc/contract/frame';
import type { Identity } from '../api/experience-api.ts';
import type { Problem } from '../api/request.ts';
import type { Lender } from '../frame/page-settings.ts';
import type { Words } from '../words/en.ts';
import { type Drafts, emptyDrafts } from './drafts.ts';

/** What fills the frame. `trouble` replaces the step until a token or a retry clears it. */
export type View =
  | { kind: 'loading' }
  /** A mail's link before the tenant has pressed the button. */
  | { kind: 'link' }
  | { kind: 'step' }
  | { kind: 'trouble'; trouble: Trouble };

export type Trouble =
  | { kind: 'session_ended' }
  /** On a page of our own: a mail's link or its session is over; or the tenant has left. */
  | { kind: 'link_over' | 'left' }
  /** Too many wrong answers to the questions of a mail's link. */
  | { kind: 'link_blocked' }
  /** A screen failed to render. */
  | { kind: 'broken' }
  /** Null when a part of the app failed to load. */
  | { kind: 'unreachable'; problem: Problem | null }
  | { kind: 'refused'; problem: Problem };

/** A page of the plan. To the partner's page all of them are the step `manage`. */
export type Panel =
  | { kind: 'home' | 'pay' | 'move' | 'account' | 'autopay' | 'cancel' | 'confirm' }
  | { kind: 'paper'; paper: Paper }
  /** A plan that is over, to read: its home, or one of its papers. */
  | { kind: 'past'; past: OwnPlanOutput; paper: Paper | null };

export type Paper = { kind: 'agreement' } | { kind: 'receipt'; id: string };

/** A notice at the top of a step; its words depend on `kind`. */
export type Notice =
  | { kind: 'network' | 'network_plan' | 'network_pay' | 'server' | 'refused'; problem: Problem }
  | { kind: 'rate_limited'; seconds: number }
  | {
      kind: 'payment_failed' | 'repayment_failed';
      method: PaymentMethodOutput | null;
      returnCode: string;
    }
  | { kind: 'quotes_changed' | 'moved_on' | 'plan_changed' | 'in_review' }
  | GoodNotice;

export type GoodNotice =
  | { kind: 'paid'; amountInCents: number }
  | { kind: 'moved'; amountInCents: number; day: string }
  | { kind: 'account_changed'; method: PaymentMethodOutput }
  | { kind: 'autopay_on' | 'autopay_off' | 'canceled' };

export type FieldErrors = Record<string, (words: Words) => string>;

export type Quotes =
  | { kind: 'none' }
  | { kind: 'loading' }
  | { kind: 'ready'; items: QuoteOutput[] }
  | { kind: 'failed' };

export interface Store {
  view: Signal<View>;
  step: Signal<Step>;
  panel: Signal<Panel>;
  state: Signal<ExperienceState | null>;
  busy: Signal<boolean>;
  notice: Signal<Notice | null>;
  /** By the field's name on the wire; said when shown, so that a change of language holds. */
  fieldErrors: Signal<FieldErrors>;
  quotes: Signal<Quotes>;
  installmentCount: Signal<number | null>;
  drafts: Signal<Drafts>;
  theme: Signal<Theme>;
  /** What the partner's page asked for. */
  locale: Signal<string | null>;
  /** What the tenant chose here; wins. */
  language: Signal<string | null>;
  /** Counts the tokens that a screen has answered. Each needs one `ready`. */
  settled: Signal<number>;
  page: PageSettings;
  identity: Identity | null;
  token: string | null;
  link: { secret: string; pms: string } | null;
  /** The idempotency key of a change whose outcome is unknown. A retry of that change reuses it. */
  pendingKey: { intention: string; key: string } | null;
  planMade: boolean;
  /** Stops saving what is typed, before another tenant. */
  stopKeeping: () => void;
  /** When the payee is paid, from the quote that was accepted. */
  debitBy: string | null;
}

/** The facts that the page has before it gets a token. */
export interface PageSettings {
  isSandbox: boolean;
  /** Opened by a mail's link, in no portal. */
  isOwn: boolean;
  lender: Lender | null;
  /** What the tenant chose on an earlier visit. */
  language: string | null;
}

export function createStore(page: PageSettings): Store {
  return {
    view: signal<View>({ kind: 'loading' }),
    step: signal<Step>('offer'),
    panel: signal<Panel>({ kind: 'home' }),
    state: signal<ExperienceState | null>(null),
    busy: signal(false),
    notice: signal<Notice | null>(null),
    fieldErrors: signal<FieldErrors>({}),
    quotes: signal<Quotes>({ kind: 'none' }),
    installmentCount: signal<number | null>(null),
    drafts: signal<Drafts>(emptyDrafts),
    theme: signal<Theme>('auto'),
    locale: signal<string | null>(null),
    language: signal(page.language),
    settled: signal(0),
    page,
    identity: null,
    token: null,
    link: null,
    pendingKey: null,
    planMade: false,
    stopKeeping: () => undefined,
    debitBy: null,
  };
}
