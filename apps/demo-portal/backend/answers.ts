import type { ProductVariant } from '@svc/contract';

/** The JSON responses of the demo's backend to its own pages. Money is in integer cents. */

export interface Welcome {
  tenants: TenantSummary[];
}

export interface TenantSummary {
  id: string;
  name: string;
  shows: string;
}

export interface Selected {
  account: Account;
  widget: WidgetSettings;
}

/** The widget's settings, except callbacks. */
export interface WidgetSettings {
  pms: string;
  external_id: string;
  signature: string;
  product_variant: ProductVariant;
  /** The service, for the SDK's `baseUrl`. */
  base_url: string;
  /** Whether the page requests a token on load and passes it to the widget. */
  preload: boolean;
}

export interface Account {
  tenant_id: string;
  first_name: string;
  name: string;
  email: string;
  phone: string;
  variant: ProductVariant;
  unit: string;
  lease: { id: string; starts_on: string; ends_on: string | null };
  property: { name: string; line1: string; city: string; state: string; postal_code: string };
  due_date: string;
  balance_in_cents: number;
  /** Newest first. The first cycle is the next one due. */
  cycles: Cycle[];
}

export interface Cycle {
  due_date: string;
  entries: LedgerEntry[];
  balance_in_cents: number;
}

/** A charge, or a payment with a negative amount. */
export interface LedgerEntry {
  id: string;
  kind: 'charge' | 'payment';
  date: string;
  description: string;
  amount_in_cents: number;
  /** Set for payments by Svc. */
  settlement_id: string | null;
}

interface ActivityBase {
  /** Increases with each activity. */
  seq: number;
  at: string;
  tenant_id: string | null;
  doc_url: string;
}

/** An API call from this backend to Svc. Tokens and links in the bodies are masked. */
export interface CallActivity extends ActivityBase {
  kind: 'call';
  method: string;
  path: string;
  status: number | null;
  duration_ms: number;
  request: string | null;
  response: string | null;
}

/** An SDK event received by the page. */
export interface SdkActivity extends ActivityBase {
  kind: 'sdk';
  type: string;
  data: string;
}

/** A request to the webhook receiver, genuine or not. */
export interface WebhookActivity extends ActivityBase {
  kind: 'webhook';
  /** Null if the request could not be verified. */
  type: string | null;
  webhook_id: string | null;
  verified: boolean;
  /** Why it was rejected. */
  reason: string | null;
  message: string | null;
  /** Whether this ID was received before, because of at-least-once delivery or a replay. */
  repeated: boolean;
  body: string;
}

export type Activity = CallActivity | SdkActivity | WebhookActivity;

export interface Failure {
  error: { code: string; message: string };
}

/** The settings of a view of the back office. */
export interface OfficeAnswer {
  pms: string;
  base_url: string;
  token: string;
}
