// index
interface Appearance {
  theme?: Theme | undefined;
  variables?: Partial<Record<AppearanceVariable, string | undefined>> | undefined;
}

type AppearanceVariable =
  | 'accent'
  | 'on-accent'
  | 'surface'
  | 'ink'
  | 'quiet'
  | 'line'
  | 'radius'
  | 'font';

type CloseReason = 'completed' | 'dismissed' | 'error' | 'destroyed';

declare const Environment: Readonly<{
  readonly Sandbox: 'sandbox';
  readonly Production: 'production';
}>;
type Environment = (typeof Environment)[keyof typeof Environment];

type ErrorEventCode = 1000 | 1001 | 1002 | 1100 | 1200 | 1300 | 1400 | 1500;

interface EventTypeHandler {
  (eventType: SvcEventType): void;
  <_>(eventType: SvcEventType): void;
}

type ExperienceResult = SvcEventMap['EXPERIENCE_CLOSED'];

type PaidCharge = { charge_id: string; amount_in_cents: number };

type Phrase =
  | 'A payment didn’t go through'
  | 'A payment is late'
  | 'Association dues'
  | 'Balance'
  | 'Check back when you have a balance.'
  | 'Choose how many payments'
  | 'Choose my plan'
  | 'Close'
  | 'Continue'
  | 'Credit'
  | 'Failed'
  | 'Fees and terms apply.'
  | 'Fees and terms apply. Subject to approval.'
  | 'First payment of {first} plus a {fee} fee today, then one every {days} days. {apr} APR. Subject to approval.'
  | 'First payment of {first} today, then one every {days} days. No fee, 0% APR. Subject to approval.'
  | 'First payment processing'
  | 'It was due {date}'
  | 'Late'
  | 'Manage plan'
  | 'Next'
  | 'Next payment: {date}'
  | 'No longer available for this home'
  | 'Not available after you move out'
  | 'Not available right now'
  | 'Not available until {date}'
  | 'Nothing due'
  | 'Nothing is charged until you agree'
  | 'Opening…'
  | 'Paid'
  | 'Pay now'
  | 'Payment options'
  | 'Plan active'
  | 'Processing'
  | 'Sandbox'
  | 'Scheduled'
  | 'See details'
  | 'See every date and the total cost'
  | 'See my options'
  | 'See status'
  | 'See why'
  | 'Something needs your attention'
  | 'Split it into 2, 3 or 4 payments'
  | 'That didn’t open. Try again'
  | 'The terms of your agreement apply.'
  | 'Try again'
  | 'We’ll show you what to do'
  | 'We’re reviewing your application'
  | 'When you have a balance, see your options here'
  | 'You can split it starting {date}'
  | 'You can still pay in your portal as usual'
  | 'You won’t lose your place.'
  | 'Your balance is due as usual.'
  | 'Your options didn’t load'
  | 'Your plan is paid off'
  | 'Your plan starts once it’s paid'
  | 'You’re approved. Choose a plan'
  | 'You’re paying over time'
  | 'You’ve started an application'
  | '{count} payments of {amount}'
  | '{paid} of {count} payments made';

type ProductVariant = 'hoa' | 'rent';

interface SettingIssue {
  name: string;
  got: string;
  wants: string;
  message: string;
}

type Step =
  | 'application'
  | 'blocked'
  | 'consent'
  | 'decision'
  | 'declined'
  | 'done'
  | 'manage'
  | 'offer'
  | 'payment_method'
  | 'plan_choice';

declare function Svc(settings: SvcSettings): SvcInstance;

interface SvcDiagnosis {
  page_url: string;
  service: string;
  environment: string;
  pms: string;
  external_id: string;
  signature: string;
  balance: number;
  container: {
    width: number;
    height: number;
  } | null;
  status: string | null;
  blocked_by: string[];
  problems: SvcProblem[];
}

declare class SvcError extends Error {
  readonly code: 1000;
  readonly error_code: string;
  readonly issues: readonly SettingIssue[];
  constructor(error_code: string, message: string, issues?: readonly SettingIssue[]);
}

type SvcEvent = {
  [T in SvcEventType]: {
    type: T;
    data: SvcEventMap[T];
  };
}[SvcEventType];

type SvcEventArguments = {
  [T in SvcEventType]: [eventType: T, data: SvcEventMap[T]];
}[SvcEventType];

type SvcEventHandler = ((...event: SvcEventArguments) => void) | EventTypeHandler;

interface SvcEventMap {
  WIDGET_READY: {
    width: number;
    height: number;
    layout: WidgetLayout;
  };
  WIDGET_CLICKED: Record<string, never>;
  EXPERIENCE_OPENED: Record<string, never>;
  EXPERIENCE_CLOSED: {
    reason: CloseReason;
    last_step: Step | null;
  };
  APPLICATION_SUBMITTED: {
    application_id: string;
  };
  USER_APPROVED: Record<string, never>;
  USER_DECLINED: Record<string, never>;
  SPLIT_RENT: {
    settlement_id: string;
    amount_in_cents: number;
    charges_paid: string[];
    charges_and_amounts_paid: PaidCharge[];
    plan_id: string;
  };
  PLAN_UPDATED: {
    plan_id: string;
    change: string;
  };
  REPAY: {
    plan_id: string;
    amount_in_cents: number;
  };
  TOKEN_EXPIRED: {
    renewable: boolean;
  };
  ERROR: {
    code: ErrorEventCode;
    msg: string;
    error_code: string;
    request_id?: string;
    retryable: boolean;
  };
}

type SvcEventType = keyof SvcEventMap;

interface SvcInstance {
  createWidget(): HTMLElement;
  openExperienceAndSetToken(token: string): Promise<ExperienceResult>;
  update(settings: Partial<SvcSettings>): void;
  destroy(): void;
  diagnose(): SvcDiagnosis;
  readonly busy: boolean;
  on<T extends SvcEventType>(type: T, listener: (data: SvcEventMap[T]) => void): () => void;
}

interface SvcLocale extends Readonly<Partial<Record<Phrase, string>>> {
  readonly language: string;
}

type SvcProblem = Pick<SvcEventMap['ERROR'], 'code' | 'error_code' | 'msg' | 'request_id'>;

interface SvcSettings {
  balance: number;
  pms: string;
  externalId: string;
  onEvent: SvcEventHandler;
  environment: Environment;
  signature: string;
  onWidgetClickCallback: () => unknown;
  productVariant?: ProductVariant | undefined;
  token?: string | null | undefined;
  baseUrl?: string | undefined;
  fetchToken?: (() => string | Promise<string>) | undefined;
  identityCheck?: 'mount' | 'open' | undefined;
  locale?: string | SvcLocale | undefined;
  appearance?: Appearance | undefined;
  nonce?: string | undefined;
}

type Theme = 'light' | 'dark' | 'auto';

type WidgetLayout = 'stacked' | 'roomy' | 'columns' | 'large';

declare function showSettingsProblem(
  box: HTMLElement | null,
  {
    baseUrl,
    environment,
  }: {
    readonly baseUrl?: unknown;
    readonly environment?: unknown;
  },
  { message }: Error,
): () => void;

export {
  Appearance,
  AppearanceVariable,
  CloseReason,
  Environment,
  ErrorEventCode,
  ExperienceResult,
  ProductVariant,
  SettingIssue,
  Step,
  Svc,
  SvcDiagnosis,
  SvcError,
  SvcEvent,
  SvcEventArguments,
  SvcEventHandler,
  SvcEventMap,
  SvcEventType,
  SvcInstance,
  SvcLocale,
  SvcProblem,
  SvcSettings,
  Theme,
  WidgetLayout,
  showSettingsProblem,
};

// tag/define-svc-widget
interface SvcWidgetElement extends HTMLElement {
  settings: Partial<SvcSettings>;
  openExperienceAndSetToken(token: string): Promise<ExperienceResult>;
  diagnose(): SvcDiagnosis | undefined;
}

declare global {
  interface HTMLElementTagNameMap {
    'svc-widget': SvcWidgetElement;
  }
  interface HTMLElementEventMap {
    'svc-event': CustomEvent<SvcEvent>;
  }
}

declare function defineSvcWidget(name?: string): void;

export { SvcWidgetElement, defineSvcWidget };

// message/create-message
interface Message {
  readonly element: HTMLElement;
  update(changes: Partial<MessageSettings>): void;
}

interface MessageSettings {
  amount: number;
  count?: 2 | 3 | 4 | undefined;
  fee?: number | undefined;
  days?: number | undefined;
  from?: number | undefined;
  to?: number | undefined;
  locale?: SvcLocale | undefined;
}

declare function createMessage(settings: MessageSettings): Message;

declare function messageOf(settings: MessageSettings):
  | {
      offer: string;
      terms: string;
    }
  | undefined;

export { Message, MessageSettings, createMessage, messageOf };

// locales/es
declare const es: SvcLocale & Record<Phrase, string>;

export { es };

// webview/index
type CallbackName = 'onWidgetClickCallback' | 'fetchToken';

type CallbackResult =
  | {
      outcome: 'token';
      token: string;
    }
  | {
      outcome: 'nothing';
    }
  | {
      outcome: 'null' | 'object' | 'threw';
    };

type FromPage =
  | {
      type: 'event';
      event: SvcEvent;
    }
  | {
      type: 'call';
      call: number;
      name: CallbackName;
    }
  | {
      type: 'open';
      token: string;
    }
  | {
      type: 'closed';
      result: ExperienceResult;
    }
  | {
      type: 'log';
      line: string;
    };

interface PassedSettings
  extends Omit<SvcSettings, 'onEvent' | 'onWidgetClickCallback' | 'fetchToken' | 'nonce'> {
  fetchToken?: boolean;
}

type ToPage =
  | {
      type: 'start';
      secret: string;
      shows: 'widget' | 'experience';
      settings: PassedSettings;
      token: string | null;
    }
  | {
      type: 'settings';
      settings: PassedSettings;
    }
  | {
      type: 'result';
      call: number;
      result: CallbackResult;
    }
  | {
      type: 'opened';
    }
  | {
      type: 'seen';
      event: SvcEventType;
    }
  | {
      type: 'closed';
      last_step: ExperienceResult['last_step'];
    }
  | {
      type: 'token';
      token: string;
    }
  | {
      type: 'back';
    };

declare function loadFailureTexts(
  locale: SvcSettings['locale'],
): Record<'title' | 'retry' | 'close' | 'dialogTitle', string>;

declare const webviewPath = '/sdk/webview';

export {
  CallbackName,
  CallbackResult,
  Environment,
  FromPage,
  PassedSettings,
  SvcError,
  ToPage,
  loadFailureTexts,
  webviewPath,
};

// staff/staff-view
type PortalView = 'settlements' | 'tenant_plan' | 'webhooks';

interface StaffProblem {
  error_code:
    | 'frame_timeout'
    | 'frame_blocked'
    | 'token_failed'
    | 'token_invalid'
    | 'token_refused'
    | 'token_mismatch'
    | 'invalid_settings';
  msg: string;
  cause?: unknown;
}

declare function StaffView(settings: StaffViewSettings): StaffViewInstance;

interface StaffViewInstance {
  readonly element: HTMLElement;
  update(changes: Partial<StaffViewSettings>): void;
  destroy(): void;
}

interface StaffViewSettings {
  view: PortalView;
  pms: string;
  externalId?: string | undefined;
  environment: Environment;
  baseUrl?: string | undefined;
  getToken: (of: { view: PortalView; externalId: string | null }) => string | Promise<string>;
  appearance?: Appearance | undefined;
  onError?: ((problem: StaffProblem) => void) | undefined;
}

export {
  Appearance,
  AppearanceVariable,
  Environment,
  PortalView,
  SettingIssue,
  StaffProblem,
  StaffView,
  StaffViewInstance,
  StaffViewSettings,
  SvcError,
  showSettingsProblem,
};

// testing/index
interface Contrast {
  text: string;
  ratio: number;
  enough: boolean;
}

interface ExperiencePageOptions {
  manner?: 'lively' | 'silent' | 'refusing';
}

interface FakeExperience {
  readonly svc: SvcInstance;
  readonly settings: SvcSettings;
  readonly events: readonly SvcEvent[];
  readonly open: boolean;
  readonly token: string | null;
  readonly destroyed: boolean;
  click(): Promise<void>;
  emit<T extends SvcEventType>(type: T, data: SvcEventMap[T]): void;
  complete(split?: Partial<SvcEventMap['SPLIT_RENT']>): void;
  decline(): void;
  expire(): Promise<void>;
  close(reason?: CloseReason, lastStep?: Step | null): void;
}

declare function Svc(given: SvcSettings): SvcInstance;

declare function contrastOf(widget: HTMLElement): Contrast[];

declare function experiencePage({ manner }?: ExperiencePageOptions): string;

declare const fakeExperiences: readonly FakeExperience[];

declare function forgetFakes(): void;

export {
  Contrast,
  Environment,
  ExperiencePageOptions,
  FakeExperience,
  Svc,
  SvcError,
  contrastOf,
  experiencePage,
  fakeExperiences,
  forgetFakes,
  showSettingsProblem,
};
