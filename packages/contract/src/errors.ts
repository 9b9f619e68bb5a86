/**
 * Every error code of the API: its HTTP status, what it means and what to do about it. The docs page
 * is generated from this list, and each error's `doc_url` points into that page.
 */
export const errorCatalog = {
  invalid_json: entry(400, 'The body is not valid JSON.', 'Send one JSON object in UTF-8.'),
  invalid_path: entry(
    400,
    'The path has a broken percent escape.',
    'Encode ids with encodeURIComponent, once.',
  ),
  malformed_request: entry(
    400,
    'The request is not valid HTTP/1.1.',
    'Send it with an HTTP library, or see RFC 9112.',
  ),
  invalid_idempotency_key: entry(
    400,
    'The Idempotency-Key is empty, too long or not visible ASCII.',
    'Send 1 to 255 visible ASCII characters, such as a UUID.',
  ),
  missing_credentials: entry(
    401,
    'The request carries no credentials.',
    'Send "Authorization: Bearer <API key>".',
  ),
  invalid_credentials: entry(
    401,
    'The credentials are wrong, revoked or malformed.',
    'Check the key for a missing character, or create a new one.',
  ),
  wrong_environment: entry(
    401,
    'The API key belongs to the other environment.',
    'Use the key that was issued for this environment.',
  ),
  token_expired: entry(401, 'The token has expired.', 'Call portal_info for a new tenant token.'),
  token_invalid: entry(
    401,
    'The token is unknown, already used, or was issued for another tenant.',
    'Call portal_info for a new tenant token and pass it on unchanged.',
  ),
  signature_invalid: entry(
    401,
    'The widget signature does not match.',
    'Compute hex HMAC-SHA256 over "<pms>+<externalId>" with a live API key, on your backend.',
  ),
  portal_unknown: entry(
    401,
    'The service has no portal with this name. Only the sandbox tells this from a wrong signature.',
    'Pass the pms that was issued with the API key.',
  ),
  browser_call: entry(
    403,
    'An API key must never be used from a browser, and this request carries Origin.',
    'Call from your backend. If it forwards browser headers, remove Origin.',
  ),
  simulation_unavailable: entry(
    403,
    'Simulation does not exist in production.',
    'Use the sandbox environment.',
  ),
  origin_not_allowed: entry(
    403,
    'This origin is not among the partner’s allowed origins.',
    'Add it with PUT /v1/partner/allowed_origins.',
  ),
  read_only_session: entry(
    403,
    'This console session is read-only: it cannot change anything or read secrets.',
    'Open the console with a link that is not read-only.',
  ),
  fresh_link_required: entry(
    403,
    'This console session was opened more than 15 minutes ago, and API keys, signing secrets and the account to debit need a fresh link.',
    'Open the console again from your own software, in this browser, and repeat what you did.',
  ),
  key_scope_required: entry(
    403,
    'This API key has no scope that allows this call.',
    'Use a key with the scope that the message names. A key’s scopes never change: create another key.',
  ),
  admin_scope_required: entry(
    403,
    'This console session reaches webhooks only.',
    'Open the console with a link from GET /partner/webhook_portal_url?scope=admin.',
  ),
  outside_of_view: entry(
    403,
    'This token opens one view of the console, and this call is not part of it.',
    'Use a token for the view that the message names, or open the console itself.',
  ),
  confirmation_required: entry(
    403,
    'This session was opened from a link in an email, so it can show the plan but not change it.',
    'Continue in the portal. If the portal gave no return_url, confirm your identity first.',
  ),
  not_found: entry(404, 'There is nothing at this address.', 'Check the path and the id.'),
  tenant_not_found: entry(
    404,
    'No tenant with this external id is known.',
    'Send portal_info for the tenant first.',
  ),
  plan_not_found: entry(404, 'No plan with this id.', 'Check the id.'),
  quote_not_found: entry(
    404,
    'No quote with this id, or it is out of date.',
    'Request new quotes and choose one of them.',
  ),
  settlement_not_found: entry(404, 'No settlement with this id.', 'Check the id.'),
  debit_account_not_set: entry(
    404,
    'The operator of this service has not set the account that you debit.',
    'Ask the operator to set SVC_DEBIT_ACCOUNTS. Do not debit an account that you got in another way.',
  ),
  payout_not_found: entry(404, 'No payout with this id.', 'List payouts to find its id.'),
  endpoint_not_found: entry(404, 'No endpoint with this id.', 'List endpoints to find its id.'),
  message_not_found: entry(404, 'No message with this id.', 'List messages to find its id.'),
  replay_not_found: entry(404, 'No replay with this id.', 'List replays to find its id.'),
  api_key_not_found: entry(404, 'No API key with this id.', 'List API keys to find its id.'),
  request_not_found: entry(
    404,
    'No logged call with this request id.',
    'Check the id. Calls are kept for 7 days, and calls with wrong credentials are not logged.',
  ),
  no_allowed_origins: entry(
    409,
    'No origin is stored that may show the console in a frame.',
    'Add the origin of your back office with PUT /v1/partner/allowed_origins.',
  ),
  delivered_by_svix: entry(
    409,
    'This service hands its webhooks to Svix, so it has no deliveries, replays and test sends of its own.',
    'Use the portal or the API of Svix. GET /partner/webhook_portal_url returns a link to the portal, where there is one.',
  ),
  method_not_allowed: entry(
    405,
    'This address does not support this method.',
    'Use a method that the Allow header lists.',
  ),
  request_timeout: entry(
    408,
    'The request did not arrive completely within a minute.',
    'Send headers and body without pauses, on a new connection.',
  ),
  idempotency_key_in_progress: entry(
    409,
    'A request with this Idempotency-Key is still running.',
    'Repeat it after Retry-After seconds.',
  ),
  plan_already_exists: entry(
    409,
    'The tenant already has an open plan for this cycle.',
    'Read the existing plan instead of creating another one.',
  ),
  step_not_allowed: entry(
    409,
    'The tenant is at another step.',
    'Read the state and continue from its step.',
  ),
  event_id_reused: entry(
    409,
    'Another message was published with this event_id.',
    'Use a new event_id for each event, and the same one only to repeat a call unchanged.',
  ),
  settlement_transition_invalid: entry(
    409,
    'A settlement cannot go from its status to that one.',
    'Read the settlement; see its allowed transitions.',
  ),
  payout_transition_invalid: entry(
    409,
    'A payout cannot go from its status to that one, or somebody else reports its outcome.',
    'Read the payout; its method says who reports the outcome.',
  ),
  refund_not_possible: entry(
    409,
    'Only a settlement that has arrived can be refunded.',
    'Read the settlement: its status must be "verified".',
  ),
  result_invalid: entry(
    422,
    'This is not a result of our page: it was altered, belongs to another portal, or is older than 10 minutes.',
    'Pass the parameter svc_result unchanged, as soon as the tenant has come back. The webhooks report everything, too.',
  ),
  result_used: entry(
    409,
    'This result was used already: each is used once.',
    'If the call was not yours, somebody has replayed the address. The webhooks report everything, too.',
  ),
  last_api_key: entry(
    409,
    'This is the only API key that works and has the scope everything, and without one no key can be created.',
    'Create another key with the scope everything first, or rotate this one.',
  ),
  clock_cannot_go_back: entry(
    409,
    'The tenant’s clock cannot go back while a plan is open.',
    'Call reset first, or use a later date.',
  ),
  scenario_not_reachable: entry(
    409,
    'The tenant cannot get from where it is to the scenario asked for.',
    'Call reset first, then repeat the call, or use another external id.',
  ),
  simulation_not_possible: entry(
    409,
    'This sandbox takes payments through a real payment processor, which cannot be simulated.',
    'Use the processor’s test accounts and cards, or run the sandbox with SVC_PROCESSOR=simulator.',
  ),
  not_reproducible: entry(
    409,
    'Repeating the calls about the tenant did not give the same webhooks, so the copy is not like the tenant.',
    'Compare the two tenants at the first difference, which the message names. Something was changed in between, such as the program’s terms, or by something other than a call of the API.',
  ),
  certification_running: entry(
    409,
    'Another run of the certification, or another case of this one, is not finished.',
    'Continue the run that the message names, or wait until the case has ended.',
  ),
  certification_finished: entry(
    409,
    'The run is finished, so its cases and its report no longer change.',
    'Start another run.',
  ),
  version_conflict: entry(
    409,
    'The object has changed since it was read.',
    'Read it again and repeat the change.',
  ),
  precondition_failed: entry(
    412,
    'The file is not the version that If-Match or If-Unmodified-Since asks for.',
    'Repeat the request without these headers.',
  ),
  payload_too_large: entry(413, 'The body is larger than 256 KiB.', 'Send a smaller body.'),
  unsupported_media_type: entry(
    415,
    'The body is not application/json.',
    'Send "Content-Type: application/json" without compression.',
  ),
  expectation_failed: entry(
    417,
    'The only expectation that the service supports is "100-continue".',
    'Remove the Expect header.',
  ),
  validation_failed: entry(
    422,
    'Some fields are wrong.',
    'See "errors": each entry names a field and what it accepts.',
  ),
  idempotency_key_reused: entry(
    422,
    'This Idempotency-Key was used with another body.',
    'Use a new key for each new request.',
  ),
  rate_limited: entry(429, 'Too many requests.', 'Wait Retry-After seconds.'),
  headers_too_large: entry(
    431,
    'The request line and the headers together are larger than 16 KiB.',
    'Send fewer or shorter headers; pass long values in the body.',
  ),
  internal_error: entry(
    500,
    'Something failed on our side; nothing was changed.',
    'Repeat the request; if it fails again, send us the request id.',
  ),
  payments_paused: entry(
    503,
    'Payments are paused for the moment. No money moved, and nothing was changed.',
    'Repeat the request later; Retry-After says when at the earliest.',
  ),
  unavailable: entry(
    503,
    'The service cannot answer right now.',
    'Repeat the request after Retry-After seconds.',
  ),
} as const satisfies Record<string, CatalogEntry>;

export type ErrorCode = keyof typeof errorCatalog;

export interface CatalogEntry {
  status: number;
  meaning: string;
  fix: string;
}

/** Codes of the single field errors in `validation_failed`. */
export const fieldCodes = [
  'required',
  'unknown_field',
  'invalid_type',
  'invalid_value',
  'invalid_date',
  'invalid_format',
  'too_small',
  'too_big',
  'duplicate',
  'not_accepted',
] as const;
export type FieldCode = (typeof fieldCodes)[number];

export interface FieldError {
  param: string;
  code: string;
  message: string;
}

function entry(status: number, meaning: string, fix: string): CatalogEntry {
  return { status, meaning, fix };
}
