import { fail } from './emit.ts';
import type { Running, TenantStatus } from './running.ts';
import { tenantOf } from './settings.ts';

interface Answer {
  error: { code: string; message: string; request_id?: string } | null;
  data: TenantStatus | null;
}

/**
 * Checks the signature by the widget's one request; another identity overtakes it. Where nothing is
 * learned (network, the page's CSP, a busy service) the widget stays usable, and the experience
 * checks again.
 */
export async function checkIdentity(at: Running): Promise<void> {
  if (at.destroyed || at.settings.identityCheck === 'open') return;
  const { pms, externalId, signature, productVariant } = tenantOf(at.settings);
  const request = {};
  at.request = request;
  try {
    const response = await fetch(`${at.origin}/v1/widget/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        pms,
        external_id: externalId,
        signature,
        product_variant: productVariant,
      }),
    });
    const { status } = response;
    const { error, data }: Answer = await response.json();
    if (at.request !== request) return;
    const retryable = status === 429 || status > 499;
    if (error) {
      const code = { 401: 1001, 403: 1300, 422: 1000 }[status] ?? 1500;
      fail(at, code as 1500, error.code, retryable, error.message, error.request_id);
    }
    at.tenant = data ?? (retryable ? undefined : { state: 'unavailable' });
    at.paint?.();
  } catch {
    if (at.request === request) fail(at, 1200, 'network');
  }
}
