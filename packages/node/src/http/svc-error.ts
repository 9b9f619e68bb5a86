import type { ErrorCode, FieldError } from '@svc/contract';

/** The service's codes, those of this client, and whatever a later version of the service adds. */
export type SvcErrorCode =
  | ErrorCode
  | 'connection_failed'
  | 'timed_out'
  | 'unexpected_response'
  | (string & Record<never, never>);

export interface SvcErrorDetails {
  code: SvcErrorCode;
  message: string;
  /** The HTTP status; null when no answer came. */
  status: number | null;
  param: string | null;
  errors: FieldError[];
  requestId: string | null;
  docUrl: string | null;
  retryable: boolean;
  idempotencyKey: string | null;
  attempts: number;
  /** The first 2,000 characters of an answer that is not the service's own. */
  responseBody: string | null;
}

/**
 * A call to the service failed. Branch on `code`; show `message` to developers, not to tenants.
 * After `retryable` errors the same call may be made again: with the same `idempotencyKey` it
 * takes effect once, whatever became of the earlier attempts.
 */
export class SvcError extends Error implements SvcErrorDetails {
  override readonly name: string = 'SvcError';
  readonly code: SvcErrorCode;
  readonly status: number | null;
  readonly param: string | null;
  /** Every wrong field of a `validation_failed`. */
  readonly errors: FieldError[];
  readonly requestId: string | null;
  readonly docUrl: string | null;
  readonly retryable: boolean;
  readonly idempotencyKey: string | null;
  /** How many requests were made. */
  readonly attempts: number;
  readonly responseBody: string | null;

  constructor(details: SvcErrorDetails, cause?: unknown) {
    super(details.message, cause === undefined ? undefined : { cause });
    this.code = details.code;
    this.status = details.status;
    this.param = details.param;
    this.errors = details.errors;
    this.requestId = details.requestId;
    this.docUrl = details.docUrl;
    this.retryable = details.retryable;
    this.idempotencyKey = details.idempotencyKey;
    this.attempts = details.attempts;
    this.responseBody = details.responseBody;
  }
}

/** No answer: refused, reset, DNS or TLS. `cause` is what fetch threw. */
export class SvcConnectionError extends SvcError {
  override readonly name = 'SvcConnectionError';
}

/** No whole answer within `timeoutMs`. The service may still have done it. */
export class SvcTimeoutError extends SvcError {
  override readonly name = 'SvcTimeoutError';
}
