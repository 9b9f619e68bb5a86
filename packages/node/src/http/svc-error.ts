import type { ErrorCode, FieldError } from '@svc/contract';

/** The codes of the service and of this client. A later version of the service may add others. */
export type SvcErrorCode =
  | ErrorCode
  | 'connection_failed'
  | 'timed_out'
  | 'unexpected_response'
  | (string & Record<never, never>);

export interface SvcErrorDetails {
  code: SvcErrorCode;
  message: string;
  /** The HTTP status; null without a response. */
  status: number | null;
  param: string | null;
  errors: FieldError[];
  requestId: string | null;
  docUrl: string | null;
  retryable: boolean;
  idempotencyKey: string | null;
  attempts: number;
  /** The first 2,000 characters of a response that did not come from the service. */
  responseBody: string | null;
}

/**
 * A failed call to the service. Branch on `code`. Show `message` to developers, not to tenants. If
 * `retryable`, repeat the call with the same `idempotencyKey`: it takes effect once, even if an earlier
 * attempt succeeded.
 */
export class SvcError extends Error implements SvcErrorDetails {
  override readonly name: string = 'SvcError';
  readonly code: SvcErrorCode;
  readonly status: number | null;
  readonly param: string | null;
  /** Every invalid field of a `validation_failed`. */
  readonly errors: FieldError[];
  readonly requestId: string | null;
  readonly docUrl: string | null;
  readonly retryable: boolean;
  readonly idempotencyKey: string | null;
  /** Number of requests that were sent. */
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

/** The connection failed: refused, reset, DNS or TLS. `cause` is the error of fetch. */
export class SvcConnectionError extends SvcError {
  override readonly name = 'SvcConnectionError';
}

/** No complete response within `timeoutMs`. The call may have taken effect. */
export class SvcTimeoutError extends SvcError {
  override readonly name = 'SvcTimeoutError';
}
