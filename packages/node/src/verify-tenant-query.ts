import { signatureChecker, type VerifyWebhookOptions } from './verify-webhook.ts';
import type { HeadersLike } from './webhook-headers.ts';
import { WebhookVerificationError } from './webhook-verification-error.ts';

/**
 * Verifies that Svc asked for your view of a tenant (`GET <url>?tenant=…`) recently, and returns the tenant's
 * id. The request is signed like a webhook, and the signed text is the id in place of the body.
 *
 * @param tenant the value of the parameter `tenant`, decoded, as your framework returns it.
 * @param secret the `whsec_…` secret of the endpoint that is certified, or its `whpk_…` public key.
 * @throws WebhookVerificationError with a `reason`. Its message says what to do.
 */
export function verifyTenantQuery(
  tenant: unknown,
  headers: HeadersLike,
  secret: string | readonly string[],
  options: VerifyWebhookOptions = {},
): string {
  if (typeof tenant !== 'string' || tenant === '') {
    throw new WebhookVerificationError(
      'mismatch',
      'The request has no parameter "tenant", or several of them.',
    );
  }
  if (!signatureChecker(headers, secret, options)(tenant)) {
    throw new WebhookVerificationError(
      'mismatch',
      'No signature matches: the secret belongs to another endpoint, or the parameter "tenant" was ' +
        'changed. Pass it decoded, and check that the secret is this endpoint’s.',
    );
  }
  return tenant;
}
