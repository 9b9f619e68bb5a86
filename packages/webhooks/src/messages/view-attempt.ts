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

/** Stored as one value: it is only ever shown. */
export interface AttemptDetail
  extends Pick<
    AttemptView,
    'error' | 'url' | 'response_headers' | 'response_body' | 'response_truncated' | 'timing_in_ms'
  > {
  readonly request_headers: Readonly<Record<string, string>>;
  /** The headers were also sent under their `svix-` names. */
  readonly svix_headers: boolean;
}

/** A row of webhook_attempts, with its number. */
export interface AttemptRow {
  id: string;
  message_id: string;
  endpoint_id: string;
  number: number;
  trigger: AttemptView['trigger'];
  started_at: Date;
  status: number | null;
  error_class: ErrorClass | null;
  next_attempt_at: Date | null;
  detail: AttemptDetail;
}

export function viewAttempt(row: AttemptRow): AttemptView {
  const { svix_headers, request_headers, ...detail } = row.detail;
  const hint = describeAttempt({
    status: row.status,
    errorClass: row.error_class,
    responseHeaders: detail.response_headers,
  });
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
    hint,
    next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
    ...detail,
    request_headers: svix_headers ? withSvixHeaders(request_headers) : request_headers,
  };
}

/** The copies carry the same values, so they are not stored. */
function withSvixHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const copies = Object.entries(headers)
    .filter(([name]) => name.startsWith('webhook-'))
    .map(([name, value]) => [name.replace('webhook-', 'svix-'), value]);
  return { ...headers, ...Object.fromEntries(copies) };
}
