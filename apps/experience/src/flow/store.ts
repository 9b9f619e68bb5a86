import { type Signal, signal } from '@preact/signals';
import type {
  Bank,
  ElectronicRecordsOutput,
  ExperienceState,
  OwnPlanOutput,
  PaymentMethodOutput,
  PaymentSetupOutput,
  QuotesOutput,
  TextsOutput,
} from '@svc/contract';
import type { Step, Theme } from '@svc/contract/frame';
import type { Identity } from '../api/experience-api.ts';
import type { Problem } from '../api/request.ts';
import type { Lender, Partner } from '../frame/page-settings.ts';
import type { Words } from '../words/en.ts';
import { type Drafts, emptyDrafts } from './drafts.ts';

/** Where the code of a hosted link went: `known` if it was sent before a reload, null if not yet. */
export type SentTo = 'email' | 'text' | 'known' | null;

/** The view on the page. `trouble` replaces the step until a new token or a retry succeeds. */
type View =
  | { kind: 'loading' }
  /** Opened by an email link that has not been used yet. */
  | { kind: 'link' }
  /** Opened by a link that came in a message. */
  | { kind: 'code'; sentTo: SentTo }
  | { kind: 'step' }
  | { kind: 'trouble'; trouble: Trouble };

export type Trouble =
  | { kind: 'session_ended' }
  /** Outside a frame: the email link or its session has expired, or the tenant has left. */
  | { kind: 'link_over' | 'left' }
  /** The hosted link or its session has ended. */
  | { kind: 'hosted_over' }
  /** Too many wrong answers to the questions that an email link asks. */
  | { kind: 'link_blocked' }
  /** A screen failed to render. */
  | { kind: 'broken' }
  /** `problem` is null if a part of the app failed to load. */
  | { kind: 'unreachable'; problem: Problem | null }
  | { kind: 'refused'; problem: Problem };

/** A page of the plan. The partner's page sees all of them as the step `manage`, or as `consent`. */
export type Panel =
  | { kind: 'home' | 'pay' | 'cant_pay' | 'move' | 'account' | 'autopay' | 'cancel' | 'confirm' }
  /** How the tenant gets notices: by email or on paper. */
  | { kind: 'records'; records: ElectronicRecordsOutput }
  /** Reminders by text message: they are on; the number to send them to; the code that it got. */
  | { kind: 'texts' | 'text_number'; texts: TextsOutput }
  | { kind: 'text_code'; texts: TextsOutput; last4: string }
  | { kind: 'document'; document: PlanDocument }
  /** A closed plan: its home page, or one of its documents. */
  | { kind: 'past'; past: OwnPlanOutput; document: PlanDocument | null };

export type PlanDocument = { kind: 'agreement' } | { kind: 'receipt'; id: string };

/** A notice at the top of a step. */
export type Notice =
  | {
      kind:
        | 'network'
        | 'network_plan'
        | 'network_pay'
        | 'network_change'
        | 'signed_out'
        | 'server'
        | 'refused';
      problem: Problem;
    }
  | { kind: 'rate_limited'; seconds: number }
  | { kind: 'payments_paused' | 'not_saved' }
  | {
      kind: 'payment_failed' | 'repayment_failed';
      method: PaymentMethodOutput | null;
      returnCode: string;
    }
  | { kind: 'quotes_changed' | 'moved_on' | 'plan_changed' | 'in_review' }
  | GoodNotice;

type GoodNotice =
  /** `wasLate`: something was late before this payment. */
  | { kind: 'paid'; amountInCents: number; wasLate: boolean }
  | { kind: 'moved'; amountInCents: number; day: string }
  | { kind: 'account_changed'; method: PaymentMethodOutput }
  | {
      kind:
        | 'autopay_on'
        | 'autopay_off'
        | 'canceled'
        | 'texts_on'
        | 'texts_off'
        | 'records_paper'
        | 'records_email';
    };

const goodKinds = new Set<Notice['kind']>([
  'paid',
  'moved',
  'account_changed',
  'autopay_on',
  'autopay_off',
  'canceled',
  'texts_on',
  'texts_off',
  'records_paper',
  'records_email',
] satisfies GoodNotice['kind'][]);

/** Returns whether the notice says that the tenant's request was carried out. */
export function isGood({ kind }: Notice): boolean {
  return goodKinds.has(kind);
}

export type FieldErrors = Record<string, (words: Words) => string>;

type Quotes =
  | { kind: 'none' }
  | { kind: 'loading' }
  | ({ kind: 'ready' } & QuotesOutput)
  | { kind: 'failed' };

/** The text of the consent to electronic notices, which the application shows. */
type Records =
  | { kind: 'none' | 'loading' | 'failed' }
  | { kind: 'ready'; texts: ElectronicRecordsOutput['texts'] };

/** The steps before and after the screen for an account or card, while a plan is chosen. */
export interface MethodExit {
  back: Step;
  next: Step;
}

export interface Store {
  view: Signal<View>;
  step: Signal<Step>;
  panel: Signal<Panel>;
  state: Signal<ExperienceState | null>;
  busy: Signal<boolean>;
  notice: Signal<Notice | null>;
  /** By field name in the API. Functions, so that the text follows the selected language. */
  fieldErrors: Signal<FieldErrors>;
  /** The last visit to the processor's page; null before the first one. */
  setup: Signal<PaymentSetupOutput | null>;
  /** The banks to pick from; null until they have loaded. */
  banks: Signal<readonly Bank[] | null>;
  records: Signal<Records>;
  quotes: Signal<Quotes>;
  installmentCount: Signal<number | null>;
  drafts: Signal<Drafts>;
  theme: Signal<Theme>;
  /** The language that the partner's page asked for. */
  locale: Signal<string | null>;
  /** The language that the tenant chose. It takes precedence over `locale`. */
  language: Signal<string | null>;
  /** The number of tokens and links that led to a screen. The SDK gets one `ready` for each. */
  answeredTokens: Signal<number>;
  page: PageSettings;
  identity: Identity | null;
  token: string | null;
  link: { secret: string; pms: string } | null;
  /** True if `experience_url` opened the page, so that the tenant returns to the portal with a result. */
  isHosted: boolean;
  /**
   * The idempotency key of a change whose outcome is unknown. A retry of that change reuses it. `wasLost`:
   * a response was lost, so the change may have been made.
   */
  pendingKey: { operation: string; key: string; wasLost?: boolean } | null;
  /** The steps to which the screen for an account or card leads. */
  methodExit: MethodExit;
  planMade: boolean;
  /** The accent and theme that the console was last warned of, in the sandbox: `#fde047 light`. */
  warnedAccent: string | null;
  /** The back button of the screen; null on a screen without one. */
  back: (() => void) | null;
  /** Stops saving the progress of the current tenant. */
  stopSaving: () => void;
  /** The last day on which the payee is paid, from the accepted quote. */
  debitBy: string | null;
}

/** Values that are known before there is a session. */
interface PageSettings {
  isSandbox: boolean;
  /** True if the page is outside a portal's frame. */
  isStandalone: boolean;
  lender: Lender | null;
  partner: Partner | null;
  /** The language that the tenant chose on an earlier visit. */
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
    setup: signal<PaymentSetupOutput | null>(null),
    banks: signal<readonly Bank[] | null>(null),
    records: signal<Records>({ kind: 'none' }),
    quotes: signal<Quotes>({ kind: 'none' }),
    installmentCount: signal<number | null>(null),
    drafts: signal<Drafts>(emptyDrafts),
    theme: signal<Theme>(page.partner?.appearance.theme ?? 'auto'),
    locale: signal<string | null>(null),
    language: signal(page.language),
    answeredTokens: signal(0),
    page,
    identity: null,
    token: null,
    link: null,
    isHosted: false,
    pendingKey: null,
    methodExit: { back: 'plan_choice', next: 'consent' },
    planMade: false,
    warnedAccent: null,
    back: null,
    stopSaving: () => undefined,
    debitBy: null,
  };
}
