// The objects of Stripe's API that our adapter reads, with the fields that it reads and the ones that
// people look for in a log. Names and nesting are those of the API version `2026-10-28.endive`.

type Metadata = Record<string, string>;

export interface Customer {
  readonly id: string;
  readonly object: 'customer';
  readonly created: number;
  readonly email: string | null;
  readonly metadata: Metadata;
}

export interface CheckoutSession {
  readonly id: string;
  readonly object: 'checkout.session';
  readonly created: number;
  readonly mode: 'setup';
  readonly customer: string;
  readonly setup_intent: string;
  readonly payment_method_types: readonly string[];
  readonly success_url: string;
  readonly cancel_url: string | null;
  readonly client_reference_id: string | null;
  readonly custom_text: { readonly submit: { readonly message: string } | null };
  readonly expires_at: number;
  readonly metadata: Metadata;
  status: 'open' | 'complete' | 'expired';
  /** The hosted page; null once the session has ended. */
  url: string | null;
}

export interface SetupIntent {
  readonly id: string;
  readonly object: 'setup_intent';
  readonly created: number;
  readonly customer: string;
  readonly usage: 'off_session';
  readonly payment_method_types: readonly string[];
  readonly metadata: Metadata;
  status: 'requires_payment_method' | 'requires_action' | 'succeeded' | 'canceled';
  payment_method: string | null;
  mandate: string | null;
  next_action: null | {
    readonly type: 'verify_with_microdeposits';
    readonly verify_with_microdeposits: {
      readonly arrival_date: number;
      readonly hosted_verification_url: string;
      readonly microdeposit_type: 'descriptor_code';
    };
  };
  last_setup_error: null | { readonly code: string; readonly message: string };
}

export interface PaymentMethod {
  readonly id: string;
  readonly object: 'payment_method';
  readonly created: number;
  readonly type: 'card' | 'us_bank_account';
  card?: {
    readonly brand: string;
    readonly last4: string;
    readonly exp_month: number;
    readonly exp_year: number;
    readonly funding: 'credit' | 'debit' | 'prepaid' | 'unknown';
  };
  readonly us_bank_account?: {
    readonly account_type: 'checking' | 'savings';
    readonly bank_name: string;
    readonly last4: string;
    readonly routing_number: string;
  };
  customer: string | null;
}

export interface Mandate {
  readonly id: string;
  readonly object: 'mandate';
  readonly payment_method: string;
  readonly type: 'multi_use';
  readonly customer_acceptance: {
    readonly accepted_at: number;
    readonly type: 'online';
    readonly online: { readonly ip_address: string; readonly user_agent: string };
  };
  status: 'active' | 'inactive' | 'pending';
}

/** Why a charge failed, as `last_payment_error` of its PaymentIntent and as the error of a 402. */
interface PaymentError {
  readonly type: 'card_error' | 'invalid_request_error';
  readonly code: string;
  readonly message: string;
  readonly decline_code?: string;
  readonly network_decline_code?: string;
}

export interface PaymentIntent {
  readonly id: string;
  readonly object: 'payment_intent';
  readonly created: number;
  readonly amount: number;
  readonly currency: string;
  readonly customer: string;
  readonly payment_method_types: readonly string[];
  readonly description: string | null;
  readonly metadata: Metadata;
  status: 'requires_payment_method' | 'requires_action' | 'processing' | 'succeeded' | 'canceled';
  next_action: null | {
    readonly type: 'redirect_to_url';
    readonly redirect_to_url: { readonly url: string; readonly return_url: string };
  };
  amount_received: number;
  payment_method: string | null;
  latest_charge: string | null;
  last_payment_error: PaymentError | null;
}

export interface Charge {
  readonly id: string;
  readonly object: 'charge';
  readonly created: number;
  readonly amount: number;
  readonly customer: string;
  readonly payment_intent: string;
  readonly payment_method: string;
  readonly metadata: Metadata;
  status: 'succeeded' | 'pending' | 'failed';
  amount_refunded: number;
  refunded: boolean;
  disputed: boolean;
  failure_code: string | null;
  outcome: { readonly network_decline_code: string | null } | null;
}

export interface Refund {
  readonly id: string;
  readonly object: 'refund';
  readonly created: number;
  readonly amount: number;
  readonly currency: string;
  readonly charge: string;
  readonly payment_intent: string;
  readonly metadata: Metadata;
  status: 'pending' | 'succeeded' | 'failed' | 'canceled' | 'requires_action';
  failure_reason?: string;
}

export interface Dispute {
  readonly id: string;
  readonly object: 'dispute';
  readonly created: number;
  readonly amount: number;
  readonly charge: string;
  readonly payment_intent: string;
  readonly reason: string;
  readonly network_reason_code: string | null;
  readonly payment_method_details: { readonly type: 'card' } | undefined;
  readonly metadata: Metadata;
  readonly evidence_details: { readonly due_by: number };
  /** The amounts that the bank withdrew from us and returned to us. */
  readonly balance_transactions: { readonly amount: number; readonly currency: 'usd' }[];
  status:
    | 'warning_needs_response'
    | 'warning_closed'
    | 'needs_response'
    | 'under_review'
    | 'won'
    | 'lost';
}

export type StripeObject =
  | Customer
  | CheckoutSession
  | SetupIntent
  | PaymentMethod
  | Mandate
  | PaymentIntent
  | Charge
  | Refund
  | Dispute;

export interface StripeEvent {
  readonly id: string;
  readonly object: 'event';
  readonly api_version: string;
  readonly created: number;
  readonly type: string;
  readonly livemode: false;
  /** A copy of the object as it was at the moment of the event. */
  readonly data: { readonly object: StripeObject };
}
