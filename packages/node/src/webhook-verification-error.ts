export type WebhookVerificationReason =
  | 'missing_header'
  | 'bad_timestamp'
  | 'too_old'
  | 'too_new'
  | 'no_v1'
  | 'mismatch'
  | 'secret_is_api_key'
  | 'invalid_secret'
  | 'body_not_raw';

/**
 * Thrown by `verifyWebhook`. Answer such a request with a 4xx and process nothing.
 * `secret_is_api_key` and `invalid_secret` are faults of your configuration, `body_not_raw` one of
 * your framework's body parser; the other reasons can also be a stranger's request.
 */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  readonly reason: WebhookVerificationReason;

  constructor(reason: WebhookVerificationReason, message: string) {
    super(message);
    this.reason = reason;
  }
}
