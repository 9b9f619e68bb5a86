// index
interface ActivityFilter {
  endpoint_id?: string;
  since?: string;
  until?: string;
}

type ActivityOutput = {
  step_seconds: number;
  buckets: {
    at: string;
    delivered: number;
    failed: number;
    p50_ms: number | null;
    p95_ms: number | null;
  }[];
};

type AdvanceClock = { to?: string | undefined; by?: string | undefined };

type AllowedOriginsOutput = { allowed_origins: string[]; app_schemes: string[] };

interface AnyWebhookEvent extends Omit<WebhookEvent, 'type' | 'data'> {
  type: string;
  data: Record<string, unknown>;
}

type ApiKeyOutput = {
  id: string;
  name: string | null;
  scopes: (
    | 'everything'
    | 'read'
    | 'settlements'
    | 'simulation'
    | 'tokens'
    | 'webhooks'
    | 'widget'
  )[];
  prefix: string;
  ends_with: string | null;
  state: 'expiring' | 'live' | 'revoked';
  created_at: string;
  last_used_at: string | null;
  expires_at: string | null;
  revoked_at: string | null;
  is_current: boolean;
};

type AppearanceInput = {
  accent?: string | null | undefined;
  radius?: number | null | undefined;
  font?: 'geometric' | 'grotesque' | 'humanist' | 'rounded' | 'serif' | 'system' | null | undefined;
  theme?: 'auto' | 'dark' | 'light' | undefined;
};

type AppearanceOutput = {
  accent: string | null;
  radius: number | null;
  font: 'geometric' | 'grotesque' | 'humanist' | 'rounded' | 'serif' | 'system' | null;
  theme: 'auto' | 'dark' | 'light';
  logo: { url: string; width: number; height: number } | null;
  font_file: { url: string } | null;
  colors: {
    light: { accent: string; on_accent: string; hover: string; ink: string; tint: string };
    dark: { accent: string; on_accent: string; hover: string; ink: string; tint: string };
  };
  warnings: { code: 'accent_adjusted'; theme: 'dark' | 'light'; used: string; message: string }[];
};

interface AttemptFilter {
  endpoint_id?: string;
  succeeded?: boolean;
  status_class?: '1xx' | '2xx' | '3xx' | '4xx' | '5xx' | 'none';
  error_class?:
    | 'blocked_address'
    | 'connect'
    | 'dns'
    | 'protocol'
    | 'reset'
    | 'status'
    | 'timeout'
    | 'tls';
  external_id?: string;
  event_type?: string;
  channel?: string;
  since?: string;
  until?: string;
  limit?: number;
}

type AttemptOutput = {
  id: string;
  message_id: string;
  endpoint_id: string;
  number: number;
  trigger: 'manual' | 'recover' | 'schedule' | 'test';
  started_at: string;
  status: number | null;
  succeeded: boolean;
  error_class:
    | 'blocked_address'
    | 'connect'
    | 'dns'
    | 'protocol'
    | 'reset'
    | 'status'
    | 'timeout'
    | 'tls'
    | null;
  error: string | null;
  hint: string | null;
  url: string;
  request_headers: Record<string, string>;
  response_headers: Record<string, string>;
  response_body: string | null;
  response_truncated: boolean;
  timing_in_ms: {
    dns: number | null;
    connect: number | null;
    tls: number | null;
    first_byte: number | null;
    total: number;
  };
  next_attempt_at: string | null;
};

type AuditEntry = {
  id: string;
  action:
    | 'collections.paused'
    | 'collections.resumed'
    | 'endpoint.created'
    | 'endpoint.deleted'
    | 'endpoint.updated'
    | 'key.created'
    | 'key.link_opened'
    | 'key.revoked'
    | 'key.rotated'
    | 'mail.printed'
    | 'mail.resent'
    | 'mail.sent_on_paper'
    | 'message.expunged'
    | 'message.published'
    | 'message.replayed'
    | 'partner.appearance_changed'
    | 'partner.certification_finished'
    | 'partner.certification_started'
    | 'partner.created'
    | 'partner.doctor_run'
    | 'partner.font_removed'
    | 'partner.font_uploaded'
    | 'partner.go_live_marked'
    | 'partner.logo_removed'
    | 'partner.logo_uploaded'
    | 'partner.origins_changed'
    | 'payment.dispute_booked'
    | 'payment.refunded'
    | 'payment.returned'
    | 'payout.adjusted'
    | 'payout.created'
    | 'payout.scheduled'
    | 'payout.updated'
    | 'plan.canceled'
    | 'plan.fee_waived'
    | 'plan.payment_moved'
    | 'portal.link_created'
    | 'portal.session_closed'
    | 'portal.session_opened'
    | 'portal.session_revoked'
    | 'portal.sessions_revoked'
    | 'portal.token_created'
    | 'replay.canceled'
    | 'replay.paused'
    | 'replay.resumed'
    | 'replay.started'
    | 'secret.key_pair_rotated'
    | 'secret.revealed'
    | 'secret.rotated'
    | 'settlement.refunded'
    | 'settlement.reopened'
    | 'settlement.returned'
    | 'settlement.updated'
    | 'tenant.erased'
    | 'tenant.exported'
    | 'tenant.notices_on_paper'
    | 'test.preset_removed'
    | 'test.preset_saved'
    | 'test.sent';
  occurred_at: string;
  via: 'cli' | 'key' | 'portal';
  credential_id: string;
  credential: {
    ends_with: string | null;
    person: string | null;
    read_only: boolean;
    since: string;
  };
  endpoint_id: string | null;
  subject_id: string | null;
  details: Record<string, string | number | boolean | string[]>;
  request_id: string;
  address: string | null;
};

interface CallOptions {
  idempotencyKey?: string;
  signal?: AbortSignal;
  timeoutMs?: number;
  maxRetries?: number;
}

type CertificationCaseOutput = {
  name:
    | 'altered_body'
    | 'burst'
    | 'charged_off'
    | 'click_to_done'
    | 'compressed_answer'
    | 'csp'
    | 'daily_report'
    | 'debited_once'
    | 'declined'
    | 'disputed'
    | 'double_click'
    | 'duplicates'
    | 'first_payment_failed'
    | 'handshake'
    | 'installment_failed'
    | 'keep_alive'
    | 'key_in_page'
    | 'keyboard_only'
    | 'language'
    | 'large_body'
    | 'late'
    | 'moved_out'
    | 'old_timestamp'
    | 'outage'
    | 'paid_off'
    | 'past_due'
    | 'raw_body'
    | 'refunded'
    | 'reordered'
    | 'report_repeated'
    | 'reported'
    | 'returned'
    | 'rotated_secret'
    | 'service_down'
    | 'service_slow'
    | 'settled'
    | 'signature'
    | 'sizes'
    | 'split'
    | 'stored_before_answer'
    | 'test_mark'
    | 'token_expired'
    | 'unknown_field'
    | 'unknown_type'
    | 'widget_shown';
  area: 'life' | 'money' | 'page' | 'receiver';
  title: string;
  status: 'fail' | 'pass' | 'pending' | 'skipped' | 'warn';
  summary: string | null;
  cause: string | null;
  fix: string | null;
  docs_url: string | null;
  steps: {
    title: string;
    detail: string | null;
    request: {
      method: string;
      url: string;
      headers: Record<string, string>;
      body: string | null;
    } | null;
    response: { status: number; headers: Record<string, string>; body: string | null } | null;
    duration_in_ms: number | null;
  }[];
  ran_at: string | null;
  duration_in_ms: number | null;
  reported_by: 'cli' | 'service';
};

type CertificationOutput = {
  id: string;
  state: 'abandoned' | 'failed' | 'incomplete' | 'passed' | 'running';
  verdict: string | null;
  service_version: string;
  endpoint_id: string;
  endpoint_url: string;
  tenant_query_url: string | null;
  product_variant: 'hoa' | 'rent';
  tenants: string[];
  anyway: boolean;
  created_at: string;
  last_step_at: string;
  finished_at: string | null;
  cases: {
    name:
      | 'altered_body'
      | 'burst'
      | 'charged_off'
      | 'click_to_done'
      | 'compressed_answer'
      | 'csp'
      | 'daily_report'
      | 'debited_once'
      | 'declined'
      | 'disputed'
      | 'double_click'
      | 'duplicates'
      | 'first_payment_failed'
      | 'handshake'
      | 'installment_failed'
      | 'keep_alive'
      | 'key_in_page'
      | 'keyboard_only'
      | 'language'
      | 'large_body'
      | 'late'
      | 'moved_out'
      | 'old_timestamp'
      | 'outage'
      | 'paid_off'
      | 'past_due'
      | 'raw_body'
      | 'refunded'
      | 'reordered'
      | 'report_repeated'
      | 'reported'
      | 'returned'
      | 'rotated_secret'
      | 'service_down'
      | 'service_slow'
      | 'settled'
      | 'signature'
      | 'sizes'
      | 'split'
      | 'stored_before_answer'
      | 'test_mark'
      | 'token_expired'
      | 'unknown_field'
      | 'unknown_type'
      | 'widget_shown';
    area: 'life' | 'money' | 'page' | 'receiver';
    title: string;
    status: 'fail' | 'pass' | 'pending' | 'skipped' | 'warn';
    summary: string | null;
    cause: string | null;
    fix: string | null;
    docs_url: string | null;
    steps: {
      title: string;
      detail: string | null;
      request: {
        method: string;
        url: string;
        headers: Record<string, string>;
        body: string | null;
      } | null;
      response: { status: number; headers: Record<string, string>; body: string | null } | null;
      duration_in_ms: number | null;
    }[];
    ran_at: string | null;
    duration_in_ms: number | null;
    reported_by: 'cli' | 'service';
  }[];
  signed_report: { payload: string; signature: string; key_id: string } | null;
};

type CertificationSummaryOutput = {
  id: string;
  state: 'abandoned' | 'failed' | 'incomplete' | 'passed' | 'running';
  verdict: string | null;
  service_version: string;
  endpoint_id: string;
  endpoint_url: string;
  tenant_query_url: string | null;
  product_variant: 'hoa' | 'rent';
  tenants: string[];
  anyway: boolean;
  created_at: string;
  last_step_at: string;
  finished_at: string | null;
};

type Charge = PortalInfo['charges'][number];

type CreateApiKeyInput = {
  name: string;
  scopes?:
    | ('everything' | 'read' | 'settlements' | 'simulation' | 'tokens' | 'webhooks' | 'widget')[]
    | undefined;
};

type CreateEndpoint = {
  url: string;
  description?: string | null | undefined;
  event_types?: string[] | null | undefined;
  channels?: string[] | null | undefined;
  filter?:
    | {
        field: string;
        equals?: string | number | boolean | undefined;
        in?: (string | number | boolean)[] | undefined;
        exists?: boolean | undefined;
      }[]
    | null
    | undefined;
  uid?: string | null | undefined;
  auth?:
    | { type: 'none' }
    | { type: 'basic'; username: string; password: string }
    | { type: 'header'; name: string; value: string }
    | undefined;
  headers?: { [x: string]: string } | undefined;
  secret?: string | undefined;
  throttle_per_second?: number | null | undefined;
  disable_on_gone?: boolean | undefined;
  honor_retry_after?: boolean | undefined;
  ordered?: boolean | undefined;
  asymmetric_signature?: boolean | undefined;
  metadata?: { [x: string]: string } | null | undefined;
  state?: 'disabled' | 'enabled' | undefined;
};

type CreatePortalToken = {
  view: 'settlements' | 'tenant_plan' | 'webhooks';
  external_id?: string | undefined;
  read_only?: boolean | undefined;
  expires_in?: number | undefined;
  person?: string | undefined;
};

type CreateRefund = {
  amount_in_cents: number;
  charge_id?: string | undefined;
  processor_transaction_id?: string | undefined;
  reason?: string | undefined;
};

type CreateReplay = {
  endpoint_id: string;
  since: string;
  until?: string | undefined;
  filter?:
    | {
        states?: ('delivered' | 'failed' | 'never_attempted' | 'skipped')[] | undefined;
        event_types?: string[] | undefined;
        status_class?: '1xx' | '2xx' | '3xx' | '4xx' | '5xx' | 'none' | undefined;
        error_class?:
          | 'blocked_address'
          | 'connect'
          | 'dns'
          | 'protocol'
          | 'reset'
          | 'status'
          | 'timeout'
          | 'tls'
          | undefined;
        external_id?: string | undefined;
        channel?: string | undefined;
      }
    | undefined;
  rate_per_second?: number | undefined;
  dry_run?: boolean | undefined;
};

type CreatedApiKeyOutput = {
  id: string;
  name: string | null;
  scopes: (
    | 'everything'
    | 'read'
    | 'settlements'
    | 'simulation'
    | 'tokens'
    | 'webhooks'
    | 'widget'
  )[];
  prefix: string;
  ends_with: string | null;
  state: 'expiring' | 'live' | 'revoked';
  created_at: string;
  last_used_at: string | null;
  expires_at: string | null;
  revoked_at: string | null;
  is_current: boolean;
  api_key: string | null;
  warnings: { code: string; param: string | null; message: string }[];
};

type CustomEvent = {
  event_type: string;
  data: Record<string, unknown>;
  external_id?: string | undefined;
  channels?: string[] | undefined;
  event_id?: string | undefined;
};

type DebitAccountOutput = {
  account_holder: string;
  bank_name: string;
  routing_number: string;
  account_number: string;
  account_type: 'checking' | 'savings';
  sec_code: 'CCD' | 'CTX';
  company_id: string | null;
  authorization: { reference: string; valid_from: string; maximum_in_cents: number | null };
  environment: 'production' | 'sandbox';
};

type Delivery = {
  id: string;
  endpoint_id: string;
  endpoint_url: string;
  state: 'delivered' | 'delivering' | 'exhausted' | 'held' | 'pending' | 'retrying' | 'skipped';
  reason: string | null;
  attempts_made: number;
  next_attempt_at: string | null;
};

type DeliveryAttemptOutput = {
  id: string;
  started_at: string;
  succeeded: boolean;
  status: number | null;
  error_class:
    | 'blocked_address'
    | 'connect'
    | 'dns'
    | 'protocol'
    | 'reset'
    | 'status'
    | 'timeout'
    | 'tls'
    | null;
  error: string | null;
  hint: string | null;
  duration_in_ms: number;
  attempt: number | null;
  max_attempts: number;
  next_attempt_at: string | null;
  trigger: 'manual' | 'recover' | 'schedule' | 'test';
  endpoint_id: string;
  url: string;
  message_id: string;
  event_type: string;
  external_id: string | null;
  channels: string[] | null;
};

interface DeliveryExport extends Omit<DeliveryFilter, 'limit'> {
  cursor?: string;
  limit?: number;
}

interface DeliveryFilter extends AttemptFilter {
  order?: 'newest' | 'failures_first';
}

type DoctorOutput = {
  checks: {
    id:
      | 'charges'
      | 'clock'
      | 'container'
      | 'csp'
      | 'frame_headers'
      | 'key'
      | 'origins'
      | 'page'
      | 'sdk'
      | 'signature'
      | 'webhook_forged'
      | 'webhook_repeated'
      | 'webhook_test'
      | 'webhook_valid'
      | 'window';
    status: 'fail' | 'pass' | 'skipped' | 'warn';
    title: string;
    detail: string;
    fix: string | null;
    docs_url: string | null;
  }[];
};

type EndpointHealth = {
  endpoint_id: string;
  hours: { at: string; delivered: number; failed: number }[];
  last_failure: {
    at: string;
    error_class:
      | 'blocked_address'
      | 'connect'
      | 'dns'
      | 'protocol'
      | 'reset'
      | 'status'
      | 'timeout'
      | 'tls';
    status: number | null;
    hint: string;
  } | null;
};

type EndpointOutput = {
  id: string;
  uid: string | null;
  url: string;
  description: string | null;
  event_types: string[] | null;
  channels: string[] | null;
  filter:
    | {
        field: string;
        equals?: string | number | boolean | undefined;
        in?: (string | number | boolean)[] | undefined;
        exists?: boolean | undefined;
      }[]
    | null;
  auth: {
    type: 'basic' | 'header' | 'none';
    username?: string | undefined;
    name?: string | undefined;
  };
  header_names: string[];
  throttle_per_second: number | null;
  disable_on_gone: boolean;
  honor_retry_after: boolean;
  ordered: boolean;
  asymmetric_signature: boolean;
  public_keys: { public_key: string; expires_at: string | null }[];
  metadata: Record<string, string>;
  state: 'disabled' | 'enabled';
  disabled_reason: string | null;
  held_count: number;
  previous_secret_expires_at: string | null;
  failing_since: string | null;
  disables_at: string | null;
  created_at: string;
};

type Envelope = {
  id: string;
  timestamp: string;
  api_version: 'v1';
  environment: 'production' | 'sandbox';
  pms: string;
  external_id: string | null;
  simulated?: true | undefined;
  test?: true | undefined;
  custom?: true | undefined;
};

type ErrorCode =
  | 'admin_scope_required'
  | 'api_key_not_found'
  | 'browser_call'
  | 'certification_finished'
  | 'certification_running'
  | 'clock_cannot_go_back'
  | 'confirmation_required'
  | 'debit_account_not_set'
  | 'delivered_by_svix'
  | 'endpoint_not_found'
  | 'event_id_reused'
  | 'expectation_failed'
  | 'fresh_link_required'
  | 'headers_too_large'
  | 'idempotency_key_in_progress'
  | 'idempotency_key_reused'
  | 'internal_error'
  | 'invalid_credentials'
  | 'invalid_idempotency_key'
  | 'invalid_json'
  | 'invalid_path'
  | 'key_scope_required'
  | 'last_api_key'
  | 'malformed_request'
  | 'message_not_found'
  | 'method_not_allowed'
  | 'missing_credentials'
  | 'no_allowed_origins'
  | 'not_found'
  | 'not_reproducible'
  | 'origin_not_allowed'
  | 'outside_of_view'
  | 'payload_too_large'
  | 'payments_paused'
  | 'payout_not_found'
  | 'payout_transition_invalid'
  | 'plan_already_exists'
  | 'plan_not_found'
  | 'portal_unknown'
  | 'precondition_failed'
  | 'quote_not_found'
  | 'rate_limited'
  | 'read_only_session'
  | 'refund_not_possible'
  | 'replay_not_found'
  | 'request_not_found'
  | 'request_timeout'
  | 'result_invalid'
  | 'result_used'
  | 'scenario_not_reachable'
  | 'settlement_not_found'
  | 'settlement_transition_invalid'
  | 'signature_invalid'
  | 'simulation_not_possible'
  | 'simulation_unavailable'
  | 'step_not_allowed'
  | 'tenant_not_found'
  | 'token_expired'
  | 'token_invalid'
  | 'unavailable'
  | 'unsupported_media_type'
  | 'validation_failed'
  | 'version_conflict'
  | 'wrong_environment';

interface EventFilter {
  after?: string;
  limit?: number;
}

type EventTypeDescription = {
  name: string;
  group: string;
  description: string;
  schema: Record<string, unknown>;
  example: Record<string, unknown>;
};

type ExperienceResult = {
  id: string;
  external_id: string;
  reason: 'completed' | 'dismissed';
  last_step:
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
  plan_id: string | null;
  expires_at: string;
};

type FailNextPayment = {
  return_code?:
    | 'R01'
    | 'R02'
    | 'R03'
    | 'R04'
    | 'R05'
    | 'R07'
    | 'R08'
    | 'R09'
    | 'R10'
    | 'R11'
    | 'R16'
    | 'R20'
    | 'authorization_revoked'
    | 'card_declined'
    | 'expired_card'
    | 'insufficient_funds'
    | 'lost_or_stolen'
    | 'processing_error'
    | undefined;
};

interface FieldError {
  param: string;
  code: string;
  message: string;
}

type FilterPreviewInput = {
  filter: {
    field: string;
    equals?: string | number | boolean | undefined;
    in?: (string | number | boolean)[] | undefined;
    exists?: boolean | undefined;
  }[];
  event_types?: string[] | null | undefined;
  channels?: string[] | null | undefined;
};

type FilterPreviewOutput = {
  checked: number;
  matched: number;
  since: string | null;
  matching: { id: string; event_type: string; external_id: string | null; created_at: string }[];
  others: { id: string; event_type: string; external_id: string | null; created_at: string }[];
  warnings: string[];
};

type ForkOutput = {
  external_id: string;
  forked_from: string;
  at: string | null;
  reproduced_events: number;
  simulation: {
    external_id: string;
    underwriting_result: 'WILL_BE_APPROVED' | 'WILL_BE_DECLINED' | null;
    simulated_time: string | null;
    rent_cycle_date: string | null;
    pending_payment_failures: string[];
    warnings: { code: string; param: string | null; message: string }[];
  };
};

type ForkTenant = {
  at?: string | undefined;
  change?:
    | {
        fail_next_payment?:
          | 'R01'
          | 'R02'
          | 'R03'
          | 'R04'
          | 'R05'
          | 'R07'
          | 'R08'
          | 'R09'
          | 'R10'
          | 'R11'
          | 'R16'
          | 'R20'
          | 'authorization_revoked'
          | 'card_declined'
          | 'expired_card'
          | 'insufficient_funds'
          | 'lost_or_stolen'
          | 'processing_error'
          | undefined;
        advance_clock?: string | undefined;
        underwriting_result?: 'WILL_BE_APPROVED' | 'WILL_BE_DECLINED' | undefined;
        terms_version?: string | undefined;
      }
    | undefined;
  deliver_webhooks?: boolean | undefined;
};

type GoLiveOutput = {
  items: {
    id:
      | 'decline_rehearsed'
      | 'duplicates_handled'
      | 'forgery_refused'
      | 'key_rotated'
      | 'origins_set'
      | 'production_secrets_separate'
      | 'retry_recovered'
      | 'settlement_verified'
      | 'support_informed'
      | 'webhook_delivered';
    title: string;
    how: 'manual' | 'observed';
    done: boolean;
    done_at: string | null;
    todo: string;
  }[];
};

type HeadersLike =
  | {
      get(name: string): string | null;
    }
  | Record<string, string | readonly string[] | undefined>
  | Iterable<readonly [string, string]>;

interface List<T> extends AsyncIterable<T> {
  page(cursor?: string): Promise<Page<T>>;
  toArray(options?: { limit?: number }): Promise<T[]>;
}

type ListedTenantOutput = {
  external_id: string;
  product_variant: 'hoa' | 'rent' | null;
  eligibility: {
    state:
      | 'approved'
      | 'blocked'
      | 'can_apply'
      | 'cycle_closed'
      | 'declined'
      | 'has_plan'
      | 'nothing_due';
    reason:
      | 'amount_above_cap'
      | 'amount_below_minimum'
      | 'cost_above_limit'
      | 'declined_until'
      | 'late_fee_open'
      | 'lease_ended'
      | 'not_monthly'
      | 'not_offered_in_state'
      | 'nothing_due'
      | 'open_plan'
      | 'past_due_balance'
      | 'payments_disabled'
      | 'payments_unavailable'
      | 'security_deposit_open'
      | 'state_unknown'
      | 'would_land_late'
      | null;
  };
  balance: { state: 'owed' | 'paid'; amount_in_cents: number; due_date: string | null };
  plan: { id: string; state: 'active' | 'created' | 'past_due'; rent_cycle_date: string } | null;
  charged_off_plan_id: string | null;
  simulated_time: string | null;
  created_at: string;
  updated_at: string;
};

type ManualGoLiveItem =
  | 'decline_rehearsed'
  | 'duplicates_handled'
  | 'production_secrets_separate'
  | 'support_informed';

type MessageDetailOutput = {
  id: string;
  event_type: string;
  external_id: string | null;
  channels: string[] | null;
  custom: boolean;
  test: boolean;
  created_at: string;
  expunged_at: string | null;
  deliveries: {
    id: string;
    endpoint_id: string;
    endpoint_url: string;
    state: 'delivered' | 'delivering' | 'exhausted' | 'held' | 'pending' | 'retrying' | 'skipped';
    reason: string | null;
    attempts_made: number;
    next_attempt_at: string | null;
  }[];
  body: string | null;
};

interface MessageFilter {
  state?:
    | 'delivered'
    | 'delivering'
    | 'exhausted'
    | 'failed'
    | 'held'
    | 'pending'
    | 'retrying'
    | 'skipped'
    | (string & {});
  event_type?: string;
  endpoint_id?: string;
  external_id?: string;
  channel?: string;
  since?: string;
  until?: string;
  q?: string;
  test?: boolean;
  limit?: number;
}

type MessageOutput = {
  id: string;
  event_type: string;
  external_id: string | null;
  channels: string[] | null;
  custom: boolean;
  test: boolean;
  created_at: string;
  expunged_at: string | null;
  deliveries: {
    id: string;
    endpoint_id: string;
    endpoint_url: string;
    state: 'delivered' | 'delivering' | 'exhausted' | 'held' | 'pending' | 'retrying' | 'skipped';
    reason: string | null;
    attempts_made: number;
    next_attempt_at: string | null;
  }[];
};

interface NodeWebhookRequest extends AsyncIterable<Uint8Array | string> {
  method?: string | undefined;
  headers: Record<string, string | string[] | undefined>;
  readableEnded?: boolean;
  body?: unknown;
  rawBody?: unknown;
}

interface NodeWebhookResponse {
  writeHead(status: number, headers: Record<string, string>): unknown;
  end(body?: string): unknown;
}

interface Page<T> {
  items: T[];
  next_cursor: string | null;
}

type PageResults = {
  results: {
    case:
      | 'click_to_done'
      | 'csp'
      | 'double_click'
      | 'key_in_page'
      | 'keyboard_only'
      | 'language'
      | 'service_down'
      | 'service_slow'
      | 'signature'
      | 'sizes'
      | 'token_expired'
      | 'widget_shown';
    status: 'fail' | 'pass' | 'skipped' | 'warn';
    summary: string;
    cause?: string | null | undefined;
    fix?: string | null | undefined;
    docs?: string | undefined;
    steps?:
      | {
          title: string;
          detail?: string | null | undefined;
          duration_in_ms?: number | null | undefined;
        }[]
      | undefined;
    duration_in_ms?: number | null | undefined;
  }[];
};

type PartnerOutput = {
  pms: string;
  environment: 'production' | 'sandbox';
  scopes: (
    | 'everything'
    | 'read'
    | 'settlements'
    | 'simulation'
    | 'tokens'
    | 'webhooks'
    | 'widget'
  )[];
};

interface PayoutFilter {
  status?: 'failed' | 'paid' | 'pending' | 'returned' | 'sent';
  limit?: number;
}

type PayoutOutput = {
  id: string;
  method: 'credit' | 'debit';
  status: 'failed' | 'paid' | 'pending' | 'returned' | 'sent';
  day: string;
  amount_in_cents: number;
  line_count: number;
  reference: string | null;
  failure_reason: string | null;
  created_at: string;
  sent_at: string | null;
  ended_at: string | null;
  version: number;
};

type PayoutStatement = {
  id: string;
  method: 'credit' | 'debit';
  status: 'failed' | 'paid' | 'pending' | 'returned' | 'sent';
  day: string;
  amount_in_cents: number;
  line_count: number;
  reference: string | null;
  failure_reason: string | null;
  created_at: string;
  sent_at: string | null;
  ended_at: string | null;
  version: number;
  carried_forward_in_cents: number;
  totals: {
    kind: 'adjustment' | 'refund' | 'settlement';
    count: number;
    amount_in_cents: number;
  }[];
  lines: {
    number: number;
    kind: 'adjustment' | 'refund' | 'settlement';
    id: string;
    settlement_id: string | null;
    external_id: string | null;
    plan_id: string | null;
    amount_in_cents: number;
    carried_from: string | null;
    reason: string | null;
  }[];
};

type PlanOutput = {
  id: string;
  external_id: string;
  state: 'active' | 'canceled' | 'charged_off' | 'completed' | 'created' | 'past_due';
  product_variant: 'hoa' | 'rent';
  rent_cycle_date: string;
  amount_financed_in_cents: number;
  fee_in_cents: number;
  total_of_payments_in_cents: number;
  apr_bps: number;
  installments: {
    id: string;
    number: number;
    due_date: string;
    amount_in_cents: number;
    state: 'canceled' | 'failed' | 'overdue' | 'paid' | 'processing' | 'scheduled';
  }[];
  settlement_id: string | null;
  created_at: string;
  version: number;
};

type PlayScenario = {
  scenario:
    | 'applied'
    | 'approved'
    | 'charged_off'
    | 'declined'
    | 'disputed'
    | 'first_payment_failed'
    | 'in_review'
    | 'installment_failed'
    | 'moved_out'
    | 'paid_off'
    | 'past_due'
    | 'refunded'
    | 'settled'
    | 'split';
  installment_count?: number | undefined;
  payment_method?: 'bank_account' | 'card' | undefined;
  failure_code?:
    | 'R01'
    | 'R02'
    | 'R03'
    | 'R04'
    | 'R05'
    | 'R07'
    | 'R08'
    | 'R09'
    | 'R10'
    | 'R11'
    | 'R16'
    | 'R20'
    | 'authorization_revoked'
    | 'card_declined'
    | 'charged_back'
    | 'expired_card'
    | 'insufficient_funds'
    | 'lost_or_stolen'
    | 'processing_error'
    | undefined;
  product_variant?: 'hoa' | 'rent' | undefined;
};

type PortalInfo = {
  first_name: string;
  last_name: string;
  email: string;
  phone_number?: string | null | undefined;
  product_variant?: 'hoa' | 'rent' | null | undefined;
  charges: {
    id: string;
    type?:
      | 'credit'
      | 'fee'
      | 'hoa_assessment'
      | 'hoa_dues'
      | 'late_fee'
      | 'other'
      | 'rent'
      | 'security_deposit'
      | 'utility'
      | undefined;
    description?: string | null | undefined;
    due_date: string;
    amount_in_cents: number;
    amount_paid_in_cents?: number | undefined;
  }[];
  lease?:
    | {
        id: string;
        payments_enabled?: boolean | undefined;
        partial_payments_allowed?: boolean | undefined;
        starts_on?: string | null | undefined;
        ends_on?: string | null | undefined;
        late_fee_from?: string | null | undefined;
        property?:
          | {
              id: string;
              name?: string | null | undefined;
              line1?: string | null | undefined;
              line2?: string | null | undefined;
              city?: string | null | undefined;
              state?: string | null | undefined;
              postal_code?: string | null | undefined;
              time_zone?: string | null | undefined;
            }
          | null
          | undefined;
      }
    | null
    | undefined;
  return_url?: string | null | undefined;
  hosted?:
    | {
        use?: 'message' | 'redirect' | undefined;
        sent_by?: 'email' | 'text' | undefined;
        return_url?: string | undefined;
        expires_in?: number | undefined;
      }
    | undefined;
  metadata?: { [x: string]: string } | null | undefined;
};

type PortalInfoOutput = {
  token: string | null;
  expires_at: string | null;
  experience_url: string | null;
  experience_url_expires_at: string | null;
  external_id: string;
  environment: 'production' | 'sandbox';
  rent_cycle: {
    due_date: string;
    opens_at: string;
    closes_at: string;
    is_open: boolean;
    amount_due_in_cents: number;
  } | null;
  eligibility: {
    state:
      | 'approved'
      | 'blocked'
      | 'can_apply'
      | 'cycle_closed'
      | 'declined'
      | 'has_plan'
      | 'nothing_due';
    reason:
      | 'amount_above_cap'
      | 'amount_below_minimum'
      | 'cost_above_limit'
      | 'declined_until'
      | 'late_fee_open'
      | 'lease_ended'
      | 'not_monthly'
      | 'not_offered_in_state'
      | 'nothing_due'
      | 'open_plan'
      | 'past_due_balance'
      | 'payments_disabled'
      | 'payments_unavailable'
      | 'security_deposit_open'
      | 'state_unknown'
      | 'would_land_late'
      | null;
  };
  simulated_time: string | null;
  warnings: { code: string; param: string | null; message: string }[];
};

type PortalTokenOutput = {
  token: string;
  expires_at: string;
  view: 'settlements' | 'tenant_plan' | 'webhooks';
  external_id: string | null;
  read_only: boolean;
};

type PublicKeys = { public_keys: { public_key: string; expires_at: string | null }[] };

type PublishedEvent = {
  id: string;
  event_id: string | null;
  duplicate: boolean;
  warnings: { code: string; param: string | null; message: string }[];
};

type Recording = {
  version: 1;
  external_id: string;
  at: string | null;
  ends_at: string;
  calls: {
    call: string;
    at: string;
    until: string;
    params: Record<string, string>;
    body: unknown;
    product_variant: 'hoa' | 'rent' | null;
    result_ids: string[];
    refused: string | null;
  }[];
  events: { id: string; type: string; occurred_at: string; data: Record<string, unknown> }[];
};

type RefundOutput = {
  id: string;
  settlement_id: string;
  plan_id: string;
  amount_in_cents: number;
  credited_in_cents: number;
  paid_back_in_cents: number;
  deducted: boolean;
  charge_id: string | null;
  processor_transaction_id: string | null;
  reason: string | null;
  created_at: string;
};

interface ReplayFilter {
  endpoint_id?: string;
  limit?: number;
}

type ReplayOutput = {
  id: string | null;
  endpoint_id: string;
  since: string;
  until: string;
  filter: {
    states: ('delivered' | 'failed' | 'never_attempted' | 'skipped')[];
    event_types: string[] | null;
    status_class: '1xx' | '2xx' | '3xx' | '4xx' | '5xx' | 'none' | null;
    error_class:
      | 'blocked_address'
      | 'connect'
      | 'dns'
      | 'protocol'
      | 'reset'
      | 'status'
      | 'timeout'
      | 'tls'
      | null;
    external_id: string | null;
    channel: string | null;
  };
  state: 'canceled' | 'completed' | 'paused' | 'running';
  total: number;
  replayed: number;
  delivered: number;
  failed: number;
  rate_per_second: number | null;
  created_at: string;
  finished_at: string | null;
};

type ReplayRecording = {
  recording: Record<string, unknown>;
  change?:
    | {
        fail_next_payment?:
          | 'R01'
          | 'R02'
          | 'R03'
          | 'R04'
          | 'R05'
          | 'R07'
          | 'R08'
          | 'R09'
          | 'R10'
          | 'R11'
          | 'R16'
          | 'R20'
          | 'authorization_revoked'
          | 'card_declined'
          | 'expired_card'
          | 'insufficient_funds'
          | 'lost_or_stolen'
          | 'processing_error'
          | undefined;
        advance_clock?: string | undefined;
        underwriting_result?: 'WILL_BE_APPROVED' | 'WILL_BE_DECLINED' | undefined;
        terms_version?: string | undefined;
      }
    | undefined;
};

type RequestDetailOutput = {
  request_id: string;
  occurred_at: string;
  method: string;
  path: string;
  status: number;
  duration_in_ms: number;
  code: string | null;
  external_id: string | null;
  user_agent: string | null;
  api_key: { id: string; name: string | null; ends_with: string | null };
  query: Record<string, string>;
  request_body: unknown;
  error: {
    code: string;
    message: string;
    param: string | null;
    errors: { param: string; code: string; message: string }[];
    doc_url: string;
  } | null;
};

interface RequestFilter {
  request_id?: string;
  external_id?: string;
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  status?: string;
  code?: string;
  path?: string;
  from?: string;
  to?: string;
  limit?: number;
}

type RequestOutput = {
  request_id: string;
  occurred_at: string;
  method: string;
  path: string;
  status: number;
  duration_in_ms: number;
  code: string | null;
  external_id: string | null;
  user_agent: string | null;
  api_key: { id: string; name: string | null; ends_with: string | null };
};

interface RequestSpec {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  query?: Record<string, string | number | boolean | undefined>;
  body?: unknown;
  file?: {
    type: string;
    bytes: Uint8Array;
  };
}

type ReturnPayout = { reason?: string | undefined };

type ReturnSettlement = { reason?: string | undefined };

type RevokedApiKeyOutput = { id: string; revoked_at: string; sessions_ended: number };

type RotatedApiKeyOutput = {
  id: string;
  name: string | null;
  scopes: (
    | 'everything'
    | 'read'
    | 'settlements'
    | 'simulation'
    | 'tokens'
    | 'webhooks'
    | 'widget'
  )[];
  prefix: string;
  ends_with: string | null;
  state: 'expiring' | 'live' | 'revoked';
  created_at: string;
  last_used_at: string | null;
  expires_at: string | null;
  revoked_at: string | null;
  is_current: boolean;
  api_key: string | null;
  warnings: { code: string; param: string | null; message: string }[];
  replaces: { id: string; expires_at: string };
};

type RunDoctor = {
  page_url?: string | undefined;
  external_id?: string | undefined;
  diagnosis?:
    | {
        [x: string]: unknown;
        page_url?: string | undefined;
        environment?: string | undefined;
        pms?: string | undefined;
        external_id?: string | undefined;
        signature?: string | undefined;
        balance?: number | undefined;
        container?: { [x: string]: unknown; width: number; height: number } | null | undefined;
        blocked_by?: string[] | undefined;
        problems?: { [x: string]: unknown; code: number; error_code: string }[] | undefined;
      }
    | undefined;
};

type ScenarioOutput = {
  scenario:
    | 'applied'
    | 'approved'
    | 'charged_off'
    | 'declined'
    | 'disputed'
    | 'first_payment_failed'
    | 'in_review'
    | 'installment_failed'
    | 'moved_out'
    | 'paid_off'
    | 'past_due'
    | 'refunded'
    | 'settled'
    | 'split';
  external_id: string;
  tenant: {
    external_id: string;
    product_variant: 'hoa' | 'rent' | null;
    rent_cycle: {
      due_date: string;
      opens_at: string;
      closes_at: string;
      is_open: boolean;
      amount_due_in_cents: number;
    } | null;
    eligibility: {
      state:
        | 'approved'
        | 'blocked'
        | 'can_apply'
        | 'cycle_closed'
        | 'declined'
        | 'has_plan'
        | 'nothing_due';
      reason:
        | 'amount_above_cap'
        | 'amount_below_minimum'
        | 'cost_above_limit'
        | 'declined_until'
        | 'late_fee_open'
        | 'lease_ended'
        | 'not_monthly'
        | 'not_offered_in_state'
        | 'nothing_due'
        | 'open_plan'
        | 'past_due_balance'
        | 'payments_disabled'
        | 'payments_unavailable'
        | 'security_deposit_open'
        | 'state_unknown'
        | 'would_land_late'
        | null;
    };
  };
  application: {
    id: string;
    state:
      | 'approved'
      | 'declined'
      | 'expired'
      | 'in_review'
      | 'started'
      | 'submitted'
      | 'withdrawn';
    rent_cycle_date: string;
    approved_amount_in_cents: number | null;
  } | null;
  plan: {
    id: string;
    external_id: string;
    state: 'active' | 'canceled' | 'charged_off' | 'completed' | 'created' | 'past_due';
    product_variant: 'hoa' | 'rent';
    rent_cycle_date: string;
    amount_financed_in_cents: number;
    fee_in_cents: number;
    total_of_payments_in_cents: number;
    apr_bps: number;
    installments: {
      id: string;
      number: number;
      due_date: string;
      amount_in_cents: number;
      state: 'canceled' | 'failed' | 'overdue' | 'paid' | 'processing' | 'scheduled';
    }[];
    settlement_id: string | null;
    created_at: string;
    version: number;
  } | null;
  settlement: {
    amount_in_cents: number;
    charges_paid: string[];
    charges_and_amounts_paid: { charge_id: string; amount_in_cents: number }[];
    id: string;
    external_id: string;
    plan_id: string;
    status: 'failed' | 'returned' | 'unsettled' | 'unverified' | 'verified';
    refunded_in_cents: number;
    rent_cycle_date: string;
    debit_by: string;
    processor_transaction_id: string | null;
    payout_id: string | null;
    failure_reason: string | null;
    is_stale: boolean;
    created_at: string;
    updated_at: string;
    version: number;
  } | null;
  refund: {
    id: string;
    settlement_id: string;
    plan_id: string;
    amount_in_cents: number;
    credited_in_cents: number;
    paid_back_in_cents: number;
    deducted: boolean;
    charge_id: string | null;
    processor_transaction_id: string | null;
    reason: string | null;
    created_at: string;
  } | null;
  clock: { simulated_time: string | null; rent_cycle_date: string | null };
  events: { id: string; type: string }[];
  links: {
    tenant: string;
    plan: string | null;
    settlement: string | null;
    messages: string;
    simulation: string;
  };
};

type Secret = string | readonly string[];

type ServiceCaseName =
  | 'altered_body'
  | 'burst'
  | 'charged_off'
  | 'compressed_answer'
  | 'daily_report'
  | 'debited_once'
  | 'declined'
  | 'disputed'
  | 'duplicates'
  | 'first_payment_failed'
  | 'handshake'
  | 'installment_failed'
  | 'keep_alive'
  | 'large_body'
  | 'late'
  | 'moved_out'
  | 'old_timestamp'
  | 'outage'
  | 'paid_off'
  | 'past_due'
  | 'raw_body'
  | 'refunded'
  | 'reordered'
  | 'report_repeated'
  | 'reported'
  | 'returned'
  | 'rotated_secret'
  | 'settled'
  | 'split'
  | 'stored_before_answer'
  | 'test_mark'
  | 'unknown_field'
  | 'unknown_type';

type SetFlow = { rent_cycle_date: string; flow: 'WILL_BE_APPROVED' | 'WILL_BE_DECLINED' };

type SetUnderwritingResult = {
  underwriting_result: 'WILL_BE_APPROVED' | 'WILL_BE_DECLINED';
  rent_cycle_date?: string | undefined;
  decline_reasons?:
    | ('account_too_new' | 'income_too_low' | 'past_plan_unpaid' | 'unable_to_verify')[]
    | undefined;
};

interface SettlementFilter {
  status?: 'failed' | 'returned' | 'unsettled' | 'unverified' | 'verified';
  external_id?: string;
  processor_transaction_id?: string;
  is_stale?: boolean;
  limit?: number;
}

type SettlementOutput = {
  amount_in_cents: number;
  charges_paid: string[];
  charges_and_amounts_paid: { charge_id: string; amount_in_cents: number }[];
  id: string;
  external_id: string;
  plan_id: string;
  status: 'failed' | 'returned' | 'unsettled' | 'unverified' | 'verified';
  refunded_in_cents: number;
  rent_cycle_date: string;
  debit_by: string;
  processor_transaction_id: string | null;
  payout_id: string | null;
  failure_reason: string | null;
  is_stale: boolean;
  created_at: string;
  updated_at: string;
  version: number;
};

type SettlementReport = {
  date: string;
  items: {
    amount_in_cents: number;
    charges_paid: string[];
    charges_and_amounts_paid: { charge_id: string; amount_in_cents: number }[];
    id: string;
    external_id: string;
    plan_id: string;
    status: 'failed' | 'returned' | 'unsettled' | 'unverified' | 'verified';
    refunded_in_cents: number;
    rent_cycle_date: string;
    debit_by: string;
    processor_transaction_id: string | null;
    payout_id: string | null;
    failure_reason: string | null;
    is_stale: boolean;
    created_at: string;
    updated_at: string;
    version: number;
  }[];
  totals: {
    status: 'failed' | 'returned' | 'unsettled' | 'unverified' | 'verified';
    count: number;
    amount_in_cents: number;
  }[];
  deposits: {
    id: string;
    deposited_on: string;
    processor_deposit_id: string;
    expected_in_cents: number;
    amount_in_cents: number;
    mismatches: {
      processor_transaction_id: string;
      expected_in_cents: number;
      amount_in_cents: number;
    }[];
  }[];
  mismatches: {
    code:
      | 'deposit_differs'
      | 'processor_transaction_id_missing'
      | 'processor_transaction_id_repeated';
    id: string;
    message: string;
  }[];
  csv: string;
};

type SigningSecret = { secret: string; previous: { expires_at: string }[] };

type SimulationOutput = {
  external_id: string;
  underwriting_result: 'WILL_BE_APPROVED' | 'WILL_BE_DECLINED' | null;
  simulated_time: string | null;
  rent_cycle_date: string | null;
  pending_payment_failures: string[];
  warnings: { code: string; param: string | null; message: string }[];
};

type StartCertification = {
  endpoint_id?: string | undefined;
  tenant_query_url?: string | undefined;
  product_variant?: 'hoa' | 'rent' | undefined;
  tenants?: string[] | undefined;
  anyway?: boolean | undefined;
};

declare class SvcClient {
  #private;
  readonly simulation: {
    setUnderwritingResult: (
      externalId: string,
      body: SetUnderwritingResult,
      options?: CallOptions,
    ) => Promise<SimulationOutput>;
    setFlow: (
      externalId: string,
      body: SetFlow,
      options?: CallOptions,
    ) => Promise<SimulationOutput>;
    advanceClock: (
      externalId: string,
      body: AdvanceClock,
      options?: CallOptions,
    ) => Promise<SimulationOutput>;
    failNextPayment: (
      externalId: string,
      body?: FailNextPayment,
      options?: CallOptions,
    ) => Promise<SimulationOutput>;
    scenario: (
      externalId: string,
      body: PlayScenario,
      options?: CallOptions,
    ) => Promise<ScenarioOutput>;
    get: (externalId: string, options?: CallOptions) => Promise<SimulationOutput>;
    fork: (externalId: string, body?: ForkTenant, options?: CallOptions) => Promise<ForkOutput>;
    recording: (
      externalId: string,
      query?: {
        at?: string;
      },
      options?: CallOptions,
    ) => Promise<Recording>;
    replay: (
      externalId: string,
      body: ReplayRecording,
      options?: CallOptions,
    ) => Promise<ForkOutput>;
    history: (externalId: string, options?: CallOptions) => Promise<TenantHistoryOutput>;
    reset: (externalId: string, options?: CallOptions) => Promise<SimulationOutput>;
  };
  readonly webhooks: {
    handler: typeof webhookHandler;
    endpoints: {
      list: (options?: CallOptions) => List<EndpointOutput>;
      create: (body: CreateEndpoint, options?: CallOptions) => Promise<EndpointOutput>;
      get: (id: string, options?: CallOptions) => Promise<EndpointOutput>;
      update: (id: string, body: UpdateEndpoint, options?: CallOptions) => Promise<EndpointOutput>;
      delete: (id: string, options?: CallOptions) => Promise<null>;
      health: (options?: CallOptions) => List<EndpointHealth>;
      secret: (id: string, options?: CallOptions) => Promise<SigningSecret>;
      previewFilter: (
        body: FilterPreviewInput,
        options?: CallOptions,
      ) => Promise<FilterPreviewOutput>;
      rotateSecret: (
        id: string,
        body?: {
          overlap_seconds?: number;
        },
        options?: CallOptions,
      ) => Promise<SigningSecret>;
      rotatePublicKey: (
        id: string,
        body?: {
          overlap_seconds?: number;
        },
        options?: CallOptions,
      ) => Promise<PublicKeys>;
      test: (id: string, body: TestSend, options?: CallOptions) => Promise<TestSendOutput>;
    };
    messages: {
      list: (filter?: MessageFilter, options?: CallOptions) => List<MessageOutput>;
      get: (id: string, options?: CallOptions) => Promise<MessageDetailOutput>;
      attempts: (id: string, options?: CallOptions) => List<AttemptOutput>;
      replay: (
        id: string,
        body: {
          endpoint_id: string;
        },
        options?: CallOptions,
      ) => Promise<Delivery>;
      expunge: (
        id: string,
        body?: {
          cancel?: boolean;
        },
        options?: CallOptions,
      ) => Promise<MessageDetailOutput>;
      publish: (body: CustomEvent, options?: CallOptions) => Promise<PublishedEvent>;
    };
    replays: {
      create: (body: CreateReplay, options?: CallOptions) => Promise<ReplayOutput>;
      list: (filter?: ReplayFilter, options?: CallOptions) => List<ReplayOutput>;
      get: (id: string, options?: CallOptions) => Promise<ReplayOutput>;
      pause: (id: string, options?: CallOptions) => Promise<ReplayOutput>;
      resume: (id: string, options?: CallOptions) => Promise<ReplayOutput>;
      cancel: (id: string, options?: CallOptions) => Promise<ReplayOutput>;
    };
    activity: (filter?: ActivityFilter, options?: CallOptions) => Promise<ActivityOutput>;
    attempts: (filter?: AttemptFilter, options?: CallOptions) => List<AttemptOutput>;
    deliveries: (filter?: DeliveryFilter, options?: CallOptions) => List<DeliveryAttemptOutput>;
    exportDeliveries: (
      filter?: DeliveryExport,
      options?: CallOptions,
    ) => Promise<Page<DeliveryAttemptOutput>>;
    auditLog: (options?: CallOptions) => List<AuditEntry>;
    eventTypes: (options?: CallOptions) => List<EventTypeDescription>;
    egressIps: (options?: CallOptions) => Promise<{
      egress_ips: string[];
    }>;
  };
  readonly certifications: {
    start: (body?: StartCertification, options?: CallOptions) => Promise<CertificationOutput>;
    list: (
      filter?: {
        limit?: number;
      },
      options?: CallOptions,
    ) => List<CertificationSummaryOutput>;
    get: (id: string, options?: CallOptions) => Promise<CertificationOutput>;
    runCase: (
      id: string,
      name: ServiceCaseName,
      options?: CallOptions,
    ) => Promise<CertificationCaseOutput>;
    reportPage: (
      id: string,
      body: PageResults,
      options?: CallOptions,
    ) => Promise<CertificationOutput>;
    finish: (id: string, options?: CallOptions) => Promise<CertificationOutput>;
  };
  constructor(options: SvcClientOptions);
  portalInfo(
    externalId: string,
    body: PortalInfo,
    options?: CallOptions & {
      dryRun?: boolean;
    },
  ): Promise<PortalInfoOutput>;
  getPartner(options?: CallOptions): Promise<PartnerOutput>;
  getDebitAccount(options?: CallOptions): Promise<DebitAccountOutput>;
  request<T = unknown>(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    input?: Pick<RequestSpec, 'query' | 'body'>,
    options?: CallOptions,
  ): Promise<T>;
  webhookPortalUrl(
    options?: CallOptions & {
      scope?: 'webhooks' | 'admin';
      readOnly?: boolean;
      person?: string;
    },
  ): Promise<{
    url: string;
  }>;
  portalToken(body: CreatePortalToken, options?: CallOptions): Promise<PortalTokenOutput>;
  revokeWebhookPortalSessions(options?: CallOptions): Promise<{
    revoked: number;
  }>;
  readonly apiKeys: {
    list: (options?: CallOptions) => List<ApiKeyOutput>;
    create: (body: CreateApiKeyInput, options?: CallOptions) => Promise<CreatedApiKeyOutput>;
    rotate: (
      id: string,
      body?: {
        overlap_hours?: number;
      },
      options?: CallOptions,
    ) => Promise<RotatedApiKeyOutput>;
    revoke: (id: string, options?: CallOptions) => Promise<RevokedApiKeyOutput>;
  };
  readonly requests: {
    list: (filter?: RequestFilter, options?: CallOptions) => List<RequestOutput>;
    get: (requestId: string, options?: CallOptions) => Promise<RequestDetailOutput>;
  };
  readonly allowedOrigins: {
    get: (options?: CallOptions) => Promise<AllowedOriginsOutput>;
    set: (
      origins: string[],
      options?: CallOptions & {
        appSchemes?: string[];
      },
    ) => Promise<AllowedOriginsOutput>;
  };
  readonly appearance: {
    get: (options?: CallOptions) => Promise<AppearanceOutput>;
    set: (body: AppearanceInput, options?: CallOptions) => Promise<AppearanceOutput>;
    setLogo: (png: Uint8Array, options?: CallOptions) => Promise<AppearanceOutput>;
    removeLogo: (options?: CallOptions) => Promise<AppearanceOutput>;
    setFont: (woff2: Uint8Array, options?: CallOptions) => Promise<AppearanceOutput>;
    removeFont: (options?: CallOptions) => Promise<AppearanceOutput>;
  };
  doctor(body?: RunDoctor, options?: CallOptions): Promise<DoctorOutput>;
  readonly goLive: {
    get: (options?: CallOptions) => Promise<GoLiveOutput>;
    mark: (
      item: ManualGoLiveItem,
      body: {
        done: boolean;
      },
      options?: CallOptions,
    ) => Promise<GoLiveOutput>;
  };
  readonly settlements: {
    list: (filter?: SettlementFilter, options?: CallOptions) => List<SettlementOutput>;
    get: (id: string, options?: CallOptions) => Promise<SettlementOutput>;
    update: (
      id: string,
      body: UpdateSettlement,
      options?: CallOptions,
    ) => Promise<SettlementOutput>;
    reportReturn: (
      id: string,
      body?: ReturnSettlement,
      options?: CallOptions,
    ) => Promise<SettlementOutput>;
    refund: (id: string, body: CreateRefund, options?: CallOptions) => Promise<RefundOutput>;
    listRefunds: (id: string, options?: CallOptions) => List<RefundOutput>;
    report: (date: string, options?: CallOptions) => Promise<SettlementReport>;
  };
  readonly payouts: {
    list: (filter?: PayoutFilter, options?: CallOptions) => List<PayoutOutput>;
    get: (id: string, options?: CallOptions) => Promise<PayoutOutput>;
    statement: (id: string, options?: CallOptions) => Promise<PayoutStatement>;
    update: (id: string, body: UpdatePayout, options?: CallOptions) => Promise<PayoutOutput>;
    reportReturn: (id: string, body?: ReturnPayout, options?: CallOptions) => Promise<PayoutOutput>;
  };
  readonly plans: {
    get: (id: string, options?: CallOptions) => Promise<PlanOutput>;
  };
  useExperienceResult(
    body: {
      result: string;
    },
    options?: CallOptions,
  ): Promise<ExperienceResult>;
  readonly tenants: {
    revokeExperienceUrls: (
      externalId: string,
      options?: CallOptions,
    ) => Promise<{
      revoked: number;
    }>;
    list: (filter?: TenantFilter, options?: CallOptions) => List<ListedTenantOutput>;
    get: (externalId: string, options?: CallOptions) => Promise<TenantOutput>;
  };
  readonly events: {
    list: ({ after, limit }?: EventFilter, options?: CallOptions) => List<WebhookEvent>;
  };
}

interface SvcClientOptions {
  apiKey: string;
  baseUrl: string;
  fetch?: typeof fetch;
  timeoutMs?: number;
  maxRetries?: number;
  deadlineMs?: number;
}

declare class SvcConnectionError extends SvcError {
  readonly name = 'SvcConnectionError';
}

declare class SvcError extends Error implements SvcErrorDetails {
  readonly name: string;
  readonly code: SvcErrorCode;
  readonly status: number | null;
  readonly param: string | null;
  readonly errors: FieldError[];
  readonly requestId: string | null;
  readonly docUrl: string | null;
  readonly retryable: boolean;
  readonly idempotencyKey: string | null;
  readonly attempts: number;
  readonly responseBody: string | null;
  constructor(details: SvcErrorDetails, cause?: unknown);
}

type SvcErrorCode =
  | ErrorCode
  | 'connection_failed'
  | 'timed_out'
  | 'unexpected_response'
  | (string & Record<never, never>);

interface SvcErrorDetails {
  code: SvcErrorCode;
  message: string;
  status: number | null;
  param: string | null;
  errors: FieldError[];
  requestId: string | null;
  docUrl: string | null;
  retryable: boolean;
  idempotencyKey: string | null;
  attempts: number;
  responseBody: string | null;
}

declare class SvcTimeoutError extends SvcError {
  readonly name = 'SvcTimeoutError';
}

interface TenantFilter {
  search?: string;
  limit?: number;
}

type TenantHistoryOutput = {
  external_id: string;
  forked_from: string | null;
  forked_at: string | null;
  reproduced_events: number | null;
  change: Record<string, string> | null;
  simulation: {
    external_id: string;
    underwriting_result: 'WILL_BE_APPROVED' | 'WILL_BE_DECLINED' | null;
    simulated_time: string | null;
    rent_cycle_date: string | null;
    pending_payment_failures: string[];
    warnings: { code: string; param: string | null; message: string }[];
  };
  plan: {
    id: string;
    external_id: string;
    state: 'active' | 'canceled' | 'charged_off' | 'completed' | 'created' | 'past_due';
    product_variant: 'hoa' | 'rent';
    rent_cycle_date: string;
    amount_financed_in_cents: number;
    fee_in_cents: number;
    total_of_payments_in_cents: number;
    apr_bps: number;
    installments: {
      id: string;
      number: number;
      due_date: string;
      amount_in_cents: number;
      state: 'canceled' | 'failed' | 'overdue' | 'paid' | 'processing' | 'scheduled';
    }[];
    settlement_id: string | null;
    created_at: string;
    version: number;
  } | null;
  calls: { call: string; at: string; refused: string | null }[];
  events: { id: string; type: string; occurred_at: string; data: Record<string, unknown> }[];
  postings: {
    occurred_at: string;
    kind: string;
    entries: { account: string; amount_in_cents: number }[];
  }[];
};

type TenantOutput = {
  external_id: string;
  product_variant: 'hoa' | 'rent' | null;
  rent_cycle: {
    due_date: string;
    opens_at: string;
    closes_at: string;
    is_open: boolean;
    amount_due_in_cents: number;
  } | null;
  eligibility: {
    state:
      | 'approved'
      | 'blocked'
      | 'can_apply'
      | 'cycle_closed'
      | 'declined'
      | 'has_plan'
      | 'nothing_due';
    reason:
      | 'amount_above_cap'
      | 'amount_below_minimum'
      | 'cost_above_limit'
      | 'declined_until'
      | 'late_fee_open'
      | 'lease_ended'
      | 'not_monthly'
      | 'not_offered_in_state'
      | 'nothing_due'
      | 'open_plan'
      | 'past_due_balance'
      | 'payments_disabled'
      | 'payments_unavailable'
      | 'security_deposit_open'
      | 'state_unknown'
      | 'would_land_late'
      | null;
  };
  plan: {
    id: string;
    external_id: string;
    state: 'active' | 'canceled' | 'charged_off' | 'completed' | 'created' | 'past_due';
    product_variant: 'hoa' | 'rent';
    rent_cycle_date: string;
    amount_financed_in_cents: number;
    fee_in_cents: number;
    total_of_payments_in_cents: number;
    apr_bps: number;
    installments: {
      id: string;
      number: number;
      due_date: string;
      amount_in_cents: number;
      state: 'canceled' | 'failed' | 'overdue' | 'paid' | 'processing' | 'scheduled';
    }[];
    settlement_id: string | null;
    created_at: string;
    version: number;
  } | null;
  charged_off_plan_id: string | null;
  simulated_time: string | null;
};

interface TenantView {
  plan?: {
    id: string;
    state: string;
  } | null;
  settlements?: {
    id: string;
    status?: string;
    debited_in_cents?: number;
    sent_back_in_cents?: number;
  }[];
  amount_owed_in_cents?: number;
}

type TestSend = { event_type: string; data?: Record<string, unknown> | undefined };

type TestSendOutput = {
  id: string;
  message_id: string;
  endpoint_id: string;
  number: number;
  trigger: 'manual' | 'recover' | 'schedule' | 'test';
  started_at: string;
  status: number | null;
  succeeded: boolean;
  error_class:
    | 'blocked_address'
    | 'connect'
    | 'dns'
    | 'protocol'
    | 'reset'
    | 'status'
    | 'timeout'
    | 'tls'
    | null;
  error: string | null;
  hint: string | null;
  url: string;
  request_headers: Record<string, string>;
  response_headers: Record<string, string>;
  response_body: string | null;
  response_truncated: boolean;
  timing_in_ms: {
    dns: number | null;
    connect: number | null;
    tls: number | null;
    first_byte: number | null;
    total: number;
  };
  next_attempt_at: string | null;
  warnings: { code: string; param: string | null; message: string }[];
};

type UpdateEndpoint = {
  description?: string | null | undefined;
  event_types?: string[] | null | undefined;
  channels?: string[] | null | undefined;
  filter?:
    | {
        field: string;
        equals?: string | number | boolean | undefined;
        in?: (string | number | boolean)[] | undefined;
        exists?: boolean | undefined;
      }[]
    | null
    | undefined;
  uid?: string | null | undefined;
  auth?:
    | { type: 'none' }
    | { type: 'basic'; username: string; password: string }
    | { type: 'header'; name: string; value: string }
    | undefined;
  headers?: { [x: string]: string } | undefined;
  throttle_per_second?: number | null | undefined;
  disable_on_gone?: boolean | undefined;
  honor_retry_after?: boolean | undefined;
  ordered?: boolean | undefined;
  asymmetric_signature?: boolean | undefined;
  metadata?: { [x: string]: string } | null | undefined;
  url?: string | undefined;
  secret?: undefined;
  state?: 'disabled' | 'enabled' | undefined;
  held?: 'release' | 'skip' | undefined;
};

type UpdatePayout = {
  status: 'failed' | 'paid' | 'sent';
  processor_transaction_id?: string | undefined;
  failure_reason?: string | undefined;
};

type UpdateSettlement = {
  status: 'failed' | 'unsettled' | 'unverified' | 'verified';
  processor_transaction_id?: string | undefined;
  failure_reason?: string | undefined;
};

interface VerifyWebhookOptions {
  toleranceSeconds?: number;
  now?: () => Date;
}

type WebhookEvent =
  | (Envelope & {
      type: 'application.approved';
      data: {
        object_version: number;
        occurred_at: string;
        application_id: string;
        rent_cycle_date: string;
        product_variant: 'hoa' | 'rent';
        approved_amount_in_cents: number;
        expires_at: string;
      };
    })
  | (Envelope & {
      type: 'application.declined';
      data: {
        object_version: number;
        occurred_at: string;
        application_id: string;
        rent_cycle_date: string;
        product_variant: 'hoa' | 'rent';
        reapply_after: string | null;
      };
    })
  | (Envelope & {
      type: 'application.expired';
      data: {
        object_version: number;
        occurred_at: string;
        application_id: string;
        rent_cycle_date: string;
        product_variant: 'hoa' | 'rent';
      };
    })
  | (Envelope & {
      type: 'application.submitted';
      data: {
        object_version: number;
        occurred_at: string;
        application_id: string;
        rent_cycle_date: string;
        product_variant: 'hoa' | 'rent';
      };
    })
  | (Envelope & {
      type: 'autopay.disabled';
      data: { object_version: number; occurred_at: string; plan_id: string };
    })
  | (Envelope & {
      type: 'autopay.enabled';
      data: { object_version: number; occurred_at: string; plan_id: string };
    })
  | (Envelope & {
      type: 'charge.drift_detected';
      data: {
        object_version: number;
        occurred_at: string;
        plan_id: string;
        charge_id: string;
        known_amount_in_cents: number;
        new_amount_in_cents: number;
        outcome: 'plan_canceled' | 'plan_unchanged';
      };
    })
  | (Envelope & {
      type: 'endpoint.created';
      data: { object_version: number; occurred_at: string; endpoint_id: string; url: string };
    })
  | (Envelope & {
      type: 'endpoint.deleted';
      data: { object_version: number; occurred_at: string; endpoint_id: string; url: string };
    })
  | (Envelope & {
      type: 'endpoint.disabled';
      data: { object_version: number; occurred_at: string; endpoint_id: string; reason: string };
    })
  | (Envelope & {
      type: 'endpoint.failing';
      data: {
        object_version: number;
        occurred_at: string;
        endpoint_id: string;
        failing_since: string;
        disables_at: string;
      };
    })
  | (Envelope & {
      type: 'endpoint.updated';
      data: { object_version: number; occurred_at: string; endpoint_id: string; changed: string[] };
    })
  | (Envelope & {
      type: 'installment.failed';
      data: {
        object_version: number;
        occurred_at: string;
        plan_id: string;
        installment_id: string;
        number: number;
        due_date: string;
        amount_in_cents: number;
        method: string;
        return_code: string;
        next_attempt_at: string | null;
        taken_back: boolean;
      };
    })
  | (Envelope & {
      type: 'installment.paid';
      data: {
        object_version: number;
        occurred_at: string;
        plan_id: string;
        installment_id: string;
        number: number;
        due_date: string;
        amount_in_cents: number;
        method: string;
      };
    })
  | (Envelope & {
      type: 'installment.rescheduled';
      data: {
        object_version: number;
        occurred_at: string;
        plan_id: string;
        installment_id: string;
        number: number;
        due_date: string;
        amount_in_cents: number;
        from: string;
        to: string;
      };
    })
  | (Envelope & {
      type: 'installment.upcoming';
      data: {
        object_version: number;
        occurred_at: string;
        plan_id: string;
        installment_id: string;
        number: number;
        due_date: string;
        amount_in_cents: number;
        method: string;
      };
    })
  | (Envelope & {
      type: 'message.attempt_exhausted';
      data: {
        object_version: number;
        occurred_at: string;
        endpoint_id: string;
        message_id: string;
        event_type: string;
      };
    })
  | (Envelope & {
      type: 'message.recovered';
      data: {
        object_version: number;
        occurred_at: string;
        endpoint_id: string;
        message_id: string;
        event_type: string;
      };
    })
  | (Envelope & {
      type: 'payout.created';
      data: {
        object_version: number;
        occurred_at: string;
        payout_id: string;
        method: 'credit' | 'debit';
        status: 'failed' | 'paid' | 'pending' | 'returned' | 'sent';
        day: string;
        amount_in_cents: number;
        line_count: number;
        reference: string | null;
      };
    })
  | (Envelope & {
      type: 'payout.failed';
      data: {
        object_version: number;
        occurred_at: string;
        payout_id: string;
        method: 'credit' | 'debit';
        status: 'failed' | 'paid' | 'pending' | 'returned' | 'sent';
        day: string;
        amount_in_cents: number;
        line_count: number;
        reference: string | null;
        failure_reason: string;
      };
    })
  | (Envelope & {
      type: 'payout.paid';
      data: {
        object_version: number;
        occurred_at: string;
        payout_id: string;
        method: 'credit' | 'debit';
        status: 'failed' | 'paid' | 'pending' | 'returned' | 'sent';
        day: string;
        amount_in_cents: number;
        line_count: number;
        reference: string | null;
      };
    })
  | (Envelope & {
      type: 'payout.returned';
      data: {
        object_version: number;
        occurred_at: string;
        payout_id: string;
        method: 'credit' | 'debit';
        status: 'failed' | 'paid' | 'pending' | 'returned' | 'sent';
        day: string;
        amount_in_cents: number;
        line_count: number;
        reference: string | null;
        failure_reason: string;
      };
    })
  | (Envelope & {
      type: 'payout.sent';
      data: {
        object_version: number;
        occurred_at: string;
        payout_id: string;
        method: 'credit' | 'debit';
        status: 'failed' | 'paid' | 'pending' | 'returned' | 'sent';
        day: string;
        amount_in_cents: number;
        line_count: number;
        reference: string | null;
      };
    })
  | (Envelope & {
      type: 'plan.activated';
      data: {
        object_version: number;
        occurred_at: string;
        plan_id: string;
        rent_cycle_date: string;
        product_variant: 'hoa' | 'rent';
        amount_financed_in_cents: number;
        fee_in_cents: number;
        apr_bps: number;
        installments: {
          id: string;
          number: number;
          due_date: string;
          amount_in_cents: number;
          state: 'canceled' | 'failed' | 'overdue' | 'paid' | 'processing' | 'scheduled';
        }[];
      };
    })
  | (Envelope & {
      type: 'plan.canceled';
      data: {
        object_version: number;
        occurred_at: string;
        plan_id: string;
        rent_cycle_date: string;
        product_variant: 'hoa' | 'rent';
        amount_financed_in_cents: number;
        fee_in_cents: number;
        apr_bps: number;
        installments: {
          id: string;
          number: number;
          due_date: string;
          amount_in_cents: number;
          state: 'canceled' | 'failed' | 'overdue' | 'paid' | 'processing' | 'scheduled';
        }[];
        reason: string;
      };
    })
  | (Envelope & {
      type: 'plan.completed';
      data: {
        object_version: number;
        occurred_at: string;
        plan_id: string;
        rent_cycle_date: string;
        product_variant: 'hoa' | 'rent';
        amount_financed_in_cents: number;
        fee_in_cents: number;
        apr_bps: number;
        installments: {
          id: string;
          number: number;
          due_date: string;
          amount_in_cents: number;
          state: 'canceled' | 'failed' | 'overdue' | 'paid' | 'processing' | 'scheduled';
        }[];
      };
    })
  | (Envelope & {
      type: 'plan.created';
      data: {
        object_version: number;
        occurred_at: string;
        plan_id: string;
        rent_cycle_date: string;
        product_variant: 'hoa' | 'rent';
        amount_financed_in_cents: number;
        fee_in_cents: number;
        apr_bps: number;
        installments: {
          id: string;
          number: number;
          due_date: string;
          amount_in_cents: number;
          state: 'canceled' | 'failed' | 'overdue' | 'paid' | 'processing' | 'scheduled';
        }[];
      };
    })
  | (Envelope & {
      type: 'plan.past_due';
      data: {
        object_version: number;
        occurred_at: string;
        plan_id: string;
        rent_cycle_date: string;
        product_variant: 'hoa' | 'rent';
        amount_financed_in_cents: number;
        fee_in_cents: number;
        apr_bps: number;
        installments: {
          id: string;
          number: number;
          due_date: string;
          amount_in_cents: number;
          state: 'canceled' | 'failed' | 'overdue' | 'paid' | 'processing' | 'scheduled';
        }[];
        reason: string;
      };
    })
  | (Envelope & {
      type: 'plan.updated';
      data: {
        object_version: number;
        occurred_at: string;
        plan_id: string;
        rent_cycle_date: string;
        product_variant: 'hoa' | 'rent';
        amount_financed_in_cents: number;
        fee_in_cents: number;
        apr_bps: number;
        installments: {
          id: string;
          number: number;
          due_date: string;
          amount_in_cents: number;
          state: 'canceled' | 'failed' | 'overdue' | 'paid' | 'processing' | 'scheduled';
        }[];
        change:
          | 'autopay_disabled'
          | 'autopay_enabled'
          | 'charged_off'
          | 'fee_waived'
          | 'installment_rescheduled'
          | 'part_paid'
          | 'payment_method'
          | 'recovered'
          | 'refunded'
          | 'reopened';
      };
    })
  | (Envelope & {
      type: 'repayment.created';
      data: {
        object_version: number;
        occurred_at: string;
        plan_id: string;
        installment_id: string;
        number: number;
        due_date: string;
        amount_in_cents: number;
        repayment_id: string;
      };
    })
  | (Envelope & {
      type: 'settlement.created';
      data: {
        amount_in_cents: number;
        charges_paid: string[];
        charges_and_amounts_paid: { charge_id: string; amount_in_cents: number }[];
        object_version: number;
        occurred_at: string;
        settlement_id: string;
        plan_id: string;
        rent_cycle_date: string;
        debit_by: string;
      };
    })
  | (Envelope & {
      type: 'settlement.failed';
      data: {
        amount_in_cents: number;
        charges_paid: string[];
        charges_and_amounts_paid: { charge_id: string; amount_in_cents: number }[];
        object_version: number;
        occurred_at: string;
        settlement_id: string;
        plan_id: string;
        rent_cycle_date: string;
        debit_by: string;
        failure_reason: string | null;
      };
    })
  | (Envelope & {
      type: 'settlement.updated';
      data: {
        amount_in_cents: number;
        charges_paid: string[];
        charges_and_amounts_paid: { charge_id: string; amount_in_cents: number }[];
        object_version: number;
        occurred_at: string;
        settlement_id: string;
        plan_id: string;
        rent_cycle_date: string;
        debit_by: string;
        old_status: 'failed' | 'returned' | 'unsettled' | 'unverified' | 'verified';
        new_status: 'failed' | 'returned' | 'unsettled' | 'unverified' | 'verified';
      };
    })
  | (Envelope & {
      type: 'tenant.eligibility_changed';
      data: {
        object_version: number;
        occurred_at: string;
        state:
          | 'approved'
          | 'blocked'
          | 'can_apply'
          | 'cycle_closed'
          | 'declined'
          | 'has_plan'
          | 'nothing_due';
        reason: string | null;
      };
    })
  | (Envelope & {
      type: 'tenant.updated';
      data: { object_version: number; occurred_at: string; changed: string[] };
    });

type WebhookEventOf<Type extends WebhookEvent['type']> = Extract<
  WebhookEvent,
  {
    type: Type;
  }
>;

interface WebhookHandler {
  fetch(request: Request): Promise<Response>;
  node(request: NodeWebhookRequest, response: NodeWebhookResponse): Promise<void>;
}

interface WebhookHandlerOptions<Context, Exhaustive extends boolean> extends VerifyWebhookOptions {
  secret: Secret | (() => Secret | Promise<Secret>);
  store?: WebhookStore<Context>;
  exhaustive?: Exhaustive;
  fallback?: (event: AnyWebhookEvent, context: Context | undefined) => void | Promise<void>;
  onError?: (error: unknown, event: AnyWebhookEvent | undefined) => void;
}

type WebhookHandlers<Context = undefined> = {
  [Type in WebhookEvent['type']]?: (
    event: WebhookEventOf<Type>,
    context: Context,
  ) => void | Promise<void>;
};

interface WebhookStore<Context = undefined> {
  once(id: string, handle: (context: Context) => Promise<void>): Promise<void>;
}

declare class WebhookVerificationError extends Error {
  readonly name = 'WebhookVerificationError';
  readonly reason: WebhookVerificationReason;
  constructor(reason: WebhookVerificationReason, message: string);
}

type WebhookVerificationReason =
  | 'missing_header'
  | 'bad_timestamp'
  | 'too_old'
  | 'too_new'
  | 'no_v1'
  | 'mismatch'
  | 'secret_is_api_key'
  | 'invalid_secret'
  | 'body_not_raw';

declare function signWidget(input: {
  apiKey: string;
  pms: string;
  externalId: string;
}): Promise<string>;

declare function verifyExperienceResult(
  result: string,
  {
    apiKey,
  }: {
    apiKey: string;
  },
): Promise<ExperienceResult>;

declare function verifyTenantQuery(
  tenant: unknown,
  headers: HeadersLike,
  secret: string | readonly string[],
  options?: VerifyWebhookOptions,
): string;

declare function verifyWebhook(
  rawBody: string | Uint8Array,
  headers: HeadersLike,
  secret: string | readonly string[],
  options?: VerifyWebhookOptions,
): WebhookEvent;

declare function webhookHandler<Context = undefined, Exhaustive extends boolean = false>(
  handlers: Exhaustive extends true ? Required<WebhookHandlers<Context>> : WebhookHandlers<Context>,
  options: WebhookHandlerOptions<Context, Exhaustive>,
): WebhookHandler;

export {
  ActivityFilter,
  AdvanceClock,
  AllowedOriginsOutput as AllowedOrigins,
  AnyWebhookEvent,
  ApiKeyOutput as ApiKey,
  AppearanceInput as UpdateAppearance,
  AppearanceOutput as Appearance,
  AttemptFilter,
  AuditEntry,
  CallOptions,
  CertificationCaseOutput as CertificationCase,
  CertificationOutput as Certification,
  CertificationSummaryOutput as CertificationSummary,
  Charge,
  CreateApiKeyInput as CreateApiKey,
  CreateEndpoint,
  CreatePortalToken,
  CreateRefund,
  CreateReplay,
  CreatedApiKeyOutput as CreatedApiKey,
  CustomEvent,
  DebitAccountOutput as DebitAccount,
  Delivery,
  DeliveryAttemptOutput as DeliveryAttempt,
  DeliveryExport,
  DeliveryFilter,
  DoctorOutput as DoctorReport,
  EndpointHealth,
  EventFilter,
  EventTypeDescription,
  ExperienceResult,
  FailNextPayment,
  ForkTenant,
  GoLiveOutput as GoLiveChecklist,
  HeadersLike,
  List,
  ListedTenantOutput as ListedTenant,
  ManualGoLiveItem,
  MessageFilter,
  NodeWebhookRequest,
  NodeWebhookResponse,
  Page,
  PageResults,
  PartnerOutput as Partner,
  PayoutFilter,
  PayoutOutput as Payout,
  PayoutStatement,
  PlanOutput as Plan,
  PlayScenario,
  PortalInfo,
  PortalInfoOutput as PortalInfoAnswer,
  PortalTokenOutput as PortalToken,
  PublicKeys,
  PublishedEvent,
  RefundOutput as Refund,
  ReplayFilter,
  ReplayRecording,
  RequestDetailOutput as LoggedRequestDetail,
  RequestFilter,
  RequestOutput as LoggedRequest,
  ReturnPayout,
  ReturnSettlement,
  RevokedApiKeyOutput as RevokedApiKey,
  RotatedApiKeyOutput as RotatedApiKey,
  RunDoctor,
  ScenarioOutput as ScenarioResult,
  ServiceCaseName,
  SetFlow,
  SetUnderwritingResult,
  SettlementFilter,
  SettlementOutput as Settlement,
  SigningSecret,
  SimulationOutput as Simulation,
  StartCertification,
  SvcClient,
  SvcClientOptions,
  SvcConnectionError,
  SvcError,
  SvcErrorCode,
  SvcErrorDetails,
  SvcTimeoutError,
  TenantFilter,
  TenantOutput as Tenant,
  TenantView,
  TestSend,
  UpdateEndpoint,
  UpdatePayout,
  UpdateSettlement,
  VerifyWebhookOptions,
  WebhookEvent,
  WebhookEventOf,
  WebhookHandler,
  WebhookHandlerOptions,
  WebhookHandlers,
  WebhookStore,
  WebhookVerificationError,
  WebhookVerificationReason,
  signWidget,
  verifyExperienceResult,
  verifyTenantQuery,
  verifyWebhook,
  webhookHandler,
};
