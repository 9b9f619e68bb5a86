import type { ProductVariant } from '@svc/contract';
/** What the demo's backend tells its own pages, in JSON. Money is integer cents. */

export interface Welcome {
  /** Where the service stands, for `baseUrl`. */
  service_origin: string;
  pms: string;
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

/** All but the callbacks: what a page needs for the widget. */
export interface WidgetSettings {
  pms: string;
  external_id: string;
  signature: string;
  product_variant: ProductVariant;
  /** The page asks for a token at load and hands it to the widget. */
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
  /** Newest first; the first is the one that is due next. */
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
  /** Set when Svc pays, as its verified webhook said. */
  settlement_id: string | null;
}

export interface ActivityBase {
  /** Counts up; the order in which things happened. */
  seq: number;
  at: string;
  tenant_id: string | null;
  doc_url: string;
}

/** A call of this backend to Svc. Tokens and links are masked in the bodies. */
export interface CallActivity extends ActivityBase {
  kind: 'call';
  method: string;
  path: string;
  status: number | null;
  duration_ms: number;
  request: string | null;
  response: string | null;
}

/** An event of the SDK, as the page got it. */
export interface SdkActivity extends ActivityBase {
  kind: 'sdk';
  type: string;
  data: string;
}

/** A request at the webhook receiver, whoever sent it. */
export interface WebhookActivity extends ActivityBase {
  kind: 'webhook';
  /** Null when nothing about it could be verified. */
  type: string | null;
  webhook_id: string | null;
  verified: boolean;
  /** Why it was refused, and what to do. */
  reason: string | null;
  message: string | null;
  /** The same id came before: at-least-once delivery, or a replay. */
  repeated: boolean;
  body: string;
}

export type Activity = CallActivity | SdkActivity | WebhookActivity;

export interface Failure {
  error: { code: string; message: string };
}
