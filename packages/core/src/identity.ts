import type { SvcEvent, WidgetSession } from '@svc/contract/frame';
import { emit, fail } from './emit.ts';
import type { Running } from './running.ts';
import { tenantOf } from './settings.ts';

/** A refusal says what it means here; one that does not is not the service's. */
interface Answer {
  error: { event: SvcEvent; tenant: WidgetSession | null } | null;
  data: WidgetSession | null;
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
    // Text, as a string is, goes without a preflight.
    const response = await fetch(`${at.origin}/v1/widget/session`, {
      method: 'POST',
      body: JSON.stringify({
        pms,
        external_id: externalId,
        signature,
        product_variant: productVariant,
      }),
    });
    const { error, data }: Answer = await response.json();
    if (at.request !== request) return;
    if (error) emit(at, error.event.type, error.event.data);
    at.tenant = data ?? error?.tenant;
    at.paint?.();
  } catch {
    if (at.request === request) fail(at, 1200, 'network');
  }
}
