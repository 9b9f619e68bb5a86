import type { SvcEvent, WidgetSession } from '@svc/contract/frame';
import { emit, emitError } from '../events.ts';
import type { Instance } from '../instance.ts';
import { tenantIdentity } from '../settings.ts';

/** The service's answer. An error that has no `event` comes from something in between. */
interface Answer {
  error: { event: SvcEvent; tenant: WidgetSession | null } | null;
  data: WidgetSession | null;
}

/**
 * The widget's one request: the service checks the signature and says where the tenant stands. When
 * the request fails (network, the page's policy, a busy service) the widget stays usable, because
 * the experience checks the signature again.
 */
export async function refreshSession(instance: Instance): Promise<void> {
  const { settings, serviceOrigin } = instance;
  if (instance.destroyed || settings.identityCheck === 'open') return;
  const { pms, externalId, signature, productVariant } = tenantIdentity(settings);
  const request = {};
  instance.sessionRequest = request;
  const isCurrent = () => instance.sessionRequest === request;
  try {
    const response = await fetch(`${serviceOrigin}/v1/widget/session`, {
      method: 'POST',
      // A string is sent as text/plain, which needs no preflight.
      body: JSON.stringify({
        pms,
        external_id: externalId,
        signature,
        product_variant: productVariant,
      }),
    });
    const { error, data }: Answer = await response.json();
    if (!isCurrent()) return;
    if (error) emit(instance, error.event.type, error.event.data);
    instance.session = data ?? error?.tenant ?? undefined;
    instance.widget?.render();
  } catch {
    if (!isCurrent()) return;
    emitError(instance, {
      code: 1200,
      error_code: 'network',
      msg: `No usable answer from ${serviceOrigin}. Check the network, baseUrl, and that this page's connect-src allows it.`,
    });
  }
}
