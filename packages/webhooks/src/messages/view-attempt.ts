import type { Trigger } from '../claim.ts';
import { describeAttempt, type ErrorClass } from '../sending/describe-attempt.ts';

export interface AttemptView {
  readonly id: string;
  readonly message_id: string;
  readonly endpoint_id: string;
  readonly number: number;
  readonly trigger: Trigger | 'test';
  readonly started_at: string;
  readonly succeeded: boolean;
  readonly status: number | null;
  readonly error_class: ErrorClass | null;
  /** The network's own words. */
  readonly error: string | null;
  /** What went wrong and what to change, in a sentence. */
  readonly hint: string | null;
  readonly url: string;
  /** As sent; credentials and custom values are redacted. */
  readonly request_headers: Record<string, string>;
  readonly response_headers: Record<string, string>;
  readonly response_body: string | null;
  readonly response_truncated: boolean;
  /** null where the step did not happen, as on a connection used before. */
  readonly timing_in_ms: {
    readonly dns: number | null;
    readonly connect: number | null;
    readonly tls: number | null;
    readonly first_byte: number | null;
    readonly total: number;
  };
  readonly next_attempt_at: string | null;
}

/** A row of webhook_attempts, with its number. */
export interface AttemptRow {
  id: string;
  message_id: string;
  endpoint_id: string;
  number: number;
  trigger: Trigger | 'test';
  started_at: Date;
  status: number | null;
  error_class: ErrorClass | null;
  error: string | null;
  url: string;
  request_headers: Record<string, string>;
  svix_headers: boolean;
  response_headers: Record<string, string>;
  response_body: string | null;
  response_truncated: boolean;
  dns_ms: number | null;
  connect_ms: number | null;
  tls_ms: number | null;
  first_byte_ms: number | null;
  total_ms: number;
  next_attempt_at: Date | null;
}

export function viewAttempt(row: AttemptRow): AttemptView {
  const described = {
    status: row.status,
    errorClass: row.error_class,
    responseHeaders: row.response_headers,
  };
  return {
    id: row.id,
    message_id: row.message_id,
    endpoint_id: row.endpoint_id,
    number: row.number,
    trigger: row.trigger,
    started_at: row.started_at.toISOString(),
    succeeded: row.error_class === null,
    status: row.status,
    error_class: row.error_class,
    error: row.error,
    hint: describeAttempt(described),
    url: row.url,
    request_headers: row.svix_headers ? withSvixHeaders(row.request_headers) : row.request_headers,
    response_headers: row.response_headers,
    response_body: row.response_body,
    response_truncated: row.response_truncated,
    timing_in_ms: {
      dns: rounded(row.dns_ms),
      connect: rounded(row.connect_ms),
      tls: rounded(row.tls_ms),
      first_byte: rounded(row.first_byte_ms),
      total: rounded(row.total_ms) ?? 0,
    },
    next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
  };
}

/** The copies carry the same values, so they are not stored. */
function withSvixHeaders(headers: Record<string, string>): Record<string, string> {
  const copies = Object.entries(headers)
    .filter(([name]) => name.startsWith('webhook-'))
    .map(([name, value]) => [name.replace('webhook-', 'svix-'), value]);
  return { ...headers, ...Object.fromEntries(copies) };
}

function rounded(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms * 10) / 10;
}
