// Messages between the SDK on the partner's page and the experience in its frame.
// No dependencies: `@svc/core` inlines this file. `svc` is the protocol's version.
//
// Over `window`: `hello` (frame to SDK, target `*`, carries nothing but the nonce) and `port`
// (SDK to frame, exact origin, transfers a MessagePort). Everything else goes over the port.

import type { PageAppearance } from './appearance.ts';
import type { PaidCharge } from './charges.ts';
import type {
  PortalView,
  ProductVariant,
  Step,
  WidgetPaymentState,
  WidgetState,
  WidgetStatus,
} from './vocabulary.ts';

export type { PortalView, ProductVariant, Step };

export type Theme = 'light' | 'dark' | 'auto';

export type CloseReason = 'completed' | 'dismissed' | 'error' | 'destroyed';

export type ErrorEventCode = 1000 | 1001 | 1002 | 1100 | 1200 | 1300 | 1400 | 1500;

/** Every SDK event with its data. Money is integer cents. Receivers ignore unknown types. */
export interface SvcEventMap {
  WIDGET_READY: { width: number; height: number; layout: WidgetLayout };
  WIDGET_CLICKED: Record<string, never>;
  EXPERIENCE_OPENED: Record<string, never>;
  EXPERIENCE_CLOSED: { reason: CloseReason; last_step: Step | null };
  APPLICATION_SUBMITTED: { application_id: string };
  USER_APPROVED: Record<string, never>;
  USER_DECLINED: Record<string, never>;
  SPLIT_RENT: {
    settlement_id: string;
    amount_in_cents: number;
    charges_paid: string[];
    charges_and_amounts_paid: PaidCharge[];
    plan_id: string;
  };
  PLAN_UPDATED: { plan_id: string; change: string };
  REPAY: { plan_id: string; amount_in_cents: number };
  TOKEN_EXPIRED: { renewable: boolean };
  ERROR: {
    /**
     * 1000 settings, 1001 signature, 1002 container too small, 1100 token, 1200 network,
     * 1300 frame blocked, 1400 callback threw or opened nothing, 1500 server.
     */
    code: ErrorEventCode;
    msg: string;
    error_code: string;
    request_id?: string;
    retryable: boolean;
  };
}

/** An ERROR event, as `svc.diagnose()` lists it. */
export type SvcProblem = Pick<SvcEventMap['ERROR'], 'code' | 'error_code' | 'msg' | 'request_id'>;

/**
 * The state of one widget, for the doctor: send it as `diagnosis` to `POST /v1/partner/doctor`, or
 * paste it there in the console. It identifies the tenant and holds no token.
 */
export interface SvcDiagnosis {
  /** Address of the page, without query and fragment. */
  page_url: string;
  /** Origin of the service. */
  service: string;
  environment: string;
  pms: string;
  external_id: string;
  signature: string;
  /** The balance as it was passed to the widget, in cents. */
  balance: number;
  /** Size of the widget in CSS pixels; null while it is not on the page. */
  container: { width: number; height: number } | null;
  /** The tenant's status in the service's last response; null without one. */
  status: string | null;
  /** Directives of the page's Content-Security-Policy that have blocked something of the service. */
  blocked_by: string[];
  problems: SvcProblem[];
}

/** `stacked` under 400 px, `roomy` to 519, `columns` from 520, `large` from 760. */
export type WidgetLayout = 'stacked' | 'roomy' | 'columns' | 'large';

export type SvcEventType = keyof SvcEventMap;

/** An event as a discriminated union: narrow `data` by `type`. */
export type SvcEvent = { [T in SvcEventType]: { type: T; data: SvcEventMap[T] } }[SvcEventType];

/** The tenant's state, which the service returns to the widget. The SDK has the texts for it. */
export interface WidgetSession {
  /** For SDKs that do not know `status` or its value. An unknown `state` means `unavailable`. */
  state: WidgetState;
  /** More detailed than `state`. Services up to 0.2 do not send it. */
  status?: WidgetStatus;
  /** `YYYY-MM-DD`, with a plan: the day of its earliest payment that is still to be made. */
  next_payment_on: string | null;
  /** `YYYY-MM-DD`: the first day on which the tenant can split. With `too_early`, and after a decline. */
  available_on: string | null;
  /** The payments of the plan, by day. Services up to 0.2 do not send it. */
  payments?: WidgetPayment[];
  /** `YYYY-MM-DD` of each payment that a credit has paid; such payments are not in `payments`. */
  credited_on?: string[];
  /** The service's environment. Services up to 0.2 do not send it. */
  environment?: 'sandbox' | 'production';
}

/** One payment of a plan. Never its amount, because the signature never expires. */
export interface WidgetPayment {
  /** `YYYY-MM-DD`. */
  due_on: string;
  state: WidgetPaymentState;
  /** The tenant has moved it to another day. */
  moved?: true;
}

/** Frame to SDK, over `window`, target `*`. */
export interface HelloMessage {
  svc: 1;
  type: 'hello';
  nonce: string;
}

/** SDK to frame, over `window`, exact origin, with one transferred port; the same nonce back. */
export interface PortMessage {
  svc: 1;
  type: 'port';
  nonce: string;
}

export interface InitMessage {
  svc: 1;
  type: 'init';
  token: string | null;
  pms: string;
  externalId: string;
  signature: string;
  productVariant: ProductVariant;
  /** The setting, else the page's computed `color-scheme` around the widget. */
  theme: string;
  locale: string | null;
  /** Older SDKs send none. The frame reads it as hostile input. */
  appearance?: PageAppearance;
}

/** The page's theme or language has changed since `init`. The open frame applies it without a reload. */
export interface AppearanceMessage {
  svc: 1;
  type: 'appearance';
  theme: string;
  locale: string | null;
  appearance?: PageAppearance;
}

/**
 * SDK to frame over the port. `init` without a token preloads the frame; `token` follows it. A later
 * `token` renews the session or replaces it. The frame answers each token with `ready`. `back`: the
 * tenant pressed the browser's or the phone's back button. The frame goes one step back, or answers
 * with `close` if there is none. The SDK sends it only to a frame that has said `can_go_back`.
 */
export type ToFrame =
  | InitMessage
  | AppearanceMessage
  | { svc: 1; type: 'token'; token: string }
  | { svc: 1; type: 'back' };

/**
 * Frame to SDK over the port. `ready`: the tenant's first screen for the last token is painted.
 * `step`: sent at each change, so that the SDK knows `last_step` when the partner's page closes it.
 * `can_go_back`: sent at each change. Without it, the back button closes the dialog, as it does for
 * frames of a service up to 0.2. SDKs up to 0.2 ignore it and never send `back`.
 * `escape`: the key was pressed inside the frame, where the dialog does not receive it.
 * `token_needed`: the token was refused or the session ended; the SDK emits TOKEN_EXPIRED.
 *
 * The SDK draws its close button over the frame's top inline-end corner: 64 by 64 px stay free.
 */
export type FromFrame =
  | { svc: 1; type: 'ready' }
  | { svc: 1; type: 'step'; step: Step }
  | { svc: 1; type: 'event'; event: SvcEvent }
  | { svc: 1; type: 'close'; reason: CloseReason; last_step: Step | null }
  | { svc: 1; type: 'can_go_back'; value: boolean }
  | { svc: 1; type: 'escape' }
  | { svc: 1; type: 'token_needed' };

/** SDK to the frame of a view of the console, after the same handshake. If `token` is null, `token` follows. */
export interface ConsoleInitMessage {
  svc: 1;
  type: 'init';
  view: PortalView;
  externalId: string | null;
  token: string | null;
  theme: string;
  /** The frame reads it as hostile input. */
  appearance?: PageAppearance;
}

/** SDK to the frame of a view. A later `token` replaces the one before it, without a reload. */
export type ToConsoleFrame =
  | ConsoleInitMessage
  | Pick<AppearanceMessage, 'svc' | 'type' | 'theme' | 'appearance'>
  | { svc: 1; type: 'token'; token: string };

/**
 * The frame of a view to the SDK. `ready`: the service has accepted the last token. `token_needed`: there is
 * none, it ends soon, or it was refused. `mismatch`: the token is for another view, tenant or portal; `msg`
 * says so to the page's developer. `resize`: the height of the content in CSS pixels, at each change.
 */
export type FromConsoleFrame =
  | { svc: 1; type: 'ready' }
  | { svc: 1; type: 'token_needed' }
  | { svc: 1; type: 'mismatch'; msg: string }
  | { svc: 1; type: 'resize'; height: number };
