import type { SvcDiagnosis } from '@svc/contract/frame';
import type { Instance } from '../instance.ts';

/** Returns the widget's state as plain data. */
export function diagnose(instance: Instance): SvcDiagnosis {
  const { settings, serviceOrigin, widget, session, blockedBy, problems } = instance;
  const { environment, pms, externalId, signature, balance } = settings;
  const { offsetWidth: width, offsetHeight: height, isConnected } = widget?.element ?? {};
  return {
    // The query string is left out, because it may contain data that is not ours to read.
    page_url: location.origin + location.pathname,
    service: serviceOrigin,
    environment,
    pms,
    external_id: externalId,
    signature,
    balance,
    container: isConnected && width && height ? { width, height } : null,
    status: session?.status ?? session?.state ?? null,
    blocked_by: [...blockedBy.keys()],
    problems: [...problems],
  };
}
