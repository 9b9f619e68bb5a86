import { instant, integer, json, nullable, oneOf, type RowOf, raw, row, text } from '@svc/db';
import type { Trigger } from '../kernel/claimed.ts';
import { describeAttempt, type ErrorClass, errorClasses } from '../sending/describe-attempt.ts';
import { shownHeaders } from '../sending/request-headers.ts';
import { detailSchema, sentHeaders } from './attempt-detail.ts';

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
  /** A sentence that says what went wrong and what to change. */
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
export const attemptRow = row('attempt', {
  id: text,
  message_id: text,
  endpoint_id: text,
  trigger: oneOf('schedule', 'manual', 'recover', 'test'),
  started_at: instant,
  status: nullable(integer),
  error_class: nullable(oneOf(...errorClasses)),
  next_attempt_at: nullable(instant),
  detail: json(detailSchema),
  number: integer,
});
export type AttemptRow = RowOf<typeof attemptRow>;

/** The stored columns of `attemptRow`, of the table `a`. */
export const attemptColumns = raw(`
  a.id, a.message_id, a.endpoint_id, a.trigger, a.started_at, a.status, a.error_class,
  a.next_attempt_at, a.detail`);

export function viewAttempt(attempt: AttemptRow): AttemptView {
  const { detail } = attempt;
  const responseHeaders = detail.answered ?? {};
  const timestamp = Math.floor(attempt.started_at.getTime() / 1000);
  return {
    id: attempt.id,
    message_id: attempt.message_id,
    endpoint_id: attempt.endpoint_id,
    number: attempt.number,
    trigger: attempt.trigger,
    started_at: attempt.started_at.toISOString(),
    succeeded: attempt.error_class === null,
    status: attempt.status,
    error_class: attempt.error_class,
    error: detail.error ?? null,
    hint: describeAttempt({
      status: attempt.status,
      errorClass: attempt.error_class,
      error: detail.error ?? null,
      atProxy: detail.proxy ?? false,
      opening: detail.ms.dns !== undefined && detail.ms.connect === undefined,
      responseHeaders,
      responseBody: detail.body ?? null,
    }),
    url: detail.url,
    request_headers: shownHeaders(sentHeaders(detail), {
      messageId: attempt.message_id,
      timestamp,
    }),
    response_headers: responseHeaders,
    response_body: detail.body ?? (attempt.status === null ? null : ''),
    response_truncated: detail.cut ?? false,
    timing_in_ms: {
      dns: detail.ms.dns ?? null,
      connect: detail.ms.connect ?? null,
      tls: detail.ms.tls ?? null,
      first_byte: detail.ms.first ?? null,
      total: detail.ms.total,
    },
    next_attempt_at: attempt.next_attempt_at?.toISOString() ?? null,
  };
}
