import type { Trigger } from '../kernel/claimed.ts';
import { describeAttempt, type ErrorClass } from '../sending/describe-attempt.ts';
import { shownHeaders } from '../sending/request-headers.ts';
import { type AttemptDetail, sentHeaders } from './attempt-detail.ts';

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
  /** The error message of the network. */
  readonly error: string | null;
  /** What went wrong and what to change, in a sentence. */
  readonly hint: string | null;
  readonly url: string;
  /** The headers as sent, with credentials and custom values redacted. */
  readonly request_headers: Record<string, string>;
  readonly response_headers: Record<string, string>;
  readonly response_body: string | null;
  readonly response_truncated: boolean;
  /** Null for a step that did not happen, for example on a reused connection. */
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
  trigger: AttemptView['trigger'];
  started_at: Date;
  status: number | null;
  error_class: ErrorClass | null;
  next_attempt_at: Date | null;
  detail: AttemptDetail;
}

export function viewAttempt(row: AttemptRow): AttemptView {
  const { detail } = row;
  const responseHeaders = detail.answered ?? {};
  const timestamp = Math.floor(row.started_at.getTime() / 1000);
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
    error: detail.error ?? null,
    hint: describeAttempt({
      status: row.status,
      errorClass: row.error_class,
      error: detail.error ?? null,
      atProxy: detail.proxy ?? false,
      opening: detail.ms.dns !== undefined && detail.ms.connect === undefined,
      responseHeaders,
      responseBody: detail.body ?? null,
    }),
    url: detail.url,
    request_headers: shownHeaders(sentHeaders(detail), { messageId: row.message_id, timestamp }),
    response_headers: responseHeaders,
    response_body: detail.body ?? (row.status === null ? null : ''),
    response_truncated: detail.cut ?? false,
    timing_in_ms: {
      dns: detail.ms.dns ?? null,
      connect: detail.ms.connect ?? null,
      tls: detail.ms.tls ?? null,
      first_byte: detail.ms.first ?? null,
      total: detail.ms.total,
    },
    next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
  };
}
