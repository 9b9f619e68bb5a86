import type { ErrorEventCode, Step, SvcEventType, WidgetSession } from '@svc/contract/frame';
import { explain } from '../diagnostics/explain.ts';
import { blockedMessage } from '../diagnostics/watch-policy.ts';
import { emitError } from '../events.ts';
import type { Instance } from '../instance.ts';
import { baseUrlAdvice, tenantIdentity } from '../settings.ts';

type ProvisionalStatus = 'applied' | 'approved' | 'has_plan' | 'unavailable';

interface SessionResponse {
  data: WidgetSession | null;
  error: { code: string; message: string; request_id: string } | null;
}

/**
 * Sends the widget's one request: the service checks the signature and returns the tenant's status. When
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
    const { data, error }: SessionResponse = await response.json();
    if (!isCurrent()) return;
    if (data) {
      instance.session = data;
      instance.refused = false;
      if (settings.environment === 'production' && data.environment === 'sandbox') {
        emitError(instance, {
          code: 1001,
          error_code: 'wrong_environment',
          msg: `environment is "production", but ${serviceOrigin} is a sandbox, where no money moves. Point baseUrl to your production service, or use Environment.Sandbox.`,
          retryable: false,
        });
      }
      explainStatus(instance);
    } else {
      // An error without a request id comes from a proxy in between, not from the service.
      if (!error?.request_id) throw new Error('The answer is not from the service.');
      handleRefusal(instance, response.status, error);
    }
    instance.widget?.render();
  } catch {
    if (!isCurrent()) return;
    // The event that reports a violation may come a task after the rejection.
    await new Promise((resolve) => setTimeout(resolve));
    if (!isCurrent()) return;
    if (instance.blockedBy.has('connect-src')) {
      const msg = blockedMessage(instance, 'requests to', 'connect-src');
      emitError(instance, { code: 1200, error_code: 'connect_blocked', msg });
      return;
    }
    const msg = `No usable answer from ${serviceOrigin}. Check that the service runs there, then the network and baseUrl.${baseUrlAdvice(instance)}`;
    emitError(instance, { code: 1200, error_code: 'network', msg }, { isUnclear: true });
  }
}

/** Explains why a sandbox page's widget offers nothing. That is not an error, so there is no event. */
function explainStatus(instance: Instance): void {
  const { session, settings } = instance;
  const status = session?.status ?? '';
  if (!/early|unavail|nothing|moved/.test(status) || settings.balance <= 0) return;
  explain(instance, {
    code: null,
    error_code: `tenant_${status}`,
    msg: `The widget offers no plan: the tenant is "${status}".`,
    isUnclear: true,
  });
}

const errorCodes: Record<number, ErrorEventCode> = { 401: 1001, 403: 1300, 422: 1000 };

function handleRefusal(
  instance: Instance,
  status: number,
  { code: error_code, message: msg, request_id }: NonNullable<SessionResponse['error']>,
): void {
  // A service that is only busy leaves the widget as it is. Any other refusal disables it.
  const retryable = status === 429 || status >= 500;
  if (!retryable) {
    instance.refused = true;
    instance.session = { state: 'unavailable', next_payment_on: null, available_on: null };
  }
  const code = errorCodes[status] ?? 1500;
  const details = { code, error_code, msg, request_id, retryable };
  emitError(instance, details, { isUnclear: status === 401 || status === 403 });
}

/** The status that follows from an event, or from the last step. */
const statusAfter: { [name in SvcEventType | Step]?: ProvisionalStatus } = {
  APPLICATION_SUBMITTED: 'applied',
  USER_APPROVED: 'approved',
  USER_DECLINED: 'unavailable',
  SPLIT_RENT: 'has_plan',
  plan_choice: 'approved',
  consent: 'approved',
  done: 'has_plan',
  manage: 'has_plan',
  declined: 'unavailable',
};

/**
 * Shows at once what an event of the experience, or its last step, says about the tenant. The dates
 * follow with the service's response.
 */
export function applyToSession(instance: Instance, name: string): void {
  const status = Object.hasOwn(statusAfter, name) && statusAfter[name as Step];
  const { session } = instance;
  // A late plan stays late until the service says otherwise, and so does a debt.
  const isKnown =
    status === 'has_plan' &&
    (session?.state === 'has_plan' || session?.status === 'needs_attention');
  if (!status || isKnown || session?.status === status) return;
  const state = status === 'applied' || status === 'approved' ? 'can_split' : status;
  instance.session = { state, status, next_payment_on: null, available_on: null };
  instance.widget?.render();
}

/**
 * Updates the widget after the experience has closed: shows what its last step says, then asks the service.
 * With `identityCheck: 'open'`, the events and the step are all that is known.
 */
export function updateSessionAfter(instance: Instance, lastStep: Step | null): void {
  if (lastStep) applyToSession(instance, lastStep);
  void refreshSession(instance);
}
