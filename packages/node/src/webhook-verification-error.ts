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
 * Thrown by `verifyWebhook`. Answer the request with a 4xx and do not process it. `secret_is_api_key`
 * and `invalid_secret` mean that your configuration is wrong, `body_not_raw` that your framework parsed
 * the body. Requests that did not come from Svc cause the other reasons.
 */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  readonly reason: WebhookVerificationReason;

  constructor(reason: WebhookVerificationReason, message: string) {
    super(message);
    this.reason = reason;
  }
}
