import type { ErrorEventCode } from './frame.ts';

/**
 * Every `error_code` of the SDK: the number of its ERROR event, what it means, why it usually
 * happens and what to do. The page of error codes shows them, and the sandbox's console lines are
 * made from them. `{service}` stands for the origin of the service, `{page}` for that of the page.
 *
 * Codes that the API knows too are in `errorCatalog` as well, so that both share one anchor.
 */
export const sdkErrorCatalog = {
  invalid_settings: entry(
    1000,
    'A setting is missing or wrong. The widget is not shown.',
    'A value of the wrong type or format, or a misspelled name. `issues` of the SvcError names each one.',
    'Change the settings that the message names.',
  ),
  destroyed: entry(
    1000,
    'The instance was used after destroy().',
    'The page keeps a reference to an instance that it has destroyed.',
    'Call Svc(…) for a new one.',
  ),
  ambiguous_instance: entry(
    1000,
    'openExperienceAndSetToken of @svc/react cannot tell which widget is meant.',
    'Several SvcWidgets are mounted, and none of them was clicked.',
    'Open the one you mean through its ref or useSvc().',
  ),
  not_mounted: entry(
    1000,
    'openExperienceAndSetToken of @svc/react found no widget to open.',
    'It was called before the SvcWidget was mounted or after it was unmounted.',
    'Call it while the SvcWidget is on the page, such as in onWidgetClickCallback.',
  ),
  validation_failed: entry(
    1000,
    'The service refused the widget’s request.',
    'A setting has a form that the service does not accept, or the SDK is newer than the service.',
    'Compare the message with your settings.',
  ),
  signature_invalid: entry(
    1001,
    'The signature does not match. The widget is disabled.',
    'It was made with a key of another portal or environment, with a revoked key, or over other text than pms + "+" + externalId.',
    'Sign exactly that text on your backend with a live key of {service}. POST /v1/partner/doctor shows the bytes and tries the usual mistakes.',
  ),
  portal_unknown: entry(
    1001,
    'The service has no portal with this name. The widget is disabled.',
    'pms is misspelled, or is the name of your portal in the other environment.',
    'Pass the name that you got with the API key of {service}.',
  ),
  wrong_environment: entry(
    1001,
    'The page and the service are in different environments.',
    'environment is "sandbox" and {service} is a production service, or the reverse. Keys and portal names of one do not work in the other, and in a sandbox no money moves.',
    'Point baseUrl to a service of the same environment, and sign with a key of that service.',
  ),
  container_too_small: entry(
    1002,
    'The widget has less than 320 × 250 px.',
    'Its container has a smaller width or height, or is a flex or grid item that shrinks.',
    'Give the container at least 320 × 250 px.',
  ),
  widget_not_attached: entry(
    null,
    'The widget was created, and is not in the page.',
    'The container that the code looks for does not exist, or the element of createWidget() was never appended.',
    'Append the element to a container that exists when your code runs.',
  ),
  token_not_a_string: entry(
    1100,
    'openExperienceAndSetToken got no token.',
    'Your backend answered with an error or in another shape than the page reads.',
    'Pass the token that portal_info returned.',
  ),
  token_refused: entry(
    1100,
    'The service refused the tenant token.',
    'It was used before, is older than 60 minutes, or belongs to another tenant. Often a backend returns a cached token.',
    'Call portal_info for each click and return its new token.',
  ),
  connect_blocked: entry(
    1200,
    'This page’s Content-Security-Policy blocks requests to the service.',
    'connect-src, or default-src in its place, does not list {service}.',
    'Add {service} to connect-src. With identityCheck: "open" the widget sends no request.',
  ),
  network: entry(
    1200,
    'The service gave no usable answer. The widget stays usable.',
    'The service is down, baseUrl names another server, something in between answers instead, or an https page asks an http service.',
    'Check that the service runs at {service}, then the network and baseUrl.',
  ),
  origin_not_allowed: entry(
    1300,
    'The service does not let this page show the widget.',
    'allowed_origins does not contain {page}.',
    'Add {page} with PUT /v1/partner/allowed_origins.',
  ),
  frame_blocked: entry(
    1300,
    'This page’s Content-Security-Policy blocks the experience.',
    'frame-src, or child-src or default-src in its place, does not list {service}.',
    'Add {service} to frame-src.',
  ),
  frame_timeout: entry(
    1300,
    'The experience did not load within 12 seconds.',
    'allowed_origins does not contain {page}, the page sends Cross-Origin-Embedder-Policy, or the service is slow.',
    'Run the doctor with the address of this page: POST /v1/partner/doctor.',
  ),
  callback_threw: entry(
    1400,
    'onWidgetClickCallback or fetchToken threw an error.',
    'The page’s own code failed. The console shows its error.',
    'Handle the error, and return the token or call openExperienceAndSetToken.',
  ),
  callback_opened_nothing: entry(
    1400,
    'onWidgetClickCallback or fetchToken opened nothing within 30 seconds.',
    'It neither returned a token nor called openExperienceAndSetToken.',
    'Return the token that your backend got from portal_info.',
  ),
  rate_limited: entry(
    1500,
    'The service got too many requests.',
    'Many widgets or tests ask at once.',
    'Wait and try again. The widget stays usable.',
  ),
  internal_error: entry(
    1500,
    'The service failed.',
    'A fault of the service. The widget stays usable.',
    'Try again; if it fails again, send us the request id.',
  ),
  unavailable: entry(
    1500,
    'The service cannot answer right now.',
    'It is starting, stopping or overloaded. The widget stays usable.',
    'Try again in a few seconds.',
  ),
  tenant_too_early: entry(
    null,
    'The tenant cannot split the balance yet. This is not an error of the page.',
    'The window opens seven days before the charges are due.',
    'To rehearse now, call POST /v1/simulation/{external_id}/set_underwriting_result with a rent_cycle_date, or report charges that are due soon.',
  ),
  tenant_nothing_due: entry(
    null,
    'The page shows a balance, but the service knows of nothing to split.',
    'portal_info has not reported the charges, or reported them as paid.',
    'Send portal_info with the charges that make up the balance.',
  ),
  tenant_unavailable: entry(
    null,
    'The tenant cannot split this balance. This is not an error of the page.',
    'The window has closed, the tenant was declined for now, or no payment processor is set up.',
    'GET /v1/tenants/{external_id} says why. In the sandbox, POST /v1/simulation/{external_id}/reset starts over.',
  ),
  tenant_moved_out: entry(
    null,
    'The tenant cannot split after moving out. This is not an error of the page.',
    'The lease that portal_info reported has ended.',
    'Send portal_info with the current lease.',
  ),
} as const satisfies Record<string, SdkError>;

export type SdkErrorCode = keyof typeof sdkErrorCatalog;

export interface SdkError {
  /** `code` of the ERROR event; null for a line of the sandbox's console without an event. */
  code: ErrorEventCode | null;
  meaning: string;
  cause: string;
  fix: string;
}

function entry(code: ErrorEventCode | null, meaning: string, cause: string, fix: string): SdkError {
  return { code, meaning, cause, fix };
}
